//! The objects inside payment bodies, each declared once.

use chrono::NaiveDate;

use crate::limits::BULK_ENTRIES_MAX;
use crate::payment::order::{Address, StructuredReference};
use crate::reason::{Case, Reason, Violation};
use crate::types::{date, AccountIdentification, AccountReference, DayOfExecution, ExecutionRule, Frequency};
use crate::types::{
    Amount, Bban, Bic, Country, Currency, Iban, Name, PurposeCode, Reference, ServiceLevel, Text,
};
use crate::wire::described::{described, forms};
use crate::wire::json::Json;
use crate::wire::or_empty::{filled, OrEmpty};
use crate::wire::reader::{Member, Reader};
use crate::wire::schema::Schema;

/// What the schemas call a payment of a bulk.
pub(super) const ENTRY: &str = "BulkEntryBody";

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
        let Digits(digits) = digits?;
        reader.within("amount", |reader| match currency {
            Some(currency) => reader.keep(Self::parse(&digits, currency)),
            None => {
                reader.keep(Self::check_without_currency(&digits));
                None
            }
        })
    }
}

/// An amount's digits before its currency is known.
struct Digits(String);

impl Member for Digits {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        reader.string(value).map(|text| Self(text.to_owned()))
    }
}

/// An account as far as it could be read. What is missing or faulty has left its finding.
#[derive(Debug)]
pub(crate) struct ReadAccount {
    /// Its number.
    pub(crate) identification: Option<AccountIdentification>,
    /// Its currency.
    pub(crate) currency: Option<Currency>,
}

impl ReadAccount {
    /// The account, where it is whole.
    pub(crate) fn whole(&self) -> Option<AccountReference> {
        Some(AccountReference { identification: self.identification.clone()?, currency: self.currency? })
    }

    /// Its domestic number, where it was named by one.
    pub(crate) fn bban(&self) -> Option<&Bban> {
        match &self.identification {
            Some(AccountIdentification::Bban(bban)) => Some(bban),
            _ => None,
        }
    }
}

described! {
    /// A payee's account on a Norwegian domestic product.
    BbanBody "domestic-account" {
        /// Its number: 11 digits.
        bban: Bban = owed "bban";
        /// Its currency.
        currency: Currency = owed "currency";
    }
}

described! {
    /// A payee's account within SEPA.
    IbanBody "sepa-account" {
        /// Its number.
        iban: Iban = owed "iban";
        /// Its currency.
        currency: Currency = owed "currency";
    }
}

described! {
    /// A payee's account anywhere: exactly one of `bban` and `iban`.
    BbanOrIbanBody "creditor-account" {
        /// Its domestic number.
        bban: Bban = optional "bban";
        /// Its international number.
        iban: Iban = optional "iban";
        /// Its currency.
        currency: Currency = owed "currency";
    }
}

described! {
    /// The account that pays: exactly one of `bban` and, for a card account, `other`.
    PayingBody "debtor-account" {
        /// Its domestic number.
        bban: Bban = optional "bban";
        /// The card account.
        other: CardAccount = optional "other";
        /// Its currency.
        currency: Currency = owed "currency";
    }
}

described! {
    /// The account that pays: exactly one of `bban`, `iban` and, for a card account, `other`.
    AnyPayingBody "sepa-debtor-account" {
        /// Its domestic number.
        bban: Bban = optional "bban";
        /// Its international number.
        iban: Iban = optional "iban";
        /// The card account.
        other: CardAccount = optional "other";
        /// Its currency.
        currency: Currency = owed "currency";
    }
}

described! {
    /// A card account by its number or masked PAN.
    CardAccount "card" {
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
            _ => reader.keep(Err(Violation::of_case(Case::ValueNotTheOne, &[&CARD_SCHEME]))),
        }
    }
}

described! {
    /// A postal address. Where [structured addresses](guide/rules.md#structured-addresses) are in force, `townName` is
    /// required.
    AddressBody "address" {
        /// Street name.
        street: OrEmpty<Name> = optional "street";
        /// Setup number.
        building_number: OrEmpty<Name> = optional "buildingNumber";
        /// Postal code.
        postal_code: OrEmpty<Name> = optional "postalCode";
        /// Town.
        town_name: OrEmpty<Name> = optional "townName";
        /// Town, in the deprecated member; where both are there they are equal.
        city: OrEmpty<Name> = optional "city";
        /// Country.
        country: Country = owed "country";
    }
}

described! {
    /// A reference, such as a [KID](guide/rules.md#kid).
    ReferenceBody "structured-reference" {
        /// The reference itself.
        reference: Reference = required "reference";
        /// Its type, such as `SCOR`.
        reference_type: OrEmpty<Reference> = optional "referenceType";
        /// Who issued it.
        reference_issuer: OrEmpty<Reference> = optional "referenceIssuer";
    }
}

