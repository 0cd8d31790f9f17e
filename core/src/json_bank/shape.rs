//! Declares the objects of an answer once: the members, their forms, their reader, and what the docs say of them.

use std::borrow::Cow;

use crate::wire::json::Json;
use crate::wire::reader::{find, Members};

/// An object of the bank seam's JSON, as the docs show it.
#[derive(Debug, Clone)]
pub struct Shape {
    /// What it is called in the docs.
    pub name: &'static str,
    /// Its members.
    pub members: Vec<MemberRow>,
}

/// A member of an object.
#[derive(Debug, Clone)]
pub struct MemberRow {
    /// Its name.
    pub name: &'static str,
    /// What its value looks like.
    pub form: Cow<'static, str>,
    /// Whether it is always there.
    pub is_required: bool,
    /// What it says.
    pub meaning: &'static str,
}

/// What is wrong with an answer, and where (RFC 6901). Log-safe: it repeats no value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) pointer: String,
    pub(crate) text: Cow<'static, str>,
}

impl Fault {
    /// A fault of the value itself.
    pub(crate) fn new(text: impl Into<Cow<'static, str>>) -> Self {
        Self { pointer: String::new(), text: text.into() }
    }

    /// The same fault, seen from one level further out.
    #[must_use]
    pub(crate) fn below(mut self, segment: &str) -> Self {
        self.pointer = format!("/{segment}{}", self.pointer);
        self
    }
}

/// A value of an answer.
pub(crate) trait Part {
    /// What it is for a bank in Rust, which makes it without reading it: it may hold more than an answer may.
    type Held;

    /// What it looks like, for the docs.
    fn form() -> String;

    /// Brings it out of JSON, not yet checked.
    fn decode(value: &Json<'_>) -> Result<Self::Held, Fault>;

    /// Checks that the held value may be part of an answer.
    fn check(_held: &Self::Held) -> Result<(), Fault> {
        Ok(())
    }

    /// Reads it.
    fn read(value: &Json<'_>) -> Result<Self::Held, Fault> {
        let held = Self::decode(value)?;
        Self::check(&held)?;
        Ok(held)
    }
}

/// An object of an answer.
pub(crate) trait Shaped: Part {
    /// For the docs.
    fn shape() -> Shape;
}

/// The members of an object that has no other members than these, and none twice.
pub(crate) fn members<'j, 'a>(value: &'j Json<'a>, known: &[&str]) -> Result<&'j Members<'a>, Fault> {
    let Json::Object(members) = value else { return Err(Fault::new("is not an object")) };
    let mut seen = vec![false; known.len()];
    for (name, _) in members {
        let place = known.iter().position(|known| known == name).ok_or_else(|| unknown(name))?;
        match seen.get_mut(place) {
            Some(true) => return Err(Fault::new("comes twice").below(name)),
            Some(first) => *first = true,
            None => {}
        }
    }
    Ok(members)
}

/// The text shows a name only if it can be nothing but a name: a bank may have used data as one.
fn unknown(name: &str) -> Fault {
    const NAME_BYTES_MAX: usize = 40;
    let text = "has a member that does not belong there";
    match name.len() <= NAME_BYTES_MAX && name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        true => Fault::new(format!("{text}: {name}")),
        false => Fault::new(text),
    }
}

/// A member that must be there, not yet checked.
pub(crate) fn required<T: Part>(members: &Members<'_>, name: &'static str) -> Result<T::Held, Fault> {
    let value = find(members, name).ok_or_else(|| Fault::new("is missing").below(name))?;
    T::decode(value).map_err(|fault| fault.below(name))
}

/// A member that may be absent or null, not yet checked.
pub(crate) fn optional<T: Part>(members: &Members<'_>, name: &'static str) -> Result<Option<T::Held>, Fault> {
    match find(members, name) {
        None | Some(Json::Null) => Ok(None),
        Some(value) => T::decode(value).map(Some).map_err(|fault| fault.below(name)),
    }
}

/// Checks members, each that is there.
pub(crate) fn check<'h, T: Part>(
    held: impl IntoIterator<Item = &'h T::Held>,
    name: &'static str,
) -> Result<(), Fault>
where
    T::Held: 'h,
{
    held.into_iter().try_for_each(T::check).map_err(|fault| fault.below(name))
}

