//! Declares a body once: the struct, its reader, and what the docs print of it.

use chrono::NaiveDate;

use super::or_empty::OrEmpty;
use super::reader::Each;
use crate::limits::{AMOUNT_INTEGER_DIGITS_MAX, BBAN_CHARS_MAX};
use crate::types::{Amount, Bban, Bic, Country, Currency, Iban, Text};
use crate::types::{DayOfExecution, ExecutionRule, Frequency, PurposeCode, ServiceLevel};

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
pub(crate) trait Described {
    /// What it looks like, with its limits.
    fn form() -> String;
}

/// An object that the docs have a table of.
pub(crate) trait Tabled {
    /// That table.
    fn object() -> Object;
}

/// The lines of a doc comment as one text.
pub(crate) fn joined(lines: &[&str]) -> String {
    lines.concat().trim().to_owned()
}

/// What links to the table of an object.
pub(crate) fn link(name: &str) -> String {
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

        impl $crate::wire::described::Described for $type {
            fn form() -> String {
                $crate::wire::described::link($name)
            }
        }

        impl $crate::wire::described::Tabled for $type {
            fn object() -> $crate::wire::described::Object {
                use $crate::wire::described::{joined, Described, MemberRow, Object};
                let members = vec![ $( MemberRow {
                    name: $wire,
                    form: <$member as Described>::form(),
                    is_required: $crate::wire::described::described!(@is $presence),
                    note: joined(&[$( $note ),+]),
                }, )+ ];
                Object { name: $name, about: joined(&[$( $doc ),+]), members }
            }
        }
    };
    (@is required) => { true };
    (@is owed) => { true };
    (@is optional) => { false };
}
pub(crate) use described;

impl<T: Described> Described for Vec<T> {
    fn form() -> String {
        format!("array, each {}", T::form())
    }
}

impl<T: Described> Described for Each<T> {
    fn form() -> String {
        Vec::<T>::form()
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

/// Values of one form.
macro_rules! forms {
    ($( $type:ty: $form:expr; )+) => { $(
        impl $crate::wire::described::Described for $type {
            fn form() -> String {
                $form.into()
            }
        }
    )+ };
}
pub(crate) use forms;

forms! {
    Currency: "currency code, such as `NOK`";
    Country: "country code, such as `NO`";
    Bban: format!("text of 1 to {BBAN_CHARS_MAX} letters and digits; dots and spaces are dropped");
    Iban: "IBAN; spaces are dropped";
    Bic: "BIC of 8 or 11 characters";
    NaiveDate: "`YYYY-MM-DD`";
    Amount: link(AMOUNT);
    PurposeCode: listed(PurposeCode::LIST.iter().map(|code| code.code()));
    ServiceLevel: listed(ServiceLevel::LIST.iter().map(|level| level.code()));
    ExecutionRule: listed(ExecutionRule::LIST.iter().map(|rule| rule.code()));
    Frequency: listed(Frequency::LIST.iter().map(|frequency| frequency.code()));
    DayOfExecution: format!("`1` to `{}` as text, without leading zero", DayOfExecution::MAX);
}

/// One of a few codes.
fn listed(codes: impl Iterator<Item = &'static str>) -> String {
    let codes: Vec<_> = codes.map(|code| format!("`{code}`")).collect();
    match codes.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => codes.concat(),
    }
}

/// What the docs call an amount.
const AMOUNT: &str = "amount";

impl Tabled for Amount {
    fn object() -> Object {
        let row = |name, form, note: &str| MemberRow { name, form, is_required: true, note: note.to_owned() };
        let digits = format!(
            "text of digits, at most {AMOUNT_INTEGER_DIGITS_MAX} before the point; no sign, no leading zero"
        );
        let members = vec![
            row("amount", digits, "Exactly as many fraction digits as the currency has, and more than zero."),
            row("currency", Currency::form(), "Its currency."),
        ];
        Object { name: AMOUNT, about: "A sum of money.".to_owned(), members }
    }
}
