//! JSON whose members are in the order of their names.

use super::tokens::{take_string, DEPTH_MAX};
use crate::limits::EXPLAIN_COPIED_BYTES_MAX;

/// The text with the members of every object sorted by name, without white space between tokens. `None` if it is no
/// JSON, longer than is sorted, or sorted already.
pub(super) fn sorted(text: &str) -> Option<String> {
    (text.len() <= EXPLAIN_COPIED_BYTES_MAX).then_some(())?;
    let mut is_changed = false;
    let mut out = String::with_capacity(text.len());
    let rest = write_value(text.trim_start(), 0, &mut is_changed, &mut out)?;
    (rest.trim_start().is_empty() && is_changed).then_some(out)
}

/// Writes one value; returns what is after it.
fn write_value<'t>(text: &'t str, depth: usize, is_changed: &mut bool, out: &mut String) -> Option<&'t str> {
    (depth <= DEPTH_MAX).then_some(())?;
    if text.starts_with('"') {
        let (string, rest) = take_string(text)?;
        out.push_str(string);
        return Some(rest);
    }
    if let Some(rest) = text.strip_prefix('{') {
        let mut members = Vec::new();
        let rest = each_item(rest, '}', |text| {
            let (name, rest) = take_string(text)?;
            let mut value = String::new();
            let rest = rest.trim_start().strip_prefix(':')?;
            let rest = write_value(rest.trim_start(), depth + 1, is_changed, &mut value)?;
            members.push((name, value));
            Some(rest)
        })?;
        *is_changed |= !members.is_sorted_by_key(|(name, _)| *name);
        members.sort_by_key(|(name, _)| *name);
        let members: Vec<String> = members.iter().map(|(name, value)| format!("{name}:{value}")).collect();
        out.push_str(&format!("{{{}}}", members.join(",")));
        return Some(rest);
    }
    if let Some(rest) = text.strip_prefix('[') {
        let mut items = Vec::new();
        let rest = each_item(rest, ']', |text| {
            let mut value = String::new();
            let rest = write_value(text, depth + 1, is_changed, &mut value)?;
            items.push(value);
            Some(rest)
        })?;
        out.push_str(&format!("[{}]", items.join(",")));
        return Some(rest);
    }
    let end = text.find(|c: char| ",:{}[]\"".contains(c) || c.is_ascii_whitespace()).unwrap_or(text.len());
    let (scalar, rest) = text.split_at_checked(end)?;
    (!scalar.is_empty()).then_some(())?;
    out.push_str(scalar);
    Some(rest)
}

/// Reads items up to the closing bracket; returns what is after it.
fn each_item<'t>(
    text: &'t str,
    end: char,
    mut read: impl FnMut(&'t str) -> Option<&'t str>,
) -> Option<&'t str> {
    let mut rest = text.trim_start();
    if let Some(after) = rest.strip_prefix(end) {
        return Some(after);
    }
    loop {
        rest = read(rest)?.trim_start();
        if let Some(after) = rest.strip_prefix(end) {
            return Some(after);
        }
        rest = rest.strip_prefix(',')?.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_sorted_at_every_level() {
        let text = r#"{"b": {"d": 1, "c": [ {"z":1,"y":"}"} ]}, "a": null}"#;
        assert_eq!(sorted(text).as_deref(), Some(r#"{"a":null,"b":{"c":[{"y":"}","z":1}],"d":1}}"#));
        assert_eq!(sorted(r#"{"a":1,"b":2}"#), None);
    }

    #[test]
    fn what_is_no_json_is_not_sorted() {
        for text in ["", "{", "{\"b\"}", "{\"b\":1,\"a\":}", "[1", "{\"b\":1,\"a\":2} x", &"[".repeat(1000)] {
            assert_eq!(sorted(text), None, "{text}");
        }
    }
}
