//! The tables of a document, those of the bank and those of the engine.

use super::bank_tables::BANK;
use super::engine_tables::ENGINE;
use super::table::Table;

/// Every table, parents before children.
pub(super) fn tables() -> impl Iterator<Item = &'static Table> {
    BANK.iter().chain(ENGINE)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rusqlite::Connection;

    use super::*;
    use crate::store::sqlite::sandbox::image;

    /// Tables that triggers derive from others.
    const DERIVED: &[&str] = &["sandbox_line_count"];
    /// Tables that are empty in a sandbox.
    const OF_PRODUCTION: &[&str] = &["bank_identity"];
    /// What a database has of its schema.
    const OF_SCHEMA: &[&str] = &["migration"];

    fn names(connection: &Connection, sql: &str) -> BTreeSet<String> {
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    #[test]
    fn every_table_and_every_column_of_the_schema_is_in_a_document() {
        let connection = image::open_empty().unwrap();
        let kept = names(&connection, "SELECT name FROM sqlite_schema WHERE type = 'table'");
        let others = DERIVED.iter().chain(OF_PRODUCTION).chain(OF_SCHEMA).copied();
        let described = tables().map(|table| table.name).chain(others);
        assert_eq!(kept, described.map(str::to_owned).collect());
        for table in tables() {
            let kept = names(&connection, &format!("SELECT name FROM pragma_table_info('{}')", table.name));
            let described: BTreeSet<_> = table.columns.iter().map(|column| column.name.to_owned()).collect();
            assert_eq!(kept, described, "{}", table.name);
        }
    }

    #[test]
    fn what_may_be_absent_is_what_may_be_null() {
        let connection = image::open_empty().unwrap();
        for table in tables() {
            let sql = format!(
                "SELECT name FROM pragma_table_info('{}') WHERE \"notnull\" = 0 AND pk = 0",
                table.name
            );
            let optional = table.columns.iter().filter(|column| column.is_optional);
            let optional: BTreeSet<_> = optional.map(|column| column.name.to_owned()).collect();
            assert_eq!(names(&connection, &sql), optional, "{}", table.name);
        }
    }

    #[test]
    fn sections_and_members_have_names_of_their_own() {
        let sections: BTreeSet<_> = tables().map(|table| table.section).collect();
        assert_eq!(sections.len(), tables().count());
        for table in tables() {
            let members: BTreeSet<_> = table.columns.iter().map(|column| column.member).collect();
            assert_eq!(members.len(), table.columns.len(), "{}", table.section);
            assert!(members.iter().all(|member| member.bytes().all(|byte| byte.is_ascii_alphanumeric())));
        }
    }
}