forms! {
    CardScheme: format!("`{CARD_SCHEME}`"), Schema::one_of([CARD_SCHEME]);
    DomesticAccount: BbanBody::form(), BbanBody::schema();
    IbanAccount: IbanBody::form(), IbanBody::schema();
    AnyAccount: BbanOrIbanBody::form(), BbanOrIbanBody::schema();
    Debtor: PayingBody::form(), PayingBody::schema();
    AnyDebtor: AnyPayingBody::form(), AnyPayingBody::schema();
    Entries: format!("array, 1 to {BULK_ENTRIES_MAX} payments with the members of the last column"),
        Schema::each(Schema::named(ENTRY)).of_items(1, BULK_ENTRIES_MAX);
    ReadAddress: AddressBody::form(), AddressBody::schema();
    StructuredReference: ReferenceBody::form(), ReferenceBody::schema();
}

impl From<CardAccount> for AccountIdentification {
    fn from(card: CardAccount) -> Self {
        Self::Card(card.identification.into_string())
    }
}

/// The creditor's account on a domestic product.
#[derive(Debug)]
pub(crate) struct DomesticAccount(pub(crate) ReadAccount);

impl Member for DomesticAccount {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let BbanBody { bban, currency } = BbanBody::read(value, reader)?;
        Some(Self(ReadAccount { identification: bban.map(AccountIdentification::Bban), currency }))
    }
}

/// The creditor's account on SEPA.
#[derive(Debug)]
pub(crate) struct IbanAccount(pub(crate) ReadAccount);

impl Member for IbanAccount {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let IbanBody { iban, currency } = IbanBody::read(value, reader)?;
        Some(Self(ReadAccount { identification: iban.map(AccountIdentification::Iban), currency }))
    }
}

/// The creditor's account anywhere.
#[derive(Debug)]
pub(crate) struct AnyAccount(pub(crate) ReadAccount);

impl Member for AnyAccount {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let BbanOrIbanBody { bban, iban, currency } = BbanOrIbanBody::read(value, reader)?;
        let bban = bban.map(AccountIdentification::Bban);
        let iban = iban.map(AccountIdentification::Iban);
        let identification = one_of(reader, value, [("bban", bban), ("iban", iban)]);
        Some(Self(ReadAccount { identification, currency }))
    }
}

/// The account that pays.
#[derive(Debug)]
pub(crate) struct Debtor(pub(crate) ReadAccount);

impl Member for Debtor {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let PayingBody { bban, other, currency } = PayingBody::read(value, reader)?;
        let bban = bban.map(AccountIdentification::Bban);
        let card = other.map(AccountIdentification::from);
        let identification = one_of(reader, value, [("bban", bban), ("other", card)]);
        Some(Self(ReadAccount { identification, currency }))
    }
}

/// The account that pays where an iban names one too.
#[derive(Debug)]
pub(crate) struct AnyDebtor(pub(crate) ReadAccount);

impl Member for AnyDebtor {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let AnyPayingBody { bban, iban, other, currency } = AnyPayingBody::read(value, reader)?;
        let bban = bban.map(AccountIdentification::Bban);
        let iban = iban.map(AccountIdentification::Iban);
        let card = other.map(AccountIdentification::from);
        let identification = one_of(reader, value, [("bban", bban), ("iban", iban), ("other", card)]);
        Some(Self(ReadAccount { identification, currency }))
    }
}

/// Exactly one of several ways to name an account. A way that is there but faulty counts, and has its own finding.
fn one_of<const WAYS: usize>(
    reader: &mut Reader,
    value: &Json<'_>,
    ways: [(&str, Option<AccountIdentification>); WAYS],
) -> Option<AccountIdentification> {
    let names = ways.each_ref().map(|(name, _)| *name);
    let found = |reason| Violation::with(reason, &[&names.join(", ")]);
    match names.iter().filter(|name| value.has_member(name)).count() {
        0 => reader.error(found(Reason::MembersOneRequired)),
        1 => {}
        _ => reader.error(found(Reason::MembersExclusive)),
    }
    ways.into_iter().find_map(|(_, identification)| identification)
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

/// An address as far as it could be read. What is missing or faulty has left its finding.
#[derive(Debug)]
pub(crate) struct ReadAddress {
    pub(crate) street: Option<Name>,
    pub(crate) building_number: Option<Name>,
    pub(crate) postal_code: Option<Name>,
    pub(crate) town_name: Option<Name>,
    pub(crate) city: Option<Name>,
    country: Option<Country>,
}

impl ReadAddress {
    /// The address, where it is whole.
    pub(crate) fn whole(self) -> Option<Address> {
        let Self { street, building_number, postal_code, town_name, city, country } = self;
        Some(Address { street, building_number, postal_code, town_name, city, country: country? })
    }
}

impl Member for ReadAddress {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let body = AddressBody::read(value, reader)?;
        let (town_name, city) = (filled(body.town_name), filled(body.city));
        match (&town_name, &city) {
            (Some(town), Some(city)) if town != city => reader.error_at("/city", Reason::AddressTownDiffers),
            (None, Some(_)) => reader.warn_at("/city", Reason::CityDeprecated),
            _ => {}
        }
        Some(Self {
            street: filled(body.street),
            building_number: filled(body.building_number),
            postal_code: filled(body.postal_code),
            town_name,
            city,
            country: body.country,
        })
    }
}

impl Member for StructuredReference {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let ReferenceBody { reference, reference_type, reference_issuer } =
            ReferenceBody::read(value, reader)?;
        Some(Self {
            reference,
            reference_type: filled(reference_type),
            reference_issuer: filled(reference_issuer),
        })
    }
}
