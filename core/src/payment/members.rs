//! The objects inside payment bodies, each declared once.

use chrono::NaiveDate;

use crate::limits::BULK_ENTRIES_MAX;
use crate::payment::order::{Address, StructuredReference};
use crate::reason::{Reason, Violation};
use crate::types::{date, AccountIdentification, AccountReference, DayOfExecution, ExecutionRule, Frequency};
use crate::types::{
    Amount, Bban, Bic, Country, Currency, Iban, Name, PurposeCode, Reference, ServiceLevel, Text,
};
use crate::wire::json::Json;
use crate::wire::reader::{body, Member, Reader};

/// The only scheme by which a card account is named.
const CARD_SCHEME: &str = "creditCardAccount";

macro_rules! read_from_text {
    ($($type:ty),+) => { $(
        impl Member for $type {
            fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
                let text = reader.string(value)?;
                let parsed = <$type>::parse(text);
                reader.keep(parsed)
            }
        }
    )+ };
}
read_from_text!(Bban, Bic, Country, Currency, DayOfExecution, ExecutionRule, Frequency, Iban);
read_from_text!(PurposeCode, ServiceLevel);

impl Member for NaiveDate {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let text = reader.string(value)?;
        let parsed = date::parse(text).ok_or(Reason::MemberNotDate);
        reader.keep(parsed)
    }
}

impl<const MAX: usize> Member for Text<MAX> {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let text = reader.string(value)?;
        let parsed = Self::parse(text, reader.repertoire());
        reader.keep(parsed)
    }
}

impl Member for Amount {
    /// `{amount, currency}`: how many digits the one may have follows from the other.
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let members = reader.members(value, |name| matches!(name, "amount" | "currency"))?;
        let digits = reader.required::<Digits>(members, "amount");
        let currency = reader.required::<Currency>(members, "currency");
        let (digits, currency) = (digits?, currency?);
        reader.within("amount", |reader| reader.keep(Self::parse(&digits.0, currency)))
    }
}

/// An amount's digits before its currency is known.
struct Digits(String);

impl Member for Digits {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        reader.string(value).map(|text| Self(text.to_owned()))
    }
}

body! {
    /// An account of a Norwegian domestic product.
    DomesticAccount {
        /// Its number.
        bban: Bban = required "bban";
        /// Its currency.
        currency: Currency = required "currency";
    }
}

body! {
    /// An account within SEPA.
    IbanAccount {
        /// Its number.
        iban: Iban = required "iban";
        /// Its currency.
        currency: Currency = required "currency";
    }
}

body! {
    /// An account anywhere: `bban` or `iban`.
    AnyAccount {
        /// Its domestic number.
        bban: Bban = optional "bban";
        /// Its international number.
        iban: Iban = optional "iban";
        /// Its currency.
        currency: Currency = required "currency";
    }
}

body! {
    /// The account that pays: `bban`, or `other` for a card account.
    PayingAccount {
        /// Its domestic number.
        bban: Bban = optional "bban";
        /// The card account.
        other: CardAccount = optional "other";
        /// Its currency.
        currency: Currency = required "currency";
    }
}

body! {
    /// The account that pays: `bban`, `iban`, or `other` for a card account.
    AnyPayingAccount {
        /// Its domestic number.
        bban: Bban = optional "bban";
        /// Its international number.
        iban: Iban = optional "iban";
        /// The card account.
        other: CardAccount = optional "other";
        /// Its currency.
        currency: Currency = required "currency";
    }
}

body! {
    /// A card account by its number or masked PAN.
    CardAccount {
        /// Number or masked PAN.
        identification: Reference = required "identification";
        /// What kind of number it is.
        _scheme: CardScheme = required "schemeNameProprietary";
    }
}

/// `creditCardAccount`, the only value there is.
#[derive(Debug)]
pub(crate) struct CardScheme;

impl Member for CardScheme {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        match reader.string(value)? {
            CARD_SCHEME => Some(Self),
            _ => reader.keep(Err(Violation::with(Reason::ValueNotListed, &[&CARD_SCHEME]))),
        }
    }
}

body! {
    /// A postal address as sent.
    AddressBody {
        /// Street name.
        street: Name = optional "street";
        /// House number.
        building_number: Name = optional "buildingNumber";
        /// Postal code.
        postal_code: Name = optional "postalCode";
        /// Town.
        town_name: Name = optional "townName";
        /// Town, in the deprecated member.
        city: Name = optional "city";
        /// Country.
        country: Country = required "country";
    }
}

