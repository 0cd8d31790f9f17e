//! Which files are open in this process, and in which process they were opened.
//!
//! SQLite keeps its locks on a file with the process. A process that `fork()` made finds in its memory that the file is
//! locked already, and takes no lock of its own: the other then deletes the log under it, and what it commits is lost
//! without an error. So a file that was open at a fork is not opened again.

use std::fs::Metadata;
use std::path::Path;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};

use crate::error::{Error, Result, StoreFault};

/// One entry for each database that has a file open.
static OPEN: Mutex<Vec<OpenFile>> = Mutex::new(Vec::new());

/// A lock that another thread held while the process was forked is never released in the copy.
const WAIT: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OpenFile {
    file: (u64, u64),
    process: u32,
}

/// That a file is open, until this is dropped.
#[derive(Debug)]
pub(super) struct OpenFileGuard(Option<OpenFile>);

impl OpenFileGuard {
    /// Notes a file that is about to be opened.
    ///
    /// # Errors
    /// [`Error::Store`] for one that was open when this process was forked.
    pub(super) fn new(path: &Path) -> Result<Self> {
        let cannot_look = |error: std::io::Error| {
            let text = format!("cannot look at {}: {error}", path.display());
            Error::Store(StoreFault::new(text).unreachable().caused_by(error))
        };
        let Some(file) = identity(&path.metadata().map_err(cannot_look)?) else { return Ok(Self(None)) };
        let own = OpenFile { file, process: std::process::id() };
        let mut open = OPEN.try_lock_for(WAIT).ok_or_else(before_a_fork)?;
        if open.iter().any(|other| other.file == file && other.process != own.process) {
            return Err(before_a_fork());
        }
        open.push(own);
        Ok(Self(Some(own)))
    }

    fn take_out(open: &mut MutexGuard<'_, Vec<OpenFile>>, own: OpenFile) {
        if let Some(place) = open.iter().position(|entry| *entry == own) {
            open.swap_remove(place);
        }
    }

    /// As if the process had been forked since.
    #[cfg(test)]
    pub(super) fn fork(&mut self) {
        let Some(own) = &mut self.0 else { return };
        let mut open = OPEN.lock();
        Self::take_out(&mut open, *own);
        own.process = own.process.wrapping_add(1);
        open.push(*own);
    }
}

impl Drop for OpenFileGuard {
    fn drop(&mut self) {
        // In another process the file stays open: nothing is dropped there.
        let own = self.0.filter(|own| own.process == std::process::id());
        if let Some((own, mut open)) = own.zip(OPEN.try_lock_for(WAIT)) {
            Self::take_out(&mut open, own);
        }
    }
}

fn before_a_fork() -> Error {
    let text = "the file was open when this process was forked, and what is written to one that is opened again can be \
                lost: open it after the fork alone, or close it before";
    Error::Store(text.into())
}

/// Device and inode.
#[cfg(unix)]
fn identity(file: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((file.dev(), file.ino()))
}

/// Nothing forks here.
#[cfg(not(unix))]
fn identity(_file: &Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn is_refused_after_fork(ended: Result<OpenFileGuard>) -> bool {
        matches!(ended, Err(Error::Store(fault)) if fault.text().contains("when this process was forked"))
    }

    #[test]
    fn a_file_that_was_open_at_a_fork_is_not_opened_again_by_any_of_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("bank.db"), folder.path().join("link.db"));
        std::fs::write(&path, "").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let mut before = OpenFileGuard::new(&path).unwrap();
        drop(OpenFileGuard::new(&link).unwrap());
        before.fork();
        assert!(
            is_refused_after_fork(OpenFileGuard::new(&path))
                && is_refused_after_fork(OpenFileGuard::new(&link))
        );
        drop(before);
        assert!(is_refused_after_fork(OpenFileGuard::new(&path)), "it is open for ever");
    }

    #[test]
    fn a_file_that_was_closed_before_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bank.db");
        std::fs::write(&path, "").unwrap();
        let first = OpenFileGuard::new(&path).unwrap();
        let second = OpenFileGuard::new(&path).unwrap();
        drop(first);
        drop(second);
        let own =
            OpenFile { file: identity(&path.metadata().unwrap()).unwrap(), process: std::process::id() };
        assert!(!OPEN.lock().contains(&own));
        assert!(OpenFileGuard::new(&path).is_ok());
        assert!(OpenFileGuard::new(&folder.path().join("none.db")).is_err());
    }
}
