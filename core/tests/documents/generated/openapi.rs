//! The interface as an OpenAPI document.

use serde_json::Value;
use xs2a::internal::{document, Json};
use xs2a::policy::Environment;

/// A value that fits into one line is printed in one line.
const LINE_CHARS_MAX: usize = 110;

pub(crate) fn page() -> String {
    laid_out(&document(Environment::Sandbox, ""), 0) + "\n"
}

/// JSON as a human reads it: what is short stays together.
fn laid_out(json: &Json<'_>, depth: usize) -> String {
    let short = serde_json::to_string(json).expect("JSON");
    if short.len() + 2 * depth <= LINE_CHARS_MAX {
        return short;
    }
    let (inner, outer) = ("  ".repeat(depth + 1), "  ".repeat(depth));
    let name = |name: &str| Value::from(name).to_string();
    let (open, lines, close): (_, Vec<String>, _) = match json {
        Json::Object(members) => {
            let lines =
                members.iter().map(|(key, value)| format!("{}: {}", name(key), laid_out(value, depth + 1)));
            ('{', lines.collect(), '}')
        }
        Json::Array(items) if !items.iter().any(Json::has_parts) => ('[', filled(items, depth), ']'),
        Json::Array(items) => ('[', items.iter().map(|item| laid_out(item, depth + 1)).collect(), ']'),
        _ => return short,
    };
    format!("{open}\n{inner}{}\n{outer}{close}", lines.join(&format!(",\n{inner}")))
}

/// Texts and numbers in as few lines as hold them.
fn filled(items: &[Json<'_>], depth: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        let item = serde_json::to_string(item).expect("JSON");
        match lines.last_mut() {
            Some(line) if line.len() + item.len() + 2 * depth < LINE_CHARS_MAX => {
                line.push_str(", ");
                line.push_str(&item);
            }
            _ => lines.push(item),
        }
    }
    lines
}
