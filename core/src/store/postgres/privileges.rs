//! What the role of a node may do with the tables.

use super::connection::Connection;
use super::failure::{Failure, Result};
use crate::error::Error;

/// The privileges that a node needs on each table.
const NEEDED: [(&str, &[&str]); 18] = [
    ("access_count", &["SELECT", "INSERT", "UPDATE", "DELETE"]),
    ("audit", &["SELECT", "INSERT"]),
    ("authorisation", &["SELECT", "INSERT", "UPDATE", "DELETE"]),
    ("bank_identity", &["SELECT", "INSERT"]),
    ("basket", &["SELECT", "INSERT", "UPDATE", "DELETE"]),
    ("blocked", &["SELECT", "INSERT", "UPDATE", "DELETE"]),
    ("call_count", &["SELECT", "INSERT", "UPDATE", "DELETE"]),
    ("consent", &["SELECT", "INSERT", "UPDATE", "DELETE"]),
    ("corporate_id", &["SELECT", "INSERT"]),
    ("corporate_psu", &["SELECT", "INSERT", "DELETE"]),
    ("event", &["SELECT", "INSERT"]),
    ("migration", &["SELECT"]),
    ("outage", &["SELECT", "INSERT", "UPDATE", "DELETE"]),
    ("outbox", &["SELECT", "INSERT", "UPDATE", "DELETE"]),
    ("payment", &["SELECT", "INSERT", "UPDATE", "DELETE"]),
    ("psu_id", &["SELECT", "INSERT", "DELETE"]),
    ("sca_session", &["SELECT", "INSERT", "UPDATE", "DELETE"]),
    ("used_request_id", &["SELECT", "INSERT", "UPDATE", "DELETE"]),
];

/// Fails if the role lacks a privilege on a table that exists, or on the schema.
///
/// # Errors
/// [`Error::Store`] with every missing privilege.
pub(super) fn check_privileges(connection: &mut Connection) -> Result<()> {
    let needed =
        NEEDED.iter().flat_map(|(table, privileges)| privileges.iter().map(move |name| (table, name)));
    let needed: Vec<_> = needed.map(|(table, privilege)| format!("('{table}', '{privilege}')")).collect();
    let needed = needed.join(", ");
    // By the catalog: a role without USAGE may not look up a table by its name.
    let sql = format!(
        "SELECT current_user, string_agg(missing, ', ') FROM (
            SELECT 'USAGE on the schema xs2a' AS missing FROM pg_catalog.pg_namespace
                WHERE nspname = 'xs2a' AND NOT has_schema_privilege(oid, 'USAGE')
            UNION ALL
            SELECT privilege || ' on the table xs2a.' || relname
                FROM (VALUES {needed}) AS needed (name, privilege)
                JOIN pg_catalog.pg_class ON relname = name
                JOIN pg_catalog.pg_namespace AS schema ON schema.oid = relnamespace AND nspname = 'xs2a'
                WHERE NOT has_table_privilege(pg_class.oid, privilege)
        ) AS checked"
    );
    match connection.columns(&sql)?.as_slice() {
        [role, missing] if !missing.is_empty() => Err(Failure::Said(Error::Store(
            format!("the role `{role}` lacks {missing}: grant it as the owner of the tables").into(),
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::super::address;
    use super::super::server::Server;
    use super::super::PostgresStore;
    use super::*;

    /// A new database, and a role with the needed privileges alone: the owner's address, the role's and its name.
    pub(in crate::store::postgres) fn with_needed(server: &Server) -> (String, String, String) {
        static ROLES: AtomicU32 = AtomicU32::new(0);
        let url = server.database();
        PostgresStore::open(&url).unwrap();
        let role = format!("least_{}_{}", std::process::id(), ROLES.fetch_add(1, Ordering::Relaxed));
        let grants = NEEDED
            .map(|(table, privileges)| format!("GRANT {} ON xs2a.{table} TO {role};", privileges.join(", ")));
        as_owner(
            &url,
            &format!("CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA xs2a TO {role}; {}", grants.concat()),
        );
        let of_role = url.replace("xs2a@", &format!("{role}@"));
        (url, of_role, role)
    }

    fn as_owner(url: &str, sql: &str) {
        Connection::open(&address::read(url).unwrap()).unwrap().batch(sql).unwrap();
    }

    fn refusal(url: &str) -> String {
        match PostgresStore::open(url).map(drop) {
            Err(Error::Store(fault)) => fault.text().to_owned(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_missing_privilege_is_named_at_opening() {
        let Some(server) = Server::shared() else { return };
        let (owner, url, role) = with_needed(server);
        for (table, privileges) in NEEDED {
            for privilege in privileges {
                as_owner(&owner, &format!("REVOKE {privilege} ON xs2a.{table} FROM {role}"));
                let text = refusal(&url);
                assert!(
                    text.contains(&format!("`{role}` lacks {privilege} on the table xs2a.{table}:")),
                    "{text}"
                );
                as_owner(&owner, &format!("GRANT {privilege} ON xs2a.{table} TO {role}"));
            }
        }
        PostgresStore::open(&url).unwrap();
    }

    #[test]
    fn a_role_without_any_right_is_refused_with_all_that_it_lacks() {
        let Some(server) = Server::shared() else { return };
        let (owner, url, role) = with_needed(server);
        as_owner(&owner, &format!("DROP OWNED BY {role}"));
        let text = refusal(&url);
        for missing in
            ["USAGE on the schema xs2a", "INSERT on the table xs2a.payment", "SELECT on the table xs2a.audit"]
        {
            assert!(text.contains(missing), "{text}");
        }
    }

    #[test]
    fn the_list_names_every_table_of_the_schema() {
        let Some(server) = Server::shared() else { return };
        let url = server.database();
        PostgresStore::open(&url).unwrap();
        let mut owner = Connection::open(&address::read(&url).unwrap()).unwrap();
        let tables = owner.answer(
            "SELECT string_agg(tablename, ' ' ORDER BY tablename COLLATE \"C\") FROM pg_tables
            WHERE schemaname = 'xs2a'",
        );
        assert_eq!(tables.unwrap(), NEEDED.map(|(table, _)| table).join(" "));
    }
}
