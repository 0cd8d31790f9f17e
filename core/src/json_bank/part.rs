//! The plain values of an answer.

use chrono::NaiveDate;
use rust_decimal::Decimal;

use super::shape::{members, required, Fault, Part};
use crate::account::record::BalanceType;
use crate::bank::ScaDemand;
use crate::limits::{BANK_TRANSACTION_CODE_CHARS_MAX, BANK_TRANSACTION_CODE_CHARS_MIN};
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::types::{
    date, AccountId, Bban, Bic, CardAccountId, CorporateKey, Currency, Iban, Modulus, Money, PsuKey,
    TransactionId,
};
use crate::wire::json::Json;

/// What a text may be, in words that follow "is not". What its type may hold beyond that is refused by `bounded`.
macro_rules! texts {
    ($( $type:ty: $form:expr, $read:expr $(, bounded $is_allowed:expr)?; )+) => { $(
        impl Part for $type {
            type Held = Self;

            fn form() -> String {
                $form.to_owned()
            }

            fn decode(value: &Json<'_>) -> Result<Self, Fault> {
                let read: fn(&str) -> Option<Self> = $read;
                let Json::String(text) = value else { return Err(Fault::new("is not a text")) };
                read(text).ok_or_else(is_not::<Self>)
            }
            $(

            fn check(held: &Self) -> Result<(), Fault> {
                holds::<Self>($is_allowed(held))
            }
            )?
        }
    )+ };
}

texts! {
    String: "a text", |text| Some(text.to_owned());
    AccountId: "an id of 1 to 64 letters, digits, `!`, `=`, `-`, `_`", AccountId::parse;
    CardAccountId: "an id of 1 to 64 letters, digits, `!`, `=`, `-`, `_`", CardAccountId::parse;
    TransactionId: "an id of 1 to 64 letters, digits, `!`, `=`, `-`, `_`", TransactionId::parse;
    Bban: "an account number of 1 to 30 letters and digits", |text| Bban::parse(text).ok();
    Iban: "an IBAN", |text| Iban::parse(text).ok();
    Bic: "a BIC", |text| Bic::parse(text).ok();
    Currency: "a currency's code", |text| Currency::parse(text).ok();
    NaiveDate: "a day `YYYY-MM-DD`", date::parse, bounded date::has_written_year;
    Decimal: "a positive decimal number as text", plain_decimal, bounded is_positive;
    PaymentStatus: "a `transactionStatus`", PaymentStatus::parse;
    BalanceType: "`closingBooked`, `expected` or `forwardAvailable`", balance_type;
    ScaDemand: "`asRuled`, `demanded` or `exempt`", demand;
    PsuKey: "a text of 1 to 256 characters without U+0000", |text| Some(Self::new(text)), bounded Self::is_storable;
    CorporateKey: "a text of 1 to 256 characters without U+0000",
        |text| Some(Self::new(text)), bounded Self::is_storable;
}

/// A text of `MIN` to `MAX` characters.
pub(super) struct Line<const MAX: usize, const MIN: usize = 1>;

pub(super) type BankTransactionCode = Line<BANK_TRANSACTION_CODE_CHARS_MAX, BANK_TRANSACTION_CODE_CHARS_MIN>;

impl<const MAX: usize, const MIN: usize> Part for Line<MAX, MIN> {
    type Held = String;

    fn form() -> String {
        format!("a text of {MIN} to {MAX} characters")
    }

    fn decode(value: &Json<'_>) -> Result<String, Fault> {
        String::decode(value)
    }

    fn check(held: &String) -> Result<(), Fault> {
        holds::<Self>(has_length(held, MIN, MAX))
    }
}

/// A card's number of which too few digits are there to be the whole.
pub(super) struct MaskedPan;

impl Part for MaskedPan {
    type Held = String;

    fn form() -> String {
        "a card number of 1 to 35 characters, at most 12 of them digits".to_owned()
    }

    fn decode(value: &Json<'_>) -> Result<String, Fault> {
        String::decode(value)
    }

    fn check(held: &String) -> Result<(), Fault> {
        holds::<Self>(is_masked(held))
    }
}

impl Part for bool {
    type Held = Self;

    fn form() -> String {
        "`true` or `false`".to_owned()
    }