body! {
    /// A structured reference as sent.
    ReferenceBody {
        /// The reference itself.
        reference: Reference = required "reference";
        /// Its type.
        reference_type: Reference = optional "referenceType";
        /// Who issued it.
        reference_issuer: Reference = optional "referenceIssuer";
    }
}

impl Member for AccountReference {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let account = AnyAccount::read(value, reader)?;
        let bban = account.bban.map(AccountIdentification::Bban);
        let iban = account.iban.map(AccountIdentification::Iban);
        one_of(reader, value, [("bban", bban), ("iban", iban)], account.currency)
    }
}

impl From<DomesticAccount> for AccountReference {
    fn from(account: DomesticAccount) -> Self {
        Self { identification: AccountIdentification::Bban(account.bban), currency: account.currency }
    }
}

impl From<IbanAccount> for AccountReference {
    fn from(account: IbanAccount) -> Self {
        Self { identification: AccountIdentification::Iban(account.iban), currency: account.currency }
    }
}

impl From<CardAccount> for AccountIdentification {
    fn from(card: CardAccount) -> Self {
        Self::Card(card.identification.into_string())
    }
}

/// The account that pays, valid.
#[derive(Debug)]
pub(crate) struct Debtor(pub(crate) AccountReference);

impl Member for Debtor {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let account = PayingAccount::read(value, reader)?;
        let bban = account.bban.map(AccountIdentification::Bban);
        let card = account.other.map(AccountIdentification::from);
        one_of(reader, value, [("bban", bban), ("other", card)], account.currency).map(Self)
    }
}

/// The account that pays where an iban names one too, valid.
#[derive(Debug)]
pub(crate) struct AnyDebtor(pub(crate) AccountReference);

impl Member for AnyDebtor {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let account = AnyPayingAccount::read(value, reader)?;
        let bban = account.bban.map(AccountIdentification::Bban);
        let iban = account.iban.map(AccountIdentification::Iban);
        let card = account.other.map(AccountIdentification::from);
        one_of(reader, value, [("bban", bban), ("iban", iban), ("other", card)], account.currency).map(Self)
    }
}

/// Exactly one of several ways to name an account.
fn one_of<const WAYS: usize>(
    reader: &mut Reader,
    value: &Json<'_>,
    ways: [(&str, Option<AccountIdentification>); WAYS],
    currency: Currency,
) -> Option<AccountReference> {
    let names = ways.each_ref().map(|(name, _)| *name);
    let mut named = ways.into_iter().filter_map(|(_, identification)| identification);
    match (named.next(), named.next()) {
        (Some(_), Some(_)) => {
            reader.keep(Err(Violation::with(Reason::MembersExclusive, &[&names.join(", ")])))
        }
        (Some(identification), None) => Some(AccountReference { identification, currency }),
        // A member that is there but faulty has its own finding.
        (None, _) if names.iter().any(|name| value.has_member(name)) => None,
        (None, _) => reader.keep(Err(Violation::with(Reason::MembersOneRequired, &[&names.join(", ")]))),
    }
}

/// The payments of a bulk: how many there are is looked at before each is read in its own place.
#[derive(Debug)]
pub(crate) struct Entries;

impl Member for Entries {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let Json::Array(items) = value else {
            reader.error(Reason::MemberNotArray);
            return None;
        };
        match items.len() {
            1..=BULK_ENTRIES_MAX => Some(Self),
            count => reader.keep(Err(Violation::with(Reason::EntriesCount, &[&BULK_ENTRIES_MAX, &count]))),
        }
    }
}

impl Member for Address {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let body = AddressBody::read(value, reader)?;
        match (&body.town_name, &body.city) {
            (Some(town), Some(city)) if town != city => reader.error_at("/city", Reason::AddressTownDiffers),
            (None, Some(_)) => reader.warn_at("/city", Reason::CityDeprecated),
            _ => {}
        }
        let AddressBody { street, building_number, postal_code, town_name, city, country } = body;
        Some(Self { street, building_number, postal_code, town_name, city, country })
    }
}

impl Member for StructuredReference {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let ReferenceBody { reference, reference_type, reference_issuer } =
            ReferenceBody::read(value, reader)?;
        Some(Self { reference, reference_type, reference_issuer })
    }
}
