//! Values as words.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::store::sqlite::document::Row;
use crate::wire::canonical;
use crate::wire::json::Json;

/// Longer values are not shown.
const VALUE_CHARS_MAX: usize = 60;

/// What people call customers and accounts, by their ids.
pub(super) struct Names(HashMap<String, String>);

impl Names {
    /// Of the sections of both snapshots; the later one counts.
    pub(super) fn of<'s>(sections: impl Iterator<Item = &'s (&'static str, Vec<Row>)>) -> Self {
        let mut names = HashMap::new();
        for (section, rows) in sections {
            let (id, name) = match *section {
                "customers" => ("id", "customerNumber"),
                "accounts" => ("id", "bban"),
                "cardAccounts" => ("account", "maskedPan"),
                _ => continue,
            };
            names.extend(rows.iter().filter_map(|row| Some((shown(row, id)?, shown(row, name)?))));
        }
        Self(names)
    }

    /// The value as people know it.
    pub(super) fn replaced<'v>(&'v self, value: &'v str) -> &'v str {
        self.0.get(value).map_or(value, String::as_str)
    }
}

/// A member as text; `None` where the row has none.
pub(super) fn shown(row: &Row, member: &str) -> Option<String> {
    let (_, value) = row.iter().find(|(name, _)| *name == member)?;
    Some(match value {
        Json::String(text) => text.to_string(),
        Json::Array(items) => {
            let items = items.iter().map(|item| match item {
                Json::String(text) => text.as_ref(),
                _ => "",
            });
            items.collect::<Vec<_>>().join(" ")
        }
        other => canonical::write(other).unwrap_or_default(),
    })
}

/// A member in a sentence: `–` if it is absent, and `None` if it is too long to be shown.
pub(super) fn in_words<'n>(row: &Row, member: &str, names: &'n Names) -> Option<Cow<'n, str>> {
    let Some(value) = shown(row, member) else { return Some(Cow::Borrowed("–")) };
    let replaced = names.replaced(&value);
    (replaced.chars().count() <= VALUE_CHARS_MAX).then(|| Cow::Owned(replaced.to_owned()))
}
