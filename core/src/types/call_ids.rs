//! The ids by which a call is found in other systems: the trace of W3C Trace Context, and the gateway's own id.

use std::fmt::{self, Debug, Display};

use super::inline_ascii::InlineAscii;
use crate::error::{Error, Result};

/// The longest correlation id, in characters.
pub const CORRELATION_ID_CHARS_MAX: usize = 64;

/// The length of a `traceparent` of version 00, in characters.
const TRACE_PARENT_CHARS: usize = 55;

/// The ids of a call. They are passed to the bank with each question, and are in each line of log and audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CallIds {
    /// The header `traceparent`, if the request has a valid one.
    pub traceparent: Option<TraceParent>,
    /// The id that the gateway gave to the call.
    pub correlation_id: Option<CorrelationId>,
}

impl CallIds {
    /// Returns true if the call has neither id.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A gateway's own id of a call: 1 to 64 visible ASCII characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CorrelationId(InlineAscii<CORRELATION_ID_CHARS_MAX>);

impl CorrelationId {
    /// The id of that text.
    ///
    /// # Errors
    /// [`Error::Misuse`] for another text: the id is written into log lines.
    pub fn new(text: &str) -> Result<Self> {
        let is_visible = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        let id = is_visible.then(|| InlineAscii::copy(text)).flatten();
        id.map(Self).ok_or_else(|| {
            Error::Misuse(format!(
                "a correlation id has 1 to {CORRELATION_ID_CHARS_MAX} visible ASCII characters"
            ))
        })
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// The trace that a call belongs to, as version 00 of W3C Trace Context writes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TraceParent(InlineAscii<TRACE_PARENT_CHARS>);

impl TraceParent {
    /// Reads the value of the header `traceparent`. `None` for a value that the recommendation has a receiver ignore.
    ///
    /// Of a version above 00 it takes the members of 00, and of its flags only `sampled`, as section 3.2.4 requires:
    /// the other bits have no meaning in 00.
    pub fn parse(value: &str) -> Option<Self> {
        let bytes = value.as_bytes();
        let version = lower_hex(bytes.get(..2)?)?;
        let is_whole = match (version, bytes.get(TRACE_PARENT_CHARS)) {
            (0xff, _) => false,
            (_, None) => bytes.len() == TRACE_PARENT_CHARS,
            (version, Some(next)) => version > 0 && *next == b'-',
        };
        let has_dashes = [2, 35, 52].iter().all(|place| bytes.get(*place) == Some(&b'-'));
        let (trace_id, parent_id) = (bytes.get(3..35)?, bytes.get(36..52)?);
        let flags = lower_hex(bytes.get(53..TRACE_PARENT_CHARS)?)?;
        if !(is_whole && has_dashes && is_id(trace_id) && is_id(parent_id)) {
            return None;
        }
        let flags = if version == 0 { flags } else { flags & 1 };
        let mut text = InlineAscii::copy("00")?;
        text.append(value.get(2..53)?)?;
        text.append(&format!("{flags:02x}"))?;
        Some(Self(text))
    }

    /// The value of the header.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// Two hexadecimal digits, of which the letters are lower-case.
fn lower_hex(digits: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(digits).ok().filter(|_| digits.iter().all(is_lower_hex))?;
    u8::from_str_radix(text, 16).ok()
}

fn is_lower_hex(byte: &u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// An id of zeros only is invalid.
fn is_id(digits: &[u8]) -> bool {
    digits.iter().all(is_lower_hex) && digits.iter().any(|digit| *digit != b'0')
}

macro_rules! shown_as_text {
    ($($type:ident)+) => { $(
        impl Display for $type {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(self.as_str())
            }
        }

        impl Debug for $type {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(out, concat!(stringify!($type), "({})"), self)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
                out.serialize_str(self.as_str())
            }
        }
    )+ };
}

shown_as_text! { CorrelationId TraceParent }

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    /// The same between version and flags.
    const IDS: &str = "-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-";

    #[test]
    fn a_correlation_id_has_1_to_64_visible_characters() {
        let longest = "~".repeat(CORRELATION_ID_CHARS_MAX);
        for text in ["x", "gw-1/7", longest.as_str()] {
            assert_eq!(CorrelationId::new(text).unwrap().as_str(), text);
        }
        for text in ["", " ", "a b", "a\n", "å", "\u{7f}", &format!("{longest}~")] {
            assert!(matches!(CorrelationId::new(text), Err(Error::Misuse(_))), "{text:?}");
        }
    }

    #[test]
    fn a_traceparent_of_version_00_is_kept_as_it_is() {
        for flags in ["00", "01", "02", "ff"] {
            let value = format!("00{IDS}{flags}");
            assert_eq!(TraceParent::parse(&value).unwrap().as_str(), value);
        }
    }

    #[test]
    fn of_a_higher_version_the_members_of_version_00_are_taken() {
        for version in ["01", "cc", "fe"] {
            for rest in ["", "-", "-what-the-future-will-be-like"] {
                for (flags, kept) in [("01", "01"), ("03", "01"), ("fe", "00")] {
                    let value = format!("{version}{IDS}{flags}{rest}");
                    let expected = format!("00{IDS}{kept}");
                    assert_eq!(TraceParent::parse(&value).unwrap().as_str(), expected, "{value}");
                }
            }
        }
    }

    #[test]
    fn a_malformed_traceparent_is_ignored() {
        let replaced = |place: usize, by: &str| {
            let mut value = TRACE.to_owned();
            value.replace_range(place..place + by.len(), by);
            value
        };
        let mut values = vec![
            String::new(),
            format!("00{IDS}0"),
            format!("{TRACE}-"),
            format!("{TRACE}0"),
            format!("{TRACE}, {TRACE}"),
            format!("cc{IDS}01."),
            format!("cc{IDS}01, {TRACE}"),
            TRACE.to_uppercase(),
            "é".repeat(30),
        ];
        values.push(replaced(0, "ff"));
        values.push(replaced(3, &"0".repeat(32)));
        values.push(replaced(36, &"0".repeat(16)));
        for place in 0..TRACE.len() {
            let wrong = if TRACE.as_bytes()[place] == b'-' { "_" } else { "g" };
            values.push(replaced(place, wrong));
            values.push(replaced(place, "A"));
            values.push(replaced(place, "+"));
        }
        for value in values {
            assert_eq!(TraceParent::parse(&value), None, "{value}");
        }
    }
}
