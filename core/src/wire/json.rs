//! Strict JSON in, compact JSON out.
//!
//! `serde_json` accepts more than a bank should: duplicate members, any depth. A body is therefore read into a
//! tree that keeps every member, so that the faults can be named with their place.

use std::borrow::Cow;
use std::fmt;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde::{Serialize, Serializer};
use serde_path_to_error::{Path, Segment};

use crate::error::{Error, Result};
use crate::limits::JSON_DEPTH_MAX;
use crate::reason::{Case, Reason, Violation};

/// A JSON value that borrows its texts from the body where it can.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number without fraction that fits.
    Integer(i64),
    /// Any other number. Nothing here takes one, so its value is not kept.
    OtherNumber,
    /// A string, escapes resolved.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Json<'a>>),
    /// An object: every member in the order sent, repeated ones included.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

/// Marks the error of a too deep body on its way through `serde_json`.
const TOO_DEEP: &str = "xs2a: too deep";

/// What some editors and languages write before a text in UTF-8; JSON has none (RFC 8259 section 8.1).
const BYTE_ORDER_MARK: char = '\u{FEFF}';

impl<'a> Json<'a> {
    /// Reads a whole body.
    ///
    /// # Errors
    /// [`Reason::BodyNotUtf8`], [`Reason::BodyTooDeep`] or [`Reason::BodyNotJson`], with the place. What is JSON by its
    /// grammar and cannot be read all the same is a case of the last one.
    pub fn parse(body: &'a [u8]) -> std::result::Result<Self, Violation> {
        let text = std::str::from_utf8(body)
            .map_err(|error| Violation::with(Reason::BodyNotUtf8, &[&(error.valid_up_to() + 1)]))?;
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let fault = |error| match text.chars().next() {
            None => Violation { case: Some(Case::BodyEmpty), ..fault(&error) },
            Some(BYTE_ORDER_MARK) => Violation { case: Some(Case::ByteOrderMark), ..fault(&error) },
            Some(_) => fault(&error),
        };
        let value = Seed { depth: 0 }.deserialize(&mut deserializer).map_err(fault)?;
        deserializer.end().map_err(fault)?;
        Ok(value)
    }

    /// Whether it is an array or an object.
    pub fn has_parts(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Object(_))
    }

    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// The member of that name, the first where it is repeated.
    pub fn member(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(found, _)| found == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Whether it is an object with that member, null aside.
    pub fn has_member(&self, name: &str) -> bool {
        match self {
            Self::Object(members) => {
                members.iter().any(|(found, value)| found == name && *value != Self::Null)
            }
            _ => false,
        }
    }
}

/// JSON that this library says itself.
impl Json<'static> {
    /// An object of these members, in their order.
    pub fn object<N: Into<Cow<'static, str>>, V: Into<Self>>(
        members: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        Self::Object(members.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

impl From<&'static str> for Json<'static> {
    fn from(text: &'static str) -> Self {
        Self::String(Cow::Borrowed(text))
    }
}

impl From<String> for Json<'static> {
    fn from(text: String) -> Self {
        Self::String(Cow::Owned(text))
    }
}

impl From<Cow<'static, str>> for Json<'static> {
    fn from(text: Cow<'static, str>) -> Self {
        Self::String(text)
    }
}

impl From<Vec<Self>> for Json<'static> {
    fn from(items: Vec<Self>) -> Self {
        Self::Array(items)
    }
}

/// In the order of its members.
impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::OtherNumber => Err(serde::ser::Error::custom("a number that was not kept")),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}

fn fault(error: &serde_json::Error) -> Violation {
    let text = error.to_string();
    if text.starts_with(TOO_DEEP) {
        return Violation::with(Reason::BodyTooDeep, &[&JSON_DEPTH_MAX]);
    }
    let place: [&dyn fmt::Display; 2] = [&error.line(), &error.column()];
    match case(&text) {
        Some(case) => Violation::of_case(case, &place),
        None => Violation::with(Reason::BodyNotJson, &place),
    }
}

/// The beginnings of the texts of `serde_json` about faults in the grammar; its error has nothing else to distinguish
/// them.
const CASES: [(&str, Case); 3] = [
    ("number out of range", Case::NumberTooLarge),
    ("lone leading surrogate in hex escape", Case::SurrogateUnpaired),
    // It says this only after the first surrogate of a pair.
    ("unexpected end of hex escape", Case::SurrogateUnpaired),
];

fn case(text: &str) -> Option<Case> {
    CASES.iter().find(|(beginning, _)| text.starts_with(beginning)).map(|(_, case)| *case)
}

/// Reads one value at a known depth.
#[derive(Clone, Copy)]
struct Seed {
    depth: usize,
}

