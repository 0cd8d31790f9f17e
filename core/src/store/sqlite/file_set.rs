//! The files of an open database, compared with what their names lead to.
//!
//! SQLite writes to the files that it has open. If the log loses its name, or another file gets it, a commit succeeds
//! and no later process finds it. The name is lost when a person removes the log, and when another process takes itself
//! for the only user of the file: this process loses its locks if any of its code opens and closes the file by other
//! means than this copy of SQLite (POSIX advisory locks end with the first `close`).

use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};

use super::new_file::{beside, cannot_open};
use crate::error::Result;

/// What a name leads to: device and inode.
pub(super) type Identity = (u64, u64);

/// The database file, its write-ahead log and the index of the log, as they were after the database was opened.
#[derive(Debug)]
pub(super) struct FileSet {
    database: KnownFile,
    log: KnownFile,
    index: KnownFile,
    /// Shows how many names the log has when no name of the three can be looked up, as after `chroot`. SQLite takes no
    /// lock on the log, so that closing this handle ends none.
    open_log: File,
}

/// Why a commit to the files would be lost.
#[derive(Debug)]
pub(super) struct Fault {
    /// The file, and what happened to it.
    pub(super) text: String,
    /// Whether the log alone has lost its name, so that no other process can have changed the database without it.
    pub(super) is_of_log_alone: bool,
}

#[derive(Debug)]
struct KnownFile {
    path: PathBuf,
    identity: Identity,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Same,
    Other,
    Missing,
    /// The same file, under so many names.
    Linked(u64),
}

impl FileSet {
    /// The files of a database that is open in WAL mode; `None` where the system does not let an open file lose its
    /// name.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if one of them is missing.
    pub(super) fn of(path: &Path) -> Result<Option<Self>> {
        let log = beside(path, "-wal");
        let open_log = File::open(&log).map_err(|error| cannot_open(&log, &error))?;
        let database = KnownFile::at(path.to_owned())?;
        let index = KnownFile::at(beside(path, "-shm"))?;
        let files = database.zip(KnownFile::at(log)?).zip(index);
        Ok(files.map(|((database, log), index)| Self { database, log, index, open_log }))
    }

    /// Returns true if the path leads to the database that is open.
    pub(super) fn is_at_its_path(&self) -> bool {
        matches!(self.database.find(), Found::Same | Found::Linked(_))
    }

    /// Fails unless each file is under its one name.
    pub(super) fn check(&self) -> Result<(), Fault> {
        let files = [&self.database, &self.log, &self.index];
        let found = files.map(KnownFile::find);
        if found.iter().all(|found| *found == Found::Same) {
            return Ok(());
        }
        // The process has another root or fewer permissions, or the whole folder was moved.
        if found.iter().all(|found| *found == Found::Missing) && self.log_has_its_name() {
            return Ok(());
        }
        let changed = files.iter().zip(found).find(|(_, found)| *found != Found::Same);
        let text = changed.map(|(file, found)| file.describe(found)).unwrap_or_default();
        Err(Fault { text, is_of_log_alone: found == [Found::Same, Found::Missing, Found::Same] })
    }

    fn log_has_its_name(&self) -> bool {
        self.open_log.metadata().is_ok_and(|metadata| links(&metadata) == 1)
    }
}

impl KnownFile {
    fn at(path: PathBuf) -> Result<Option<Self>> {
        let metadata = path.metadata().map_err(|error| cannot_open(&path, &error))?;
        Ok(identity(&metadata).map(|identity| Self { path, identity }))
    }

    fn find(&self) -> Found {
        let Ok(metadata) = self.path.metadata() else { return Found::Missing };
        match links(&metadata) {
            _ if identity(&metadata) != Some(self.identity) => Found::Other,
            1 => Found::Same,
            names => Found::Linked(names),
        }
    }

    fn describe(&self, found: Found) -> String {
        let what = match found {
            Found::Same => "is in use".to_owned(),
            Found::Other => "was replaced".to_owned(),
            Found::Missing => "was removed or renamed".to_owned(),
            Found::Linked(names) => format!("has {names} names"),
        };
        format!(
            "`{}` {what} while the database is open, and commits would be lost: stop every process that uses the \
             database, then start them again; the guide of the gateway says how to copy the files",
            self.path.display()
        )
    }
}

/// Device and inode.
#[cfg(unix)]
pub(super) fn identity(file: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some((file.dev(), file.ino()))
}

/// An open file keeps its name here.
#[cfg(not(unix))]
pub(super) fn identity(_file: &Metadata) -> Option<Identity> {
    None
}

/// How many names a file has.
#[cfg(unix)]
pub(super) fn links(file: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(file)
}

#[cfg(not(unix))]
pub(super) fn links(_file: &Metadata) -> u64 {
    1
}
