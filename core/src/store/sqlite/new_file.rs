//! The file of a new database.

use std::path::Path;

use crate::error::{Error, Result, StoreFault};

/// Makes a missing file. SQLite would make it readable for every user; its journal takes over the mode.
pub(super) fn create_private(path: &Path) -> Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(cannot_open(path, error)),
    }
}

/// What is said of a file that the system does not open.
pub(super) fn cannot_open(path: &Path, error: std::io::Error) -> Error {
    let text = format!("cannot open {}: {error}", path.display());
    Error::Store(StoreFault::new(text).unreachable().caused_by(error))
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
