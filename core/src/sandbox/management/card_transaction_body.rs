//! A use of a card as it is sent (contract: Create sandbox card account transactions).
//!
//! Only the sums, the address and the booking date are required. Of the others an empty text counts as absent.

use rust_decimal::Decimal;

use super::members::Sum;
use super::moment::Moment;
use crate::account::record::CardAcceptorAddress;
use crate::reason::Reason;
use crate::types::{Country, Currency, Name, Reference, Remittance, Text};
use crate::wire::described::described;
use crate::wire::json::Json;
use crate::wire::or_empty::{filled, OrEmpty};
use crate::wire::reader::{Member, Reader};

described! {
    /// A use of a card. What was spent is positive.
    CardTransactionBody "card-transaction" {
        /// Its id in the system that made it.
        card_transaction_id: OrEmpty<Reference> = optional "cardTransactionId";
        /// The terminal.
        terminal_id: OrEmpty<Reference> = optional "terminalId";
        /// When it was booked: before now, and not after `valueDate`.
        booking_date: Moment = required "bookingDate";
        /// When the card was used.
        transaction_date: OrEmpty<Moment> = optional "transactionDate";
        /// From when on it bears interest: before now.
        value_date: OrEmpty<Moment> = optional "valueDate";
        /// The sum in the account's currency.
        transaction_amount: Sum = required "transactionAmount";
        /// The sum in the currency it was spent in.
        original_amount: Sum = required "originalAmount";
        /// The exchange between the two.
        currency_exchange: ExchangeBody = optional "currencyExchange";
        /// What the merchant trades in (ISO 18245).
        merchant_category_code: OrEmpty<Text<4>> = optional "merchantCategoryCode";
        /// What the exchange cost.
        markup_fee: Sum = required "markupFee";
        /// The same in percent.
        markup_fee_percentage: OrEmpty<Reference> = optional "markupFeePercentage";
        /// Who took the card.
        card_acceptor_id: OrEmpty<Reference> = optional "cardAcceptorId";
        /// Where; `{}` will do.
        card_acceptor_address: AddressBody = required "cardAcceptorAddress";
        /// The card, masked.
        masked_pan: OrEmpty<Reference> = optional "maskedPan";
        /// What the statement says.
        transaction_details: OrEmpty<Remittance> = optional "transactionDetails";
        /// Whether it is on an invoice.
        invoiced: Invoiced = optional "invoiced";
        /// What the bank calls it.
        proprietary_code: OrEmpty<Reference> = optional "proprietaryBankTransactionCode";
    }
}

described! {
    /// Where a card was used.
    AddressBody "card-acceptor-address" {
        /// Street name.
        street: OrEmpty<Name> = optional "street";
        /// Setup number.
        building_number: OrEmpty<Name> = optional "buildingNumber";
        /// Postal code.
        postal_code: OrEmpty<Name> = optional "postalCode";
        /// Town.
        city: OrEmpty<Name> = optional "city";
        /// Country.
        country: OrEmpty<Country> = optional "country";
    }
}

described! {
    /// An exchange (contract: Transaction details, currencyExchange).
    ExchangeBody "currency-exchange" {
        /// The currency given.
        source: Currency = required "sourceCurrency";
        /// How many units of the other currency one unit is worth.
        rate: Rate = required "exchangeRate";
        /// The currency of which the rate prices one unit.
        unit: Currency = required "unitCurrency";
        /// The currency got.
        target: Currency = required "targetCurrency";
        /// The day of the rate.
        quotation_date: Moment = required "quotationDate";
        /// The contract it was made under.
        contract_identification: Reference = optional "contractIdentification";
    }
}

impl From<AddressBody> for CardAcceptorAddress {
    fn from(body: AddressBody) -> Self {
        Self {
            street: filled(body.street).map(Name::into_string),
            building_number: filled(body.building_number).map(Name::into_string),
            postal_code: filled(body.postal_code).map(Name::into_string),
            city: filled(body.city).map(Name::into_string),
            country: filled(body.country).map(|country| country.code().to_owned()),
        }
    }
}

/// A boolean, which the operator's own example sends as a text; it may be empty.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Invoiced(pub(crate) Option<bool>);

impl Member for Invoiced {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        match value {
            Json::Bool(value) => Some(Self(Some(*value))),
            Json::String(text) => match text.as_ref() {
                "true" => Some(Self(Some(true))),
                "false" => Some(Self(Some(false))),
                "" => Some(Self(None)),
                _ => reader.keep(Err(Reason::MemberNotBoolean)),
            },
            _ => reader.keep(Err(Reason::MemberNotBoolean)),
        }
    }
}

/// A rate of exchange, as the digits of a positive number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rate(pub(crate) Decimal);

impl Rate {
    /// Rates in use are neither finer nor larger, and it fits the number.
    pub(super) const CHARS_MAX: usize = 20;

    fn parse(text: &str) -> Option<Self> {
        let (integer, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let is_plain = [integer, fraction]
            .iter()
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
        let rate = text.parse().ok().filter(|_| is_plain && text.len() <= Self::CHARS_MAX);
        rate.filter(|rate| *rate > Decimal::ZERO).map(Self)
    }
}

impl Member for Rate {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let rate = Self::parse(reader.string(value)?);
        reader.keep(rate.ok_or(Reason::RateMalformed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_a_positive_decimal_number_in_plain_digits() {
        for text in ["1", "11.5050", "0.0001", "12345678901234567890"] {
            assert!(Rate::parse(text).is_some(), "{text}");
        }
        for text in ["", "0", "0.00", "-1", "+1", "1.", ".5", "1,5", "1e2", " 1", "123456789012345678901"] {
            assert!(Rate::parse(text).is_none(), "{text}");
        }
    }
}
