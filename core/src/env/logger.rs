//! Where an engine's log goes. Its records hold no data of a PSU and no key.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::error::{escaped_line, must_be_escaped};
use crate::wire::json;

/// The severity of a line of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LogLevel {
    /// For finding a bug of this library.
    Trace,
    /// For finding a fault of the host.
    Debug,
    /// Information for an operator.
    Info,
    /// An operator should look at it.
    Warn,
    /// Something failed.
    Error,
}

impl LogLevel {
    /// The level in lower case, such as `error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for LogLevel {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// The value of a field of a log record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum LogValue {
    /// A text, which may hold any character: a TPP's certificate may be its source.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// `true` or `false`.
    Boolean(bool),
}

/// A text in quotes, with quotes, backslashes, controls and invisible characters escaped.
impl fmt::Display for LogValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(out, "{text:?}"),
            Self::Integer(number) => write!(out, "{number}"),
            Self::Boolean(value) => write!(out, "{value}"),
        }
    }
}

/// What an engine logs at one place of its code.
///
/// `Display` writes one line: the message, and each field as ` name=value`. Texts are in quotes, so no text can end its
/// field or the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogRecord {
    level: LogLevel,
    target: &'static str,
    message: String,
    fields: Vec<(&'static str, LogValue)>,
}

impl LogRecord {
    pub(crate) fn new(
        level: LogLevel,
        target: &'static str,
        message: &str,
        fields: Vec<(&'static str, LogValue)>,
    ) -> Self {
        Self { level, target, message: escaped_line(message).into_owned(), fields }
    }

    /// The severity.
    #[must_use]
    pub fn level(&self) -> LogLevel {
        self.level
    }

    /// The part of the library that logs, such as `xs2a::engine::deliver`.
    #[must_use]
    pub fn target(&self) -> &'static str {
        self.target
    }

    /// What happened: the same text each time, in one line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Names and values, each name once. A name and its meaning stay the same from version to version.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, &LogValue)> {
        self.fields.iter().map(|(name, value)| (*name, value))
    }

    /// The fields as a JSON object in one line. It has no line break of Unicode and no control character.
    #[must_use]
    pub fn fields_json(&self) -> String {
        // A map of texts and numbers always has a JSON form.
        let written = json::write_text(&Fields(&self.fields)).unwrap_or_default();
        match written.contains(must_be_escaped) {
            true => written.chars().map(in_json).collect(),
            false => written,
        }
    }
}

impl fmt::Display for LogRecord {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)?;
        self.fields().try_for_each(|(name, value)| write!(out, " {name}={value}"))
    }
}

struct Fields<'r>(&'r [(&'static str, LogValue)]);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// JSON allows these characters in a string as they are; the reader of a log may end a line at them. All are below
/// U+10000.
fn in_json(character: char) -> String {
    match must_be_escaped(character) {
        true => format!("\\u{:04x}", u32::from(character)),
        false => character.to_string(),
    }
}

/// Takes the records that one engine logs. Without one they go to the host's subscriber of the crate
/// `tracing`.
///
/// It is called on the thread of the call that logs, before that call returns. It may call an engine; what this engine
/// logs is dropped, and so are the logger's own events through `tracing`. If it panics, that record is lost.
pub trait Logger: Send + Sync {
    /// The lowest level that is logged; called once, when the engine is built.
    fn level(&self) -> LogLevel {
        LogLevel::Info
    }

    /// Takes a record.
    fn log(&self, record: &LogRecord);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> LogRecord {
        let fields = vec![
            ("subject", LogValue::Text(text.to_owned())),
            ("attempt", LogValue::Integer(3)),
            ("is_last", LogValue::Boolean(true)),
        ];
        LogRecord::new(LogLevel::Warn, "xs2a::here", "it failed", fields)
    }

    #[test]
    fn a_value_cannot_forge_a_field_or_a_line() {
        for (text, line, json) in [
            ("Acme", r#""Acme""#, r#""Acme""#),
            ("a b=\"c\" \\", r#""a b=\"c\" \\""#, r#""a b=\"c\" \\""#),
            ("x\r\nERROR y=1", r#""x\r\nERROR y=1""#, r#""x\r\nERROR y=1""#),
            ("\",\"tpp\":\"y", r#""\",\"tpp\":\"y""#, r#""\",\"tpp\":\"y""#),
            (
                "\u{85}\u{2028}\u{2029}\u{7f}",
                r#""\u{85}\u{2028}\u{2029}\u{7f}""#,
                r#""\u0085\u2028\u2029\u007f""#,
            ),
            ("\u{1b}[2J", r#""\u{1b}[2J""#, r#""\u001b[2J""#),
            ("Blåbær 蓝", r#""Blåbær 蓝""#, r#""Blåbær 蓝""#),
        ] {
            let record = record(text);
            assert_eq!(record.to_string(), format!("it failed subject={line} attempt=3 is_last=true"));
            assert_eq!(record.fields_json(), format!(r#"{{"subject":{json},"attempt":3,"is_last":true}}"#));
            let read: serde_json::Value = serde_json::from_str(&record.fields_json()).unwrap();
            assert_eq!(read["subject"], text);
        }
    }

    #[test]
    fn a_message_is_one_line() {
        let record = LogRecord::new(LogLevel::Info, "elsewhere", "two\nlines", Vec::new());
        assert_eq!((record.message(), record.to_string().as_str()), (r"two\nlines", r"two\nlines"));
        assert_eq!(record.fields_json(), "{}");
    }
}
