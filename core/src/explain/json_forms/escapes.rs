//! How programs write the characters of JSON strings.

/// Which characters are escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::explain) enum Escapes {
    /// As in the text.
    Kept,
    /// Only what JSON requires: JavaScript, Jackson, Newtonsoft.Json.
    Required,
    /// All that is not ASCII, in lower-case digits: Python, Ruby.
    Ascii,
    /// Slashes, and all that is not ASCII: PHP.
    SlashesAndAscii,
    /// Slashes: PHP with unescaped Unicode, json-c.
    Slashes,
    /// `<`, `>` and `&`: Go.
    Html,
    /// `<`, `>`, `&`, `=` and `'`: Gson.
    HtmlAndQuotes,
    /// All that is not ASCII, and what HTML gives a meaning, in upper-case digits: System.Text.Json.
    AsciiUpper,
}

impl Escapes {
    /// Every one, the most frequent first.
    pub(in crate::explain) const ALL: [Self; 8] = [
        Self::Kept,
        Self::Required,
        Self::Ascii,
        Self::SlashesAndAscii,
        Self::Html,
        Self::AsciiUpper,
        Self::Slashes,
        Self::HtmlAndQuotes,
    ];

    /// Writes a string that is quoted in the text.
    pub(super) fn write(self, string: &str, out: &mut String) {
        match self {
            Self::Kept => out.push_str(string),
            _ => self.quote(&unquoted(string), out),
        }
    }

    fn quote(self, text: &str, out: &mut String) {
        out.push('"');
        text.chars().for_each(|character| self.push(character, out));
        out.push('"');
    }

    fn push(self, character: char, out: &mut String) {
        match character {
            '"' if self == Self::AsciiUpper => out.push_str("\\u0022"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '/' if matches!(self, Self::Slashes | Self::SlashesAndAscii) => out.push_str("\\/"),
            '\0'..='\u{1f}' => self.push_unit(character, out),
            _ if self.escapes(character) => self.push_unit(character, out),
            _ => out.push(character),
        }
    }

    fn escapes(self, character: char) -> bool {
        match self {
            Self::Kept | Self::Required | Self::Slashes => false,
            Self::Ascii | Self::SlashesAndAscii => !character.is_ascii(),
            Self::Html => "<>&\u{2028}\u{2029}".contains(character),
            Self::HtmlAndQuotes => "<>&='\u{2028}\u{2029}".contains(character),
            Self::AsciiUpper => !character.is_ascii() || "<>&'+`".contains(character),
        }
    }

    fn push_unit(self, character: char, out: &mut String) {
        for unit in character.encode_utf16(&mut [0; 2]) {
            out.push_str("\\u");
            for shift in [12, 8, 4, 0] {
                let digit = char::from_digit(u32::from(*unit >> shift & 0xf), 16).unwrap_or_default();
                out.push(if self == Self::AsciiUpper { digit.to_ascii_uppercase() } else { digit });
            }
        }
    }
}

/// A text as a JSON string, with the escapes that JSON requires.
pub(in crate::explain) fn quoted(text: &str, escapes: Escapes) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    escapes.quote(text, &mut out);
    out
}

/// The text of a quoted string. Escapes that are none are left out.
pub(in crate::explain) fn unquoted(string: &str) -> String {
    let inner = string.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(string);
    let mut text = String::with_capacity(inner.len());
    let mut units: Vec<u16> = Vec::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        let escaped = if character == '\\' { characters.next() } else { None };
        if escaped == Some('u') {
            let digits: String = characters.by_ref().take(4).collect();
            units.extend(u16::from_str_radix(&digits, 16));
            continue;
        }
        text.extend(char::decode_utf16(units.drain(..)).map(|unit| unit.unwrap_or('\u{fffd}')));
        text.push(match escaped {
            None => character,
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some(other) => other,
        });
    }
    text.extend(char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_is_read_again() {
        let text = "a\"\\/\n\u{1}å<>&='+`\u{2028}😀";
        for escapes in Escapes::ALL {
            assert_eq!(unquoted(&quoted(text, escapes)), text, "{escapes:?}");
        }
        assert_eq!(quoted("å😀/", Escapes::SlashesAndAscii), r#""\u00e5\ud83d\ude00\/""#);
        assert_eq!(quoted("å+\"", Escapes::AsciiUpper), r#""\u00E5\u002B\u0022""#);
    }

    #[test]
    fn escapes_that_are_none_do_not_panic() {
        for text in ["\\", "\\u", "\\u12", "\\ud83d", "\\uzzzz\\x", "\"", ""] {
            let _ = unquoted(text);
        }
    }
}
