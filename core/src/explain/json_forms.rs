//! JSON as other programs write it: the same values with other white space, escapes and order.
//!
//! A body is rewritten token by token, without a tree: what is not JSON comes out as something that was not hashed.

use std::borrow::Cow;

use crate::limits::{EXPLAIN_BODY_BYTES_MAX, EXPLAIN_COPIED_BYTES_MAX};

mod escapes;
mod sorted;
mod tokens;

pub(super) use escapes::{quoted, unquoted, Escapes};
use tokens::{take_string, DEPTH_MAX};

/// How white space is put between tokens.
#[derive(Debug, Clone, Copy)]
struct Spacing {
    /// Before each level; `None` for a text of one line.
    indent: Option<&'static str>,
    newline: &'static str,
    comma: &'static str,
    colon: &'static str,
    /// Jackson writes arrays in one line, with spaces inside brackets.
    has_arrays_inline: bool,
}

const COMPACT: Spacing =
    Spacing { indent: None, newline: "", comma: ",", colon: ":", has_arrays_inline: false };

const fn pretty(indent: &'static str, newline: &'static str) -> Spacing {
    Spacing { indent: Some(indent), newline, comma: ",", colon: ": ", has_arrays_inline: false }
}

/// As programs write JSON, the most frequent first.
const SPACINGS: [Spacing; 11] = [
    COMPACT,
    // Python: json.dumps.
    Spacing { comma: ", ", colon: ": ", ..COMPACT },
    // JavaScript, Gson, Newtonsoft.Json and System.Text.Json on Linux.
    pretty("  ", "\n"),
    // PHP, Python with indent=4.
    pretty("    ", "\n"),
    // .NET on Windows.
    pretty("  ", "\r\n"),
    pretty("    ", "\r\n"),
    pretty("\t", "\n"),
    // Jackson.
    Spacing { colon: " : ", has_arrays_inline: true, ..pretty("  ", "\n") },
    Spacing { colon: " : ", has_arrays_inline: true, ..pretty("  ", "\r\n") },
    Spacing { comma: ",", colon: ": ", ..COMPACT },
    // Python 2 with indent.
    Spacing { comma: ", ", ..pretty("  ", "\n") },
];

/// Calls `visit` with each form of a JSON text until it returns false. Returns whether it never did.
pub(super) fn each(body: &[u8], visit: &mut dyn FnMut(&[u8]) -> bool) -> bool {
    let Ok(text) = std::str::from_utf8(body) else { return true };
    if body.len() > EXPLAIN_BODY_BYTES_MAX || !text.trim_start().starts_with(['{', '[']) {
        return true;
    }
    let sorted = sorted::sorted(text);
    [Some(Cow::Borrowed(text)), sorted.map(Cow::Owned)].into_iter().flatten().all(|text| {
        let escapes = distinct_escapes(&text);
        SPACINGS.iter().all(|spacing| {
            escapes.iter().all(|escapes| {
                let Some(mut form) = rewritten(&text, *spacing, *escapes) else { return true };
                visit(form.as_bytes())
                    && {
                        form.push('\n');
                        visit(form.as_bytes())
                    }
                    && {
                        form.insert(form.len() - 1, '\r');
                        visit(form.as_bytes())
                    }
            })
        })
    })
}

/// The escapes that make a difference to this text; of a long one all, because each form of it takes time and memory.
fn distinct_escapes(text: &str) -> Vec<Escapes> {
    if text.len() > EXPLAIN_COPIED_BYTES_MAX {
        return Escapes::ALL.to_vec();
    }
    let mut forms: Vec<String> = Vec::new();
    let mut distinct = Vec::new();
    for escapes in Escapes::ALL {
        let form = rewritten(text, COMPACT, escapes).unwrap_or_default();
        if !forms.contains(&form) {
            forms.push(form);
            distinct.push(escapes);
        }
    }
    distinct
}

/// What is open at a place of the text.
struct Writer {
    out: String,
    spacing: Spacing,
    /// Whether each open bracket is that of an array.
    open: Vec<bool>,
}

impl Writer {
    fn new_line(&mut self) {
        let Some(indent) = self.spacing.indent else { return };
        self.out.push_str(self.spacing.newline);
        // Jackson does not indent for an array that it writes in one line.
        let is_level = |is_array: &&bool| !(self.spacing.has_arrays_inline && **is_array);
        for _ in self.open.iter().filter(is_level) {
            self.out.push_str(indent);
        }
    }

