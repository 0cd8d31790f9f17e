//! The file of a new database.

use std::fs::OpenOptions;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Opens a file for writing and closes it again; a missing one is created. SQLite would make it readable for every
/// user, and give no reason why it cannot be opened; its log takes over the mode.
///
/// Closing the file ends the locks that this process has on it, so no connection may be open.
///
/// # Errors
/// [`Error::Store`] with the system's reason.
pub(super) fn prepare(path: &Path) -> Result<()> {
    let mut file = writable().open(path).map_err(|error| cannot_open(path, &error))?;
    let mut start = [0; DUMP_STARTS_WITH.len()];
    match file.read_exact(&mut start) {
        Ok(()) if start == DUMP_STARTS_WITH => Err(cannot_open(path, &IS_DUMP)),
        // An empty file is new; SQLite says what is wrong with a short one.
        _ => Ok(()),
    }
}

/// The first line of what `.dump` of the SQLite command line writes.
const DUMP_STARTS_WITH: [u8; 20] = *b"PRAGMA foreign_keys=";

const IS_DUMP: &str =
    "it is SQL text, as `.dump` writes it, and not a database; `VACUUM INTO` writes a copy that can be \
    opened";

/// Fails with the system's reason if no file can be created in the folder of a database.
pub(super) fn check_folder(path: &Path) -> Result<()> {
    let trial = beside(path, "-trial");
    writable().open(&trial).map_err(|error| {
        let (folder, log) = (path.parent().unwrap_or(path), beside(path, "-wal"));
        let (folder, log) = (folder.display(), log.display());
        Error::Store(format!("cannot create `{log}`: the folder `{folder}` cannot be written to: {error}"))
    })?;
    // It stays if it cannot be removed, and does no harm.
    let _ = std::fs::remove_file(trial);
    Ok(())
}

/// Read and write, for its owner alone.
fn writable() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// The path of a file beside the database, such as its log.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The error for a file that the system does not open.
pub(super) fn cannot_open(path: &Path, cause: &dyn std::fmt::Display) -> Error {
    Error::Store(format!("cannot open `{}`: {cause}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::super::database::Database;

    #[cfg(unix)]
    #[test]
    fn a_new_file_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let directory = tempfile::tempdir().unwrap();
        let database = Database::open_file(directory.path().join("bank.db")).unwrap();
        database.write(|connection| connection.execute_batch("CREATE TABLE t (x)")).unwrap();
        for entry in std::fs::read_dir(directory.path()).unwrap() {
            let entry = entry.unwrap();
            assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{entry:?}");
        }
    }
}