/// `Type "name-in-the-docs" { field: Part = required "wireName", "what it says"; }`. `optional`: the field is an
/// `Option`; `defaulted`: it is the default where it is absent. `and check` follows for what no member has alone.
macro_rules! shape {
    ($type:ident $name:literal {
        $( $field:ident: $part:ty = $presence:ident $wire:literal, $meaning:literal; )+
    } $( and $together:ident )?) => {
        impl $crate::json_bank::shape::Part for $type {
            type Held = Self;

            fn form() -> String {
                concat!("[", $name, "](#", $name, ")").to_owned()
            }

            fn decode(
                value: &$crate::wire::json::Json<'_>,
            ) -> Result<Self, $crate::json_bank::shape::Fault> {
                let members = $crate::json_bank::shape::members(value, &[$( $wire ),+])?;
                Ok(Self { $( $field: $crate::json_bank::shape::shape!(@decode $presence members $wire $part), )+ })
            }

            fn check(held: &Self) -> Result<(), $crate::json_bank::shape::Fault> {
                $( $crate::json_bank::shape::shape!(@check $presence held $field $wire $part); )+
                $( $together(held)?; )?
                Ok(())
            }
        }

        impl $crate::json_bank::shape::Shaped for $type {
            fn shape() -> $crate::json_bank::shape::Shape {
                $crate::json_bank::shape::Shape { name: $name, members: vec![ $(
                    $crate::json_bank::shape::MemberRow {
                        name: $wire,
                        form: <$part as $crate::json_bank::shape::Part>::form().into(),
                        is_required: $crate::json_bank::shape::shape!(@is $presence),
                        meaning: $meaning,
                    },
                )+ ] }
            }
        }
    };
    (@decode required $members:ident $wire:literal $part:ty) => {
        $crate::json_bank::shape::required::<$part>($members, $wire)?
    };
    (@decode optional $members:ident $wire:literal $part:ty) => {
        $crate::json_bank::shape::optional::<$part>($members, $wire)?
    };
    (@decode defaulted $members:ident $wire:literal $part:ty) => {
        $crate::json_bank::shape::optional::<$part>($members, $wire)?.unwrap_or_default()
    };
    (@check optional $held:ident $field:ident $wire:literal $part:ty) => {
        $crate::json_bank::shape::check::<$part>(&$held.$field, $wire)?
    };
    (@check $always:ident $held:ident $field:ident $wire:literal $part:ty) => {
        $crate::json_bank::shape::check::<$part>([&$held.$field], $wire)?
    };
    (@is required) => { true };
    (@is optional) => { false };
    (@is defaulted) => { false };
}
pub(crate) use shape;

#[cfg(test)]
mod tests {
    use super::*;

    struct Sample {
        name: String,
        note: Option<String>,
        tags: Vec<String>,
    }

    shape! {
        Sample "sample" {
            name: String = required "name", "its name";
            note: String = optional "note", "a note";
            tags: Vec<String> = defaulted "tags", "tags";
        }
    }

    fn read(text: &str) -> Result<Sample, (String, String)> {
        let json = Json::parse(text.as_bytes()).unwrap();
        Sample::read(&json).map_err(|fault| (fault.pointer, fault.text.into_owned()))
    }

    #[test]
    fn what_may_be_absent_may_be_null() {
        for text in [r#"{"name":"a"}"#, r#"{"name":"a","note":null,"tags":null}"#] {
            let sample = read(text).ok().unwrap();
            assert_eq!((sample.name.as_str(), sample.note, sample.tags.len()), ("a", None, 0), "{text}");
        }
    }

    #[test]
    fn a_fault_is_named_with_its_pointer_and_without_its_value() {
        for (text, pointer, what) in [
            ("[]", "", "is not an object"),
            ("null", "", "is not an object"),
            ("{}", "/name", "is missing"),
            (r#"{"name":null}"#, "/name", "is not a text"),
            (r#"{"name":"a","name":"a"}"#, "/name", "comes twice"),
            (r#"{"name":"a","tags":["b",1]}"#, "/tags/1", "is not a text"),
            (r#"{"name":"a","tags":{}}"#, "/tags", "is not a list"),
            (r#"{"name":"a","nate":1}"#, "", "has a member that does not belong there: nate"),
            (r#"{"name":"a","13039319955":1}"#, "", "has a member that does not belong there"),
        ] {
            assert_eq!(read(text).err(), Some((pointer.to_owned(), what.to_owned())), "{text}");
        }
    }
}
