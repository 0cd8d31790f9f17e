//! A store by its address, as a configuration names it.

use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "sqlite")]
use super::sqlite::{Database, SqliteStore};
use super::Store;
use crate::error::{Error, Result};

/// The address of an SQLite database in memory: gone with the engine.
const MEMORY: &str = "sqlite::memory:";

/// Opens the store of a production engine at an address, made and brought to this version where need be.
///
/// | address | store |
/// |---|---|
/// | `sqlite:///var/lib/xs2a.db` | that file, every character of the absolute path as it is; with feature `sqlite` |
/// | `sqlite::memory:` | memory, for tests; with feature `sqlite` |
/// | `postgresql://user@host/database` | a PostgreSQL database, in the schema `xs2a`; with feature `postgres` |
///
/// # Errors
/// [`Error::Config`] for an address of another form, and for one of a store that this library was built without; the
/// text does not repeat the address, which may hold a password; and for the file of a sandbox. [`Error::Store`]
/// for a database that cannot be opened.
pub fn open(url: &str) -> Result<Arc<dyn Store>> {
    if let Some(path) = url.strip_prefix("sqlite://") {
        return sqlite_file(absolute(path)?);
    }
    if url == MEMORY {
        return sqlite_memory();
    }
    if ["postgresql://", "postgres://"].iter().any(|scheme| url.starts_with(scheme)) {
        return postgres(url);
    }
    Err(unknown())
}

#[cfg(feature = "sqlite")]
fn sqlite_file(path: &Path) -> Result<Arc<dyn Store>> {
    Ok(Arc::new(SqliteStore::new(Arc::new(Database::open_file(path)?))))
}

#[cfg(feature = "sqlite")]
fn sqlite_memory() -> Result<Arc<dyn Store>> {
    Ok(Arc::new(SqliteStore::new(Arc::new(Database::open_memory()?))))
}

#[cfg(not(feature = "sqlite"))]
fn sqlite_file(_path: &Path) -> Result<Arc<dyn Store>> {
    Err(not_built_in("SQLite (feature `sqlite`)"))
}

#[cfg(not(feature = "sqlite"))]
fn sqlite_memory() -> Result<Arc<dyn Store>> {
    Err(not_built_in("SQLite (feature `sqlite`)"))
}

#[cfg(feature = "postgres")]
fn postgres(url: &str) -> Result<Arc<dyn Store>> {
    Ok(Arc::new(super::postgres::PostgresStore::open(url)?))
}

#[cfg(not(feature = "postgres"))]
fn postgres(_url: &str) -> Result<Arc<dyn Store>> {
    Err(not_built_in("PostgreSQL (feature `postgres`)"))
}

#[cfg(not(all(feature = "sqlite", feature = "postgres")))]
fn not_built_in(store: &str) -> Error {
    Error::Config(format!("database: this library was built without {store}"))
}

fn absolute(path: &str) -> Result<&Path> {
    let named = !path.ends_with('/') && !path.contains('\0');
    Some(Path::new(path)).filter(|path| named && path.is_absolute()).ok_or_else(unknown)
}

fn unknown() -> Error {
    let text = "database: none of `sqlite:///absolute/path`, `sqlite::memory:` and `postgresql://user@host/database`";
    Error::Config(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(not(feature = "sqlite"))]
    fn a_store_that_is_not_built_in_is_named() {
        for url in ["sqlite:///no/such/folder/xs2a.db", "sqlite::memory:"] {
            match open(url).map(drop) {
                Err(Error::Config(text)) => {
                    assert!(text.ends_with("without SQLite (feature `sqlite`)"), "{text}")
                }
                other => panic!("{url}: {other:?}"),
            }
        }
    }

    #[test]
    #[cfg(feature = "sqlite")]
    fn a_file_is_named_by_its_absolute_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a b%20?c.db");
        open(&format!("sqlite://{}", path.display())).unwrap();
        assert!(path.is_file());
    }

    #[test]
    fn an_address_of_another_form_is_refused_and_not_repeated() {
        for url in [
            "",
            "xs2a.db",
            "/var/lib/xs2a.db",
            "sqlite:xs2a.db",
            "sqlite://",
            "sqlite:///",
            "sqlite:///folder/",
            "sqlite://relative.db",
            "sqlite:///a\0b",
            "SQLITE:///a.db",
            "sqlite::memory: ",
            "mysql://user:secret@host/xs2a",
        ] {
            match open(url).map(drop) {
                Err(Error::Config(text)) => assert!(!text.contains("secret"), "{url}: {text}"),
                other => panic!("{url}: {other:?}"),
            }
        }
    }

    #[test]
    fn postgresql_is_known_by_both_its_names() {
        for url in
            ["postgresql://secret:secret@nowhere.invalid:1/a?sslmode=disable", "postgres:///a?host=/nowhere"]
        {
            let error = open(url).map(drop).unwrap_err();
            let (is_reported, says) = match error {
                Error::Store(text) => (cfg!(feature = "postgres"), text),
                Error::Config(text) => (!cfg!(feature = "postgres"), text),
                other => panic!("{other:?}"),
            };
            assert!(is_reported && says.contains("PostgreSQL") && !says.contains("secret"), "{url}: {says}");
        }
    }

    #[test]
    #[cfg(feature = "sqlite")]
    fn a_file_in_no_folder_is_an_error_of_the_store() {
        assert!(matches!(open("sqlite:///no/such/folder/xs2a.db").map(drop), Err(Error::Store(_))));
    }
}