impl Seed {
    fn deeper<E: serde::de::Error>(self) -> std::result::Result<Self, E> {
        if self.depth == JSON_DEPTH_MAX {
            return Err(E::custom(TOO_DEEP));
        }
        Ok(Self { depth: self.depth + 1 })
    }
}

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Json<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<Json<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed {
    type Value = Json<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> std::result::Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> std::result::Result<Json<'de>, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> std::result::Result<Json<'de>, E> {
        Ok(Json::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> std::result::Result<Json<'de>, E> {
        Ok(i64::try_from(value).map_or(Json::OtherNumber, Json::Integer))
    }

    fn visit_f64<E>(self, _value: f64) -> std::result::Result<Json<'de>, E> {
        Ok(Json::OtherNumber)
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> std::result::Result<Json<'de>, E> {
        Ok(Json::String(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> std::result::Result<Json<'de>, E> {
        Ok(Json::String(Cow::Owned(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> std::result::Result<Json<'de>, A::Error> {
        let inner = self.deeper()?;
        let mut array = Vec::new();
        while let Some(element) = elements.next_element_seed(inner)? {
            array.push(element);
        }
        Ok(Json::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> std::result::Result<Json<'de>, A::Error> {
        let inner = self.deeper()?;
        let mut object = Vec::new();
        while let Some(name) = members.next_key_seed(Name)? {
            object.push((name, members.next_value_seed(inner)?));
        }
        Ok(Json::Object(object))
    }
}

/// Reads a member's name without copying it where possible.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<Self::Value, D::Error> {
        match (Seed { depth: 0 }).deserialize(deserializer)? {
            Json::String(name) => Ok(name),
            _ => Err(D::Error::custom("a member's name is a string")),
        }
    }
}

/// Enough for most answers and orders, so that the buffer is not moved while it grows.
const INITIAL_BYTES: usize = 1024;

/// Writes a view as compact JSON, without shrinking its buffer, because the text is sent and not kept.
///
/// # Errors
/// [`Error::Internal`]: a view that cannot be written is a bug.
pub(crate) fn write(view: &impl Serialize) -> Result<Vec<u8>> {
    let mut written = Vec::with_capacity(INITIAL_BYTES);
    serde_json::to_writer(&mut written, view).map_err(|error| Error::Internal(format!("JSON: {error}")))?;
    Ok(written)
}

/// As [`write()`], as text.
///
/// # Errors
/// As [`write()`].
pub(crate) fn write_text(view: &impl Serialize) -> Result<String> {
    serde_json::to_string(view).map_err(|error| Error::Internal(format!("JSON: {error}")))
}

const BEGINS_WITH_MARK: &str = "begins with a byte-order mark (U+FEFF), which is no JSON; remove it";

/// Reads the host's own JSON, such as a policy.
///
/// # Errors
/// [`Error::Config`]: of a value that cannot be used with its key, of a text that is no JSON with the place.
pub(crate) fn read_config<T: DeserializeOwned>(text: &str) -> Result<T> {
    if text.starts_with(BYTE_ORDER_MARK) {
        return Err(Error::Config(BEGINS_WITH_MARK.to_owned()));
    }
    // Serde reads a struct from an array too; a host that sends one made a mistake.
    if !text.trim_start().starts_with('{') {
        return Err(Error::Config("not a JSON object".to_owned()));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = serde_path_to_error::deserialize(&mut reader);
    let read = read.map_err(|error| {
        let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
        Error::Config(if is_json { with_key(error.path(), error.inner()) } else { error.inner().to_string() })
    })?;
    reader.end().map_err(|error| Error::Config(error.to_string()))?;
    Ok(read)
}

/// What is wrong with a value, for who may have given it as a keyword of Python: by its key, not by a place in a text,
/// and in no words of Rust.
fn with_key(path: &Path, error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let mut message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
    for (of_rust, plain) in WORDS {
        if let Some(value) = message.strip_suffix(&format!("expected {of_rust}")) {
            message = format!("{value}expected {plain}");
            break;
        }
    }
    let keys = path.iter().map_while(|segment| match segment {
        Segment::Map { key } => Some(key.clone()),
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    let mut keys: Vec<_> = keys.collect();
    if message.starts_with("unknown field") {
        // The text names it.
        keys.pop();
    }
    if keys.is_empty() {
        return message;
    }
    format!("{}: {message}", keys.join("."))
}

/// What serde says it expects, and what it is called in the guides.
const WORDS: &[(&str, &str)] = &[
    ("usize", "a whole number"),
    ("u64", "a whole number"),
    ("u32", "a whole number"),
    ("u16", "a whole number"),
    ("a boolean", "`true` or `false`"),
    ("a string", "a text"),
    // If one of several words is expected.
    ("value", "a text"),
    ("a map", "an object"),
    ("a sequence", "an array"),
];

/// Reads JSON that the host got from others, such as a register; `what` names it in errors.
///
/// # Errors
/// [`Error::Config`] with the place.
pub(crate) fn read_supplied<T: DeserializeOwned>(what: &str, bytes: &[u8]) -> Result<T> {
    if bytes.starts_with(BYTE_ORDER_MARK.encode_utf8(&mut [0; 4]).as_bytes()) {
        return Err(Error::Config(format!("{what}: {BEGINS_WITH_MARK}")));
    }
    serde_json::from_slice(bytes).map_err(|error| Error::Config(format!("{what}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn reason(body: &[u8]) -> Option<Reason> {
        Json::parse(body).err().map(|violation| violation.reason)
    }

    #[test]
    fn a_byte_order_mark_is_named() {
        for body in ["\u{FEFF}{}", "\u{FEFF}", "\u{FEFF} []"] {
            assert_eq!(Json::parse(body.as_bytes()).unwrap_err().case, Some(Case::ByteOrderMark), "{body:?}");
        }
        assert_eq!(Json::parse(b"").unwrap_err().case, Some(Case::BodyEmpty));
        assert_eq!(Json::parse("\"\u{FEFF}\"".as_bytes()), Ok(Json::from("\u{FEFF}")));
        let error = |read: Result<serde_json::Value>| read.unwrap_err().to_string();
        assert!(error(read_config("\u{FEFF}{}")).contains("byte-order mark"));
        assert!(error(read_supplied("register extract", "\u{FEFF}[]".as_bytes()))
            .contains("extract: begins with a byte"));
    }

    fn nested(depth: usize) -> Vec<u8> {
        ["[".repeat(depth), "]".repeat(depth)].concat().into_bytes()
    }

    #[test]
    fn thirty_two_levels_pass_and_thirty_three_do_not() {
        assert_eq!(reason(&nested(JSON_DEPTH_MAX)), None);
        assert_eq!(reason(&nested(JSON_DEPTH_MAX + 1)), Some(Reason::BodyTooDeep));
        assert_eq!(reason(&nested(100_000)), Some(Reason::BodyTooDeep));
    }

    #[test]
    fn a_body_that_is_not_utf8_is_refused_with_the_byte() {
        let violation = Json::parse(b"{\"a\":\"\xFF\"}").unwrap_err();
        assert_eq!(violation, Violation::with(Reason::BodyNotUtf8, &[&7]));
    }

    #[test]
    fn what_is_not_json_is_refused_with_line_and_column() {
        for body in [&b" "[..], b"{", b"{}{}", b"{'a':1}", b"nul", b"\"\\ud8", b"\"\\ud8zz\"", b"[1,]", b"01"]
        {
            let violation = Json::parse(body).unwrap_err();
            let found = (violation.reason, violation.case);
            assert_eq!(found, (Reason::BodyNotJson, None), "{}", String::from_utf8_lossy(body));
        }
        assert_eq!(Json::parse(b"{\n  x").unwrap_err(), Violation::with(Reason::BodyNotJson, &[&2, &3]));
    }

    #[test]
    fn json_by_its_grammar_that_cannot_be_read_is_not_called_something_else() {
        for (body, case, line, column) in [
            ("", Case::BodyEmpty, 1, 0),
            ("[\n 1e309]", Case::NumberTooLarge, 2, 6),
            ("-1e400", Case::NumberTooLarge, 1, 6),
            (r#""\ud800""#, Case::SurrogateUnpaired, 1, 8),
            (r#""\ud800x""#, Case::SurrogateUnpaired, 1, 8),
            (r#""\ud800\u0041""#, Case::SurrogateUnpaired, 1, 13),
            (r#"{"\udc00":1}"#, Case::SurrogateUnpaired, 1, 8),
        ] {
            let expected = Violation::of_case(case, &[&line, &column]);
            assert_eq!(Json::parse(body.as_bytes()).unwrap_err(), expected, "{body}");
        }
        for body in ["1e308", "-1e308", "1e-400", r#""\ud83d\ude00""#] {
            assert_eq!(reason(body.as_bytes()), None, "{body}");
        }
    }

    #[test]
    fn repeated_members_are_kept_for_the_reader_to_name() {
        let Ok(Json::Object(members)) = Json::parse(br#"{"a":1,"a":2}"#) else { panic!("an object") };
        assert_eq!(members.len(), 2);
    }

    #[test]
    fn plain_strings_are_borrowed_and_escaped_ones_resolved() {
        let Ok(Json::Array(items)) = Json::parse(br#"["plain","\u00e6\ud83d\ude00"]"#) else {
            panic!("an array")
        };
        assert!(matches!(&items[0], Json::String(Cow::Borrowed("plain"))));
        assert_eq!(items[1], Json::String("æ😀".into()));
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_parser_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Json::parse(&bytes);
        }
    }
}
