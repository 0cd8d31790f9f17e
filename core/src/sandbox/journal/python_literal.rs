//! Values as Python writes them.

/// Text as a literal. What a reader could not see, or would read in another order, is escaped.
pub(super) fn text(text: &str) -> String {
    // JSON stays readable.
    let quote = if text.contains('"') && !text.contains('\'') { '\'' } else { '"' };
    let mut literal = String::from(quote);
    for c in text.chars() {
        match c {
            c if c == quote => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            c if c.is_ascii_graphic() || c == ' ' || (!c.is_ascii() && c.is_alphanumeric()) => {
                literal.push(c)
            }
            c if u32::from(c) <= 0xFFFF => literal.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => literal.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    literal.push(quote);
    literal
}

/// Bytes as an expression: readable text is encoded, everything else is a literal of bytes.
pub(super) fn bytes(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(given) if !given.is_ascii() => format!("{}.encode()", text(given)),
        Ok(given) if !given.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) => {
            format!("b{}", text(given))
        }
        _ => {
            let escaped: String = bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect();
            format!("b\"{escaped}\"")
        }
    }
}

/// Whether.
pub(super) fn truth(whether: bool) -> &'static str {
    if whether {
        "True"
    } else {
        "False"
    }
}

/// A list of texts.
pub(super) fn texts<'t>(given: impl IntoIterator<Item = &'t String>) -> String {
    let items: Vec<String> = given.into_iter().map(|item| text(item)).collect();
    format!("[{}]", items.join(", "))
}

/// What may be absent.
pub(super) fn or_none(given: Option<String>) -> String {
    given.unwrap_or_else(|| "None".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_so_that_they_stay_readable_and_end_where_they_end() {
        for (given, expected) in [
            ("", r#""""#),
            ("a b", r#""a b""#),
            (r#"{"a": 1}"#, r#"'{"a": 1}'"#),
            (r#"it's "so""#, r#""it's \"so\"""#),
            ("it's", r#""it's""#),
            ("a\\n\r\t", r#""a\\n\r\t""#),
            ("blåbær", "\"blåbær\""),
            ("\0\u{7f}\u{202e}\u{1f600}", r#""\u0000\u007f\u202e\U0001f600""#),
        ] {
            assert_eq!(text(given), expected);
        }
    }

    #[test]
    fn bytes_are_read_as_text_where_they_are_text() {
        for (given, expected) in [
            (&b""[..], r#"b"""#),
            (br#"{"a":1}"#, r#"b'{"a":1}'"#),
            ("æ".as_bytes(), "\"æ\".encode()"),
            (b"a\0", r#"b"\x61\x00""#),
            (b"\xe6", r#"b"\xe6""#),
        ] {
            assert_eq!(bytes(given), expected);
        }
    }

    #[test]
    fn lists_and_what_is_absent() {
        assert_eq!(texts(&["a".to_owned(), "b".to_owned()]), r#"["a", "b"]"#);
        assert_eq!((or_none(None), truth(true), truth(false)), ("None".to_owned(), "True", "False"));
    }
}
