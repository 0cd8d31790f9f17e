//! What bodies of the sandbox hold: numbers, switches and names.

use crate::account::record::BalanceType;
use crate::limits::{BANK_TRANSACTION_CODE_CHARS_MAX, BANK_TRANSACTION_CODE_CHARS_MIN};
use crate::reason::{Reason, Violation};
use crate::store::sqlite::sandbox::{CardStatus, CustomerNumber, CustomerType, Role};
use crate::types::{Currency, Money, Text};
use crate::wire::described::described;
use crate::wire::json::Json;
use crate::wire::reader::{Member, Reader};

/// A whole number of 32 bits, `MIN` or more (contract: amounts of the sandbox).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Int<const MIN: i32>(pub(crate) i32);

impl<const MIN: i32> Member for Int<MIN> {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let number = match value {
            Json::Integer(number) => i32::try_from(*number).ok(),
            _ => None,
        };
        match number {
            None => reader.keep(Err(Reason::MemberNotInteger)),
            Some(number) if number < MIN => {
                reader.keep(Err(Violation::with(Reason::NumberTooSmall, &[&MIN])))
            }
            Some(number) => Some(Self(number)),
        }
    }
}

/// `true` or `false`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Switch(pub(crate) bool);

impl Member for Switch {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        match value {
            Json::Bool(value) => Some(Self(*value)),
            _ => reader.keep(Err(Reason::MemberNotBoolean)),
        }
    }
}

/// A bank transaction code of ISO 20022: 4 to 14 characters (contract: Limits).
#[derive(Debug)]
pub(crate) struct BankTransactionCode(pub(crate) Text<BANK_TRANSACTION_CODE_CHARS_MAX>);

impl Member for BankTransactionCode {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        const CHARS_MIN: usize = BANK_TRANSACTION_CODE_CHARS_MIN;
        let code = Text::<BANK_TRANSACTION_CODE_CHARS_MAX>::read(value, reader)?;
        let chars = code.as_str().chars().count();
        if chars < CHARS_MIN {
            return reader.keep(Err(Violation::with(Reason::TextTooShort, &[&CHARS_MIN, &chars])));
        }
        Some(Self(code))
    }
}

impl Member for CustomerNumber {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let number = Self::parse(reader.string(value)?);
        reader.keep(number.ok_or(Reason::CustomerNumberMalformed))
    }
}

/// A name out of a list: `$spelt` makes of the text what the list has.
macro_rules! read_from_list {
    ($( $type:ty: $spelt:expr; )+) => { $(
        impl Member for $type {
            fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
                let text = reader.string(value)?;
                let spelt: fn(&str) -> String = $spelt;
                let listed = Self::parse(&spelt(text));
                let names = || Violation::with(Reason::ValueNotListed, &[&Self::NAMES.join(", ")]);
                reader.keep(listed.ok_or_else(names))
            }
        }
    )+ };
}

read_from_list! {
    // Scripts that the operator publishes spell the type as they like.
    CustomerType: str::to_ascii_uppercase;
    CardStatus: str::to_ascii_lowercase;
    Role: str::to_owned;
}

/// A balance that can be set: closingBooked or expected, in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SettableBalance(pub(crate) BalanceType);

impl SettableBalance {
    pub(super) const TYPES: [BalanceType; 2] = [BalanceType::ClosingBooked, BalanceType::Expected];
}

impl Member for SettableBalance {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let text = reader.string(value)?;
        let named = Self::TYPES.into_iter().find(|kind| kind.as_str().eq_ignore_ascii_case(text));
        let names = Self::TYPES.map(BalanceType::as_str).join(", ");
        reader.keep(named.map(Self).ok_or_else(|| Violation::with(Reason::ValueNotListed, &[&names])))
    }
}

described! {
    /// A sum in whole units.
    Sum "sum" {
        /// How many units.
        amount: Int<{ i32::MIN }> = required "amount";
        /// Of what.
        currency: Currency = required "currency";
    }
}

described! {
    /// A sum in whole units that is not negative.
    Limit "limit" {
        /// How many units.
        amount: Int<0> = required "amount";
        /// Of what.
        currency: Currency = required "currency";
    }
}

impl From<&Sum> for Money {
    fn from(sum: &Sum) -> Self {
        Self::from_whole_units(sum.amount.0, sum.currency)
    }
}

impl From<&Limit> for Money {
    fn from(limit: &Limit) -> Self {
        Self::from_whole_units(limit.amount.0, limit.currency)
    }
}
