//! The header fields of a message.

use std::sync::Arc;

/// The header fields of a message in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields(Vec<(String, Arc<[u8]>)>);

impl Fields {
    /// Name and value of each.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_ref()))
    }

    /// The value of the first field of that name, where it is text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        let found = self.iter().find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.and_then(|(_, value)| std::str::from_utf8(value).ok())
    }
}

impl FromIterator<(String, Arc<[u8]>)> for Fields {
    fn from_iter<I: IntoIterator<Item = (String, Arc<[u8]>)>>(fields: I) -> Self {
        Self(fields.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_field_of_a_name_counts_though_it_is_no_text() {
        let of = |fields: [(&str, &[u8]); 2]| -> Fields {
            fields.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
        };
        assert_eq!(of([("A", b"\xff"), ("a", b"1")]).text("a"), None);
        assert_eq!(of([("b", b"\xff"), ("A", b"1")]).text("a"), Some("1"));
    }
}
