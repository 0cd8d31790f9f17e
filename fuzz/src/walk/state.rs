//! An exported state with something in it, and changes of it.

use serde_json::Value;

use super::{Step, Walk};
use crate::chunks;

impl Walk {
    /// The state after a payment that was executed, two that wait for their PSU, and a consent; made once and then kept
    /// until [`Walk::leave`].
    pub fn lived_in(&mut self) -> String {
        if self.payments.is_empty() {
            self.restore();
            let create = |accounts| Step::Create {
                product: 0,
                accounts,
                hundredths: 25_000 + u32::from(accounts),
                before: Vec::new(),
                after: Vec::new(),
            };
            let answer = Step::Answer { link: 0, person: false, approve: true };
            let basket = Step::Basket { payments: 1, before: Vec::new() };
            for step in
                [create(6), answer, Step::Consent { before: Vec::new() }, create(7), create(8), basket]
            {
                self.step(&step);
            }
        }
        self.sandbox.export_json().expect("a state")
    }

    /// The next [`Walk::lived_in`] begins again.
    pub fn leave(&mut self) {
        self.payments.clear();
    }

    /// A state with changes: what begins with a brace is a state itself. Otherwise the first byte chooses whether
    /// values are replaced or bytes; each chunk after it is the place of a change, in two bytes, and what is put
    /// there.
    pub fn changed_state(state: &str, input: &[u8]) -> Option<String> {
        let (chosen, rest) = input.split_first()?;
        let changes = chunks(rest).take(8).filter_map(|chunk| {
            let (place, text) = chunk.split_first_chunk::<2>()?;
            Some((usize::from(u16::from_be_bytes(*place)), text))
        });
        match chosen {
            b'{' => String::from_utf8(input.to_vec()).ok(),
            chosen if chosen % 2 == 0 => {
                let mut tree: Value = serde_json::from_str(state).expect("JSON");
                for (place, text) in changes {
                    let text = String::from_utf8_lossy(text);
                    let value = serde_json::from_str(&text).unwrap_or_else(|_| Value::from(text));
                    let leaves = count(&tree);
                    put(&mut tree, &mut (place % leaves), value);
                }
                Some(tree.to_string())
            }
            _ => {
                let mut bytes = state.as_bytes().to_vec();
                for (place, text) in changes {
                    // Places are spread over the whole text, which is longer than two bytes can count.
                    let start = place.checked_mul(bytes.len())? >> 16;
                    let end = (start + text.len()).min(bytes.len());
                    bytes.splice(start..end, text.iter().copied());
                }
                String::from_utf8(bytes).ok()
            }
        }
    }
}

/// How many values a tree has that are neither arrays nor objects with parts.
fn count(value: &Value) -> usize {
    match value {
        Value::Object(members) => members.values().map(count).sum::<usize>().max(1),
        Value::Array(items) => items.iter().map(count).sum::<usize>().max(1),
        _ => 1,
    }
}

/// Replaces the n-th of them.
fn put(tree: &mut Value, left: &mut usize, value: Value) -> Option<Value> {
    let parts: Vec<&mut Value> = match tree {
        Value::Object(members) if !members.is_empty() => members.values_mut().collect(),
        Value::Array(items) if !items.is_empty() => items.iter_mut().collect(),
        _ if *left == 0 => {
            *tree = value;
            return None;
        }
        _ => {
            *left -= 1;
            return Some(value);
        }
    };
    let mut kept = Some(value);
    for part in parts {
        kept = put(part, left, kept.take()?);
    }
    kept
}
