//! The signing string: compared with one that is built line by line from the draft of HTTP signatures. Input: method,
//! target, names, and a header field in each further line.

use crate::texts;
use xs2a::tools::signing_string;

/// The lines of the draft (section 2.3), or `None` if a name is absent or listed twice.
fn expected(method: &str, target: &str, fields: &[(&str, &[u8])], names: &[&str]) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    for name in names {
        let lower = name.to_ascii_lowercase();
        if lines.iter().any(|line| line.starts_with(&format!("{lower}: "))) {
            return None;
        }
        let values: Vec<String> = fields
            .iter()
            .filter(|(own, _)| own.eq_ignore_ascii_case(name))
            .map(|(_, value)| String::from_utf8_lossy(value.trim_ascii()).into_owned())
            .collect();
        let value = match lower.as_str() {
            "(request-target)" => format!("{} {target}", method.to_ascii_lowercase()),
            _ if values.is_empty() => return None,
            _ => values.join(", "),
        };
        lines.push(format!("{lower}: {value}"));
    }
    Some(lines.join("\n"))
}

pub(super) fn check(input: &[u8]) {
    let Some([method, target, names, rest]) = texts::<4>(input) else { return };
    let names: Vec<&str> = names.split(' ').collect();
    let fields: Vec<(&str, &[u8])> = rest
        .split('\n')
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name, value.as_bytes()))
        .collect();
    if let Ok(signed) = signing_string(method, target, &fields, &names) {
        assert_eq!(Some(signed), expected(method, target, &fields, &names));
    } else if names
        .iter()
        .all(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    {
        assert_eq!(expected(method, target, &fields, &names), None, "{names:?} of {fields:?}");
    }
}