    fn decode(value: &Json<'_>) -> Result<Self, Fault> {
        match value {
            Json::Bool(value) => Ok(*value),
            _ => Err(Fault::new("is neither `true` nor `false`")),
        }
    }
}

macro_rules! numbers {
    ($( $type:ty: $form:literal, $read:expr; )+) => { $(
        impl Part for $type {
            type Held = Self;

            fn form() -> String {
                $form.to_owned()
            }

            fn decode(value: &Json<'_>) -> Result<Self, Fault> {
                let read: fn(i64) -> Option<Self> = $read;
                let Json::Integer(number) = value else { return Err(Fault::new("is not a whole number")) };
                read(*number).ok_or_else(|| Fault::new(concat!("is not ", $form)))
            }
        }
    )+ };
}

numbers! {
    u64: "a whole number, not negative", |number| number.try_into().ok();
    u8: "a whole number from 0 to 255", |number| number.try_into().ok();
    Modulus: "`10` or `11`", Modulus::from_number;
}

impl<T: Part> Part for Vec<T> {
    type Held = Vec<T::Held>;

    fn form() -> String {
        format!("a list, each {}", T::form())
    }

    fn decode(value: &Json<'_>) -> Result<Self::Held, Fault> {
        let Json::Array(items) = value else { return Err(Fault::new("is not a list")) };
        let item =
            |(index, item): (usize, _)| T::decode(item).map_err(|fault| fault.below(&index.to_string()));
        items.iter().enumerate().map(item).collect()
    }

    fn check(held: &Self::Held) -> Result<(), Fault> {
        let item =
            |(index, item): (usize, _)| T::check(item).map_err(|fault| fault.below(&index.to_string()));
        held.iter().enumerate().try_for_each(item)
    }
}

/// `{amount, currency}`.
impl Part for Money {
    type Held = Self;

    fn form() -> String {
        "`{amount, currency}`, the amount as text in exactly the currency's minor units, with at most 18 digits before \
         the point"
            .to_owned()
    }

    fn decode(value: &Json<'_>) -> Result<Self, Fault> {
        let members = members(value, &["amount", "currency"])?;
        let currency = required::<Currency>(members, "currency")?;
        let digits = required::<String>(members, "amount")?;
        let fault = |_| {
            Fault::new("is not an amount in exactly the currency's minor units, of at most 18 digits before the point")
        };
        // Cores that round a small debit write zero with its sign.
        let digits = match digits.strip_prefix('-') {
            Some(zero) if zero.bytes().all(|byte| matches!(byte, b'0' | b'.')) => zero,
            _ => &digits,
        };
        Self::parse(digits, currency).map_err(|violation| fault(violation).below("amount"))
    }
}

/// An amount that is charged.
pub(super) struct Charge;

impl Part for Charge {
    type Held = Money;

    fn form() -> String {
        format!("{}; not negative", Money::form())
    }

    fn decode(value: &Json<'_>) -> Result<Money, Fault> {
        Money::decode(value)
    }

    fn check(held: &Money) -> Result<(), Fault> {
        match held.is_negative() {
            false => Ok(()),
            true => Err(Fault::new("is negative").below("amount")),
        }
    }
}

fn is_not<P: Part>() -> Fault {
    Fault::new(format!("is not {}", P::form()))
}

fn holds<P: Part>(is_allowed: bool) -> Result<(), Fault> {
    match is_allowed {
        true => Ok(()),
        false => Err(is_not::<P>()),
    }
}

fn has_length(text: &str, chars_min: usize, chars_max: usize) -> bool {
    (chars_min..=chars_max).contains(&text.chars().take(chars_max + 1).count())
}

/// The first six or eight digits and the last four may be shown (PCI DSS, requirement 3.4.1); whole numbers have 13
/// digits and more (ISO/IEC 7812).
fn is_masked(text: &str) -> bool {
    const CHARS_MAX: usize = 35;
    const DIGITS_MAX: usize = 12;
    has_length(text, 1, CHARS_MAX) && text.chars().filter(char::is_ascii_digit).count() <= DIGITS_MAX
}

fn plain_decimal(text: &str) -> Option<Decimal> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_plain.then(|| text.parse().ok()).flatten()
}

