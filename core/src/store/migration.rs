//! One step of a schema, and which libraries may write beside it.

use crate::error::{Error, Result};

/// One migration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Migration {
    /// What it does. One that was released is never edited.
    pub(super) sql: &'static str,
    /// The oldest schema version whose library may still write to the database after it. A migration that only expands
    /// (tables, columns with a default, indexes) names the version before its own or an older one; one that contracts,
    /// a version later, names the version whose library no longer uses what it removes.
    pub(super) oldest_writer: usize,
}

/// Fails unless a library that knows `known` migrations may write to a database that has `present`, of which
/// `oldest_writer` is the oldest version that may write; `None` if the database has no such record of a migration.
///
/// # Errors
/// [`Error::Store`] with both versions.
pub(super) fn check_writer(present: i64, oldest_writer: Option<i64>, known: usize) -> Result<usize> {
    let refused = || {
        Error::Store(
            format!("the database has schema version {present}, this library knows version {known} at most")
                .into(),
        )
    };
    let version = usize::try_from(present).ok().filter(|version| *version >= 1).ok_or_else(refused)?;
    let oldest_writer = oldest_writer.and_then(|oldest| usize::try_from(oldest).ok());
    match version <= known || oldest_writer.is_some_and(|oldest| oldest <= known) {
        true => Ok(version),
        false => Err(refused()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_writes_until_a_migration_needs_a_newer_one() {
        for (present, oldest_writer, known, may_write) in [
            (1, Some(1), 1, true),
            (1, None, 1, true),
            (2, Some(1), 1, true),
            (2, Some(2), 1, false),
            (2, None, 1, false),
            (3, Some(2), 2, true),
            (3, Some(2), 1, false),
            (1, Some(1), 2, true),
            (0, Some(1), 1, false),
            (-1, Some(1), 1, false),
            (2, Some(-1), 1, false),
            (i64::MAX, None, 1, false),
        ] {
            let checked = check_writer(present, oldest_writer, known);
            assert_eq!(checked.is_ok(), may_write, "{present} {oldest_writer:?} {known}");
            if let Err(error) = checked {
                let text = error.to_string();
                assert!(text.contains(&format!("schema version {present}, this library knows")), "{text}");
            }
        }
    }
}