    fn is_inline(&self) -> bool {
        self.spacing.has_arrays_inline && self.open.last() == Some(&true)
    }

    fn break_or_space(&mut self) {
        match self.is_inline() {
            true => self.out.push(' '),
            false => self.new_line(),
        }
    }

    fn begin(&mut self, bracket: char) {
        self.out.push(bracket);
        self.open.push(bracket == '[');
        self.break_or_space();
    }

    fn end(&mut self, bracket: char) {
        let is_inline = self.is_inline();
        self.open.pop();
        match is_inline {
            true => self.out.push(' '),
            false => self.new_line(),
        }
        self.out.push(bracket);
    }

    fn empty(&mut self, begin: char, end: char) {
        self.out.push(begin);
        if self.spacing.has_arrays_inline {
            self.out.push(' ');
        }
        self.out.push(end);
    }

    fn comma(&mut self) {
        self.out.push_str(self.spacing.comma);
        self.break_or_space();
    }
}

/// The text with other white space and escapes; `None` if it is nested too deeply, or becomes too long.
fn rewritten(text: &str, spacing: Spacing, escapes: Escapes) -> Option<String> {
    let mut writer = Writer { out: String::with_capacity(text.len() + 64), spacing, open: Vec::new() };
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let after = rest.get(first.len_utf8()..)?;
        rest = match first {
            '{' | '[' => {
                let end = if first == '{' { '}' } else { ']' };
                match after.trim_start().strip_prefix(end) {
                    Some(after) => {
                        writer.empty(first, end);
                        after
                    }
                    None => {
                        writer.begin(first);
                        after
                    }
                }
            }
            '}' | ']' => {
                writer.end(first);
                after
            }
            ',' => {
                writer.comma();
                after
            }
            ':' => {
                writer.out.push_str(spacing.colon);
                after
            }
            '"' => {
                let (string, after) = take_string(rest)?;
                escapes.write(string, &mut writer.out);
                after
            }
            _ => {
                let end = rest.find(|c: char| ",:{}[]\"".contains(c) || c.is_ascii_whitespace());
                let (scalar, after) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
                writer.out.push_str(scalar);
                after
            }
        }
        .trim_start();
        let fits = writer.open.len() <= DEPTH_MAX && writer.out.len() <= 2 * EXPLAIN_BODY_BYTES_MAX;
        fits.then_some(())?;
    }
    Some(writer.out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(body: &str) -> Vec<String> {
        let mut forms = Vec::new();
        each(body.as_bytes(), &mut |form| {
            forms.push(String::from_utf8(form.to_vec()).unwrap());
            true
        });
        forms
    }

    #[test]
    fn the_forms_of_frequent_programs_are_among_them() {
        let forms = forms("{ \"b\": [1, {\"c\":\"å/<\"}], \"a\": {}, \"d\": [] }");
        for form in [
            "{\"b\":[1,{\"c\":\"å/<\"}],\"a\":{},\"d\":[]}",
            "{\"b\": [1, {\"c\": \"\\u00e5/<\"}], \"a\": {}, \"d\": []}",
            "{\n  \"b\": [\n    1,\n    {\n      \"c\": \"å/<\"\n    }\n  ],\n  \"a\": {},\n  \"d\": []\n}",
            "{\r\n  \"b\": [\r\n    1,\r\n    {\r\n      \"c\": \"å/<\"\r\n    }\r\n  ],\r\n  \"a\": {},\r\n  \
             \"d\": []\r\n}",
            "{\n  \"b\" : [ 1, {\n    \"c\" : \"å/<\"\n  } ],\n  \"a\" : { },\n  \"d\" : [ ]\n}",
            "{\"b\":[1,{\"c\":\"\\u00e5\\/<\"}],\"a\":{},\"d\":[]}",
            "{\"b\":[1,{\"c\":\"å/\\u003c\"}],\"a\":{},\"d\":[]}\n",
            "{\"a\":{},\"b\":[1,{\"c\":\"å/<\"}],\"d\":[]}",
            "{\"a\": {}, \"b\": [1, {\"c\": \"\\u00e5/<\"}], \"d\": []}",
        ] {
            assert!(forms.iter().any(|found| found == form), "{form}\n{forms:#?}");
        }
    }

    #[test]
    fn a_body_of_brackets_is_left_alone() {
        assert!(forms(&"[".repeat(1 << 20)).is_empty());
        assert!(forms(&"[[],".repeat(1 << 18)).is_empty());
        assert!(forms("text").is_empty());
    }
}
