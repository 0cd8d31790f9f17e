//! The test vectors that Rust, C and Python read alike: `tests/vectors/*.json`.

use serde_json::{Map, Value};

/// One vector: `id`, `comment`, inputs and `expected`.
pub(super) struct Vector(Map<String, Value>);

impl Vector {
    /// The member as a text.
    pub(super) fn text(&self, member: &str) -> String {
        self.0[member].as_str().expect(member).to_owned()
    }

    /// The member as a truth value.
    pub(super) fn truth(&self, member: &str) -> bool {
        self.0[member].as_bool().expect(member)
    }

    /// The member as a text, or `None` where it is null.
    pub(super) fn text_or_null(&self, member: &str) -> Option<String> {
        self.0[member].as_str().map(str::to_owned)
    }
}

/// Every vector of a file.
pub(super) fn read(file: &str) -> Vec<Vector> {
    let path = format!("{}/../tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    let rows: Vec<Map<String, Value>> = serde_json::from_str(&text).expect(&path);
    assert!(!rows.is_empty(), "{path} is empty");
    rows.into_iter().map(Vector).collect()
}
