//! The header fields of a message, in a few pieces of memory: a call has thirty, with its answer, and most are short.

use std::sync::Arc;

/// Longer values come again with every call, as certificates do. Most of the others differ from call to call: a
/// signature by a key of 4096 bits is shorter.
const SHORT_MAX: usize = 1023;

/// The header fields of a message in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    /// One name behind the other.
    names: String,
    /// One short value behind the other.
    values: Vec<u8>,
    fields: Vec<Field>,
}

/// Where a field ends: it begins where the one before it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Field {
    name_end: usize,
    value_end: usize,
    long_value: Option<Arc<[u8]>>,
}

impl Fields {
    /// Keeps fields; the long values among them by `keep`.
    pub(super) fn of<'f>(
        given: impl Iterator<Item = (&'f str, &'f [u8])> + Clone,
        keep: impl Fn(&[u8]) -> Arc<[u8]>,
    ) -> Self {
        let is_short = |value: &&[u8]| value.len() <= SHORT_MAX;
        let mut names = String::with_capacity(given.clone().map(|(name, _)| name.len()).sum());
        let short_values = given.clone().map(|(_, value)| value).filter(is_short);
        let mut values = Vec::with_capacity(short_values.map(<[u8]>::len).sum());
        let fields = given.map(|(name, value)| {
            names.push_str(name);
            let long_value = if is_short(&value) {
                values.extend_from_slice(value);
                None
            } else {
                Some(keep(value))
            };
            Field { name_end: names.len(), value_end: values.len(), long_value }
        });
        let fields = fields.collect();
        Self { names, values, fields }
    }

    /// Name and value of each.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let (mut name_start, mut value_start) = (0, 0);
        self.fields.iter().map(move |field| {
            let name = self.names.get(name_start..field.name_end).unwrap_or_default();
            let short = self.values.get(value_start..field.value_end).unwrap_or_default();
            (name_start, value_start) = (field.name_end, field.value_end);
            (name, field.long_value.as_deref().unwrap_or(short))
        })
    }

    /// The value of the first field of that name, where it is text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        let found = self.iter().find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.and_then(|(_, value)| std::str::from_utf8(value).ok())
    }

    /// How much room they take; a value that is shared counts for each who shares it.
    pub(super) fn weight(&self) -> usize {
        let long: usize =
            self.fields.iter().filter_map(|field| field.long_value.as_ref()).map(|v| v.len()).sum();
        self.names.len() + self.values.len() + long + self.fields.len() * size_of::<Field>()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn fields_come_back_as_they_were_given_and_long_values_by_whoever_keeps_them() {
        let (short, long) = (vec![b's'; SHORT_MAX], vec![b'l'; SHORT_MAX + 1]);
        let given: [(&str, &[u8]); 6] =
            [("a", b"1"), ("", b""), ("Long", &long), ("a", b"\xff2"), ("Short", &short), ("blåbær", b"3")];
        let kept = Cell::new(0);
        let fields = Fields::of(given.into_iter(), |value| {
            kept.set(kept.get() + 1);
            value.into()
        });
        assert_eq!((fields.iter().collect::<Vec<_>>(), kept.get()), (given.to_vec(), 1));
        assert_eq!(
            ["A", "short", "b"].map(|name| fields.text(name).map(str::len)),
            [Some(1), Some(SHORT_MAX), None]
        );
        let bytes: usize = given.iter().map(|(name, value)| name.len() + value.len()).sum();
        assert_eq!(fields.weight(), bytes + given.len() * size_of::<Field>());
    }

    #[test]
    fn the_first_field_of_a_name_counts_though_it_is_no_text() {
        let given: [(&str, &[u8]); 2] = [("a", b"\xff"), ("a", b"1")];
        assert_eq!(Fields::of(given.into_iter(), |value| value.into()).text("a"), None);
    }
}
