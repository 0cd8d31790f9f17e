//! Declares a body once: the struct, its reader, and what the docs print of it.

use chrono::NaiveDate;

use super::or_empty::OrEmpty;
use super::reader::Each;
use super::schema::Schema;
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
    /// The same as a schema.
    pub schema: Schema,
    /// Whether it must be there.
    pub is_required: bool,
    /// What it says.
    pub note: String,
}

impl MemberRow {
    /// The member as a schema has it: one that may be absent may be null.
    pub(crate) fn sent(self) -> (&'static str, Schema, bool) {
        let schema = if self.is_required { self.schema } else { self.schema.or_null() };
        (self.name, schema.described(without_links(&self.note)), self.is_required)
    }
}

/// A value that a body may hold, as documented.
pub(crate) trait Described {
    /// What it looks like, with its limits.
    fn form() -> String;

    /// The same as a schema.
    fn schema() -> Schema;
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

/// A text without the links in it, which lead from page to page of the docs.
pub(crate) fn without_links(text: &str) -> String {
    let mut parts = text.split("](");
    let mut plain = parts.next().unwrap_or_default().replace('[', "");
    for part in parts {
        plain.push_str(&part.split_once(')').map_or(part, |(_, rest)| rest).replace('[', ""));
    }
    plain
}

/// What the schemas call an object of the docs: `card-account` is `CardAccountBody`.
pub(crate) fn component(name: &str) -> String {
    format!("{}Body", pascal(name))
}

/// Words with hyphens between them as one, each with a capital.
pub(crate) fn pascal(name: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_ascii_uppercase() + rest
    };
    name.split('-').map(capital).collect()
}

/// What the schemas call the list of currencies.
pub(crate) const CURRENCY: &str = "CurrencyCode";
/// What the schemas call the list of countries.
pub(crate) const COUNTRY: &str = "CountryCode";

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

            fn schema() -> $crate::wire::schema::Schema {
                $crate::wire::schema::Schema::named(&$crate::wire::described::component($name))
            }
        }

        impl $crate::wire::described::Tabled for $type {
            fn object() -> $crate::wire::described::Object {
                use $crate::wire::described::{joined, Described, MemberRow, Object};
                let members = vec![ $( MemberRow {
                    name: $wire,
                    form: <$member as Described>::form(),
                    schema: <$member as Described>::schema(),
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

    fn schema() -> Schema {
        Schema::each(T::schema())
    }
}

impl<T: Described> Described for Each<T> {
    fn form() -> String {
        Vec::<T>::form()
    }

    fn schema() -> Schema {
        Vec::<T>::schema()
    }
}

impl<T: Described> Described for OrEmpty<T> {
    fn form() -> String {
        format!("{}; or empty", T::form())
    }

    fn schema() -> Schema {
        T::schema().or_empty()
    }
}

impl<const MAX: usize> Described for Text<MAX> {
    fn form() -> String {
        format!("text of 1 to {MAX} characters")
    }

    fn schema() -> Schema {
        Schema::text_of(1, MAX)
    }
}

/// Values of one form: in words, and as a schema.
macro_rules! forms {
    ($( $type:ty: $form:expr, $schema:expr; )+) => { $(
        impl $crate::wire::described::Described for $type {
            fn form() -> String {
                $form.into()
            }

            fn schema() -> $crate::wire::schema::Schema {
                $schema
            }
        }
    )+ };
}
pub(crate) use forms;

forms! {
    Currency: "currency code, such as `NOK`", Schema::named(CURRENCY);
    Country: "country code, such as `NO`", Schema::named(COUNTRY);
    Bban: format!("text of 1 to {BBAN_CHARS_MAX} letters and digits; dots and spaces are dropped"),
        Schema::pattern(format!("^[. ]*([0-9A-Za-z][. ]*){{1,{BBAN_CHARS_MAX}}}$"));
    Iban: "IBAN; spaces are dropped",
        Schema::pattern("^ *[A-Za-z] *[A-Za-z]( *[0-9]){2}( *[0-9A-Za-z]){1,30} *$");
    Bic: "BIC of 8 or 11 characters", Schema::pattern("^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?$");
    NaiveDate: "`YYYY-MM-DD`", Schema::day();
    Amount: link(AMOUNT), Schema::named(&component(AMOUNT));
    PurposeCode: listed(PurposeCode::LIST.iter().map(|code| code.code())),
        Schema::one_of(PurposeCode::LIST.iter().map(|code| code.code()));
    ServiceLevel: listed(ServiceLevel::LIST.iter().map(|level| level.code())),
        Schema::one_of(ServiceLevel::LIST.iter().map(|level| level.code()));
    ExecutionRule: listed(ExecutionRule::LIST.iter().map(|rule| rule.code())),
        Schema::one_of(ExecutionRule::LIST.iter().map(|rule| rule.code()).chain([ExecutionRule::MISSPELT]));
    Frequency: listed(Frequency::LIST.iter().map(|frequency| frequency.code())),
        Schema::one_of(Frequency::LIST.iter().map(|frequency| frequency.code()));
    DayOfExecution: format!("`1` to `{}` as text, without leading zero", DayOfExecution::MAX),
        Schema::pattern("^([1-9]|[12][0-9]|3[01])$");
}

/// One of a few codes.
pub(crate) fn listed(codes: impl Iterator<Item = &'static str>) -> String {
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
        let row = |name, form, schema, note: &str| MemberRow {
            name,
            form,
            schema,
            is_required: true,
            note: note.to_owned(),
        };
        let digits = format!(
            "text of digits, at most {AMOUNT_INTEGER_DIGITS_MAX} before the point; no sign, no leading zero"
        );
        let pattern = format!("^(0|[1-9][0-9]{{0,{}}})(\\.[0-9]{{1,5}})?$", AMOUNT_INTEGER_DIGITS_MAX - 1);
        let members = vec![
            row(
                "amount",
                digits,
                Schema::pattern(pattern),
                "Exactly as many fraction digits as the currency has, and more than zero.",
            ),
            row("currency", Currency::form(), Currency::schema(), "Its currency."),
        ];
        Object { name: AMOUNT, about: "A sum of money.".to_owned(), members }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_keeps_the_words_of_its_links() {
        for (text, plain) in [
            ("", ""),
            ("no link (at all)", "no link (at all)"),
            (
                "where [the rule](guide/rules.md#a) is in force (or not)",
                "where the rule is in force (or not)",
            ),
            ("[a](b)[c](d)", "ac"),
        ] {
            assert_eq!(without_links(text), plain);
        }
    }

    #[test]
    fn hyphens_become_capitals() {
        assert_eq!(component("card-acceptor-address"), "CardAcceptorAddressBody");
        assert_eq!(pascal(""), "");
    }
}
