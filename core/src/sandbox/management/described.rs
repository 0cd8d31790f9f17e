//! Declares a body once: the struct, its reader, and what the docs print of it.

use super::account_number::{AccountNumbers, NumbersIfKnown};
use super::card_transaction_body::{Invoiced, Rate};
use super::members::{BankTransactionCode, Int, SettableBalance, Switch};
use super::moment::Moment;
use crate::limits::{BANK_TRANSACTION_CODE_CHARS_MAX, BANK_TRANSACTION_CODE_CHARS_MIN, BBAN_CHARS_MAX};
use crate::store::sqlite::sandbox::{CardStatus, CustomerNumber, CustomerType, Role};
use crate::types::{Bban, Country, Currency, Iban, Text};
use crate::wire::or_empty::OrEmpty;

/// An object that a body is, or holds.
#[derive(Debug)]
pub struct Object {
    /// What the docs call it.
    pub name: &'static str,
    /// What it is.
    pub about: String,
    /// Its members, in their order.
    pub members: Vec<MemberRow>,
}

/// A member of an object.
#[derive(Debug)]
pub struct MemberRow {
    /// Its name.
    pub name: &'static str,
    /// What its value looks like, with its limits.
    pub form: String,
    /// Whether it must be there.
    pub is_required: bool,
    /// What it says.
    pub note: String,
}

/// A value that a body may hold, as the docs tell of it.
pub(super) trait Described {
    /// What it looks like, with its limits.
    fn form() -> String;
}

/// An object that the docs have a table of.
pub(super) trait Tabled {
    /// That table.
    fn object() -> Object;
}

/// The lines of a doc comment as one text.
pub(super) fn joined(lines: &[&str]) -> String {
    lines.concat().trim().to_owned()
}

/// What links to the table of an object.
pub(super) fn link(name: &str) -> String {
    format!("[{name}](#{name})")
}

/// As `body!`, with the name that the docs have for the object. What they say of it and of its members is said in the
/// doc comments.
macro_rules! described {
    ($(#[doc = $doc:literal])+ $type:ident $name:literal {
        $( $(#[doc = $note:literal])+ $field:ident: $member:ty = $presence:ident $wire:literal; )+
    }) => {
        $crate::wire::reader::body! {
            $(#[doc = $doc])+
            $type { $( $(#[doc = $note])+ $field: $member = $presence $wire; )+ }
        }

        impl $crate::sandbox::management::described::Described for $type {
            fn form() -> String {
                $crate::sandbox::management::described::link($name)
            }
        }

        impl $crate::sandbox::management::described::Tabled for $type {
            fn object() -> $crate::sandbox::management::described::Object {
                use $crate::sandbox::management::described::{joined, Described, MemberRow, Object};
                let members = vec![ $( MemberRow {
                    name: $wire,
                    form: <$member as Described>::form(),
                    is_required: $crate::sandbox::management::described::described!(@is $presence),
                    note: joined(&[$( $note ),+]),
                }, )+ ];
                Object { name: $name, about: joined(&[$( $doc ),+]), members }
            }
        }
    };
    (@is required) => { true };
    (@is optional) => { false };
}
pub(super) use described;

impl<T: Described> Described for Vec<T> {
    fn form() -> String {
        format!("array, each {}", T::form())
    }
}

impl<T: Described> Described for OrEmpty<T> {
    fn form() -> String {
        format!("{}; or empty", T::form())
    }
}

impl<const MAX: usize> Described for Text<MAX> {
    fn form() -> String {
        format!("text of 1 to {MAX} characters")
    }
}

impl<const MIN: i32> Described for Int<MIN> {
    fn form() -> String {
        format!("whole number from {MIN} to {}, without a fraction", i32::MAX)
    }
}

/// Values of one form.
macro_rules! forms {
    ($( $type:ty: $form:expr; )+) => { $(
        impl Described for $type {
            fn form() -> String {
                $form.into()
            }
        }
    )+ };
}

forms! {
    Switch: "`true` or `false`";
    Invoiced: "`true` or `false`, or either as text; or empty";
    CustomerNumber: "text of 6 to 11 digits";
    CustomerType: "`PRIVATE` or `CORPORATE`, in any case";
    CardStatus: "`enabled`, `blocked` or `deleted`, in any case";
    Role: "`OWNER`, `DISPOSAL`, `VIEW`, `REGISTER`, `APPROVE`, `INTERNAL_TRANSFER` or `SALARY`";
    SettableBalance: "`closingBooked` or `expected`, in any case";
    BankTransactionCode:
        format!("text of {BANK_TRANSACTION_CODE_CHARS_MIN} to {BANK_TRANSACTION_CODE_CHARS_MAX} characters");
    Currency: "currency code, such as `NOK`";
    Country: "country code, such as `NO`";
    Bban: format!("text of 1 to {BBAN_CHARS_MAX} letters and digits; dots and spaces are dropped");
    Iban: "IBAN; spaces are dropped";
    Moment: "`YYYY-MM-DD`, or a date-time with an offset";
    Rate: format!("text of digits, with a point if need be, at most {} characters; not zero", Rate::CHARS_MAX);
    AccountNumbers: link(AccountNumbers::NAME);
    NumbersIfKnown: format!("{}; of the other account, both may be empty", link(AccountNumbers::NAME));
}

impl Tabled for AccountNumbers {
    fn object() -> Object {
        let row =
            |name, form, note: &str| MemberRow { name, form, is_required: false, note: note.to_owned() };
        let members = vec![
            row("iban", OrEmpty::<Iban>::form(), "The number as an IBAN."),
            row("bban", OrEmpty::<Bban>::form(), "The number as its country writes it."),
        ];
        let about = "The numbers of an account: either, or both where they are the same number.".to_owned();
        Object { name: Self::NAME, about, members }
    }
}