fn is_positive(number: &Decimal) -> bool {
    *number > Decimal::ZERO
}

fn balance_type(text: &str) -> Option<BalanceType> {
    let all = [BalanceType::ClosingBooked, BalanceType::Expected, BalanceType::ForwardAvailable];
    all.into_iter().find(|kind| kind.as_str() == text)
}

fn demand(text: &str) -> Option<ScaDemand> {
    match text {
        "asRuled" => Some(ScaDemand::AsRuled),
        "demanded" => Some(ScaDemand::Demanded),
        "exempt" => Some(ScaDemand::Exempt),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads<T: Part>(text: &str) -> bool {
        T::read(&Json::parse(text.as_bytes()).unwrap()).is_ok()
    }

    #[test]
    fn a_text_has_one_to_its_most_characters() {
        for (text, good) in
            [("\"\"", false), ("\"æ\"", true), ("\"æøå\"", true), ("\"æøåa\"", false), ("1", false)]
        {
            assert_eq!(reads::<Line<3>>(text), good, "{text}");
        }
        for (length, good) in [(0, false), (1, true), (256, true), (257, false)] {
            assert_eq!(reads::<PsuKey>(&format!("\"{}\"", "k".repeat(length))), good, "{length}");
        }
    }

    #[test]
    fn a_bank_transaction_code_has_four_to_fourteen() {
        for (length, good) in [(3, false), (4, true), (14, true), (15, false)] {
            let text = format!("\"{}\"", "P".repeat(length));
            assert_eq!(reads::<BankTransactionCode>(&text), good, "{length}");
        }
    }

    #[test]
    fn a_whole_card_number_is_refused() {
        for (text, good) in [
            ("\"123456******1234\"", true),
            ("\"12345678****1234\"", true),
            ("\"1234567890123\"", false),
            ("\"4000 0000 0000 0002\"", false),
            ("\"\"", false),
        ] {
            assert_eq!(reads::<MaskedPan>(text), good, "{text}");
        }
    }

    #[test]
    fn a_rate_is_a_positive_plain_decimal() {
        for (text, good) in [
            ("\"11.5\"", true),
            ("\"1\"", true),
            ("\"0.0001\"", true),
            ("\"0\"", false),
            ("\"-1\"", false),
            ("\"+1\"", false),
            ("\"1e2\"", false),
            ("\"1_0\"", false),
            ("\"\"", false),
            ("\".\"", false),
            ("11.5", false),
            ("\"99999999999999999999999999999999\"", false),
        ] {
            assert_eq!(reads::<Decimal>(text), good, "{text}");
        }
    }

    #[test]
    fn money_is_in_exactly_its_minor_units() {
        for (text, good) in [
            (r#"{"amount":"1.00","currency":"NOK"}"#, true),
            (r#"{"amount":"-1.00","currency":"NOK"}"#, true),
            (r#"{"amount":"1","currency":"JPY"}"#, true),
            (r#"{"amount":"1.0","currency":"NOK"}"#, false),
            (r#"{"amount":"-0.00","currency":"NOK"}"#, true),
            (r#"{"amount":"-0","currency":"NOK"}"#, false),
            (r#"{"amount":"-","currency":"NOK"}"#, false),
            (r#"{"amount":"--0.00","currency":"NOK"}"#, false),
            (r#"{"amount":"999999999999999999.99","currency":"NOK"}"#, true),
            (r#"{"amount":"1000000000000000000.00","currency":"NOK"}"#, false),
            (r#"{"amount":1.00,"currency":"NOK"}"#, false),
            (r#"{"amount":"1.00","currency":"nok"}"#, false),
            (r#"{"amount":"1.00"}"#, false),
        ] {
            assert_eq!(reads::<Money>(text), good, "{text}");
        }
    }

    #[test]
    fn numbers_are_whole_and_in_range() {
        assert!(reads::<u64>("0") && !reads::<u64>("-1") && !reads::<u64>("1.0") && !reads::<u64>("\"1\""));
        assert!(reads::<u8>("255") && !reads::<u8>("256"));
        assert!(reads::<Modulus>("10") && reads::<Modulus>("11") && !reads::<Modulus>("9"));
        assert!(reads::<bool>("true") && !reads::<bool>("1"));
    }
}
