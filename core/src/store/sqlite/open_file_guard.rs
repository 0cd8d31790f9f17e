//! Which files are open in this process, and in which process they were opened; which files are not opened.
//!
//! SQLite keeps its locks on a file with the process. A process that `fork()` made finds in its memory that the file is
//! locked already, and takes no lock of its own: the other then deletes the log under it, and what it commits is lost
//! without an error. So a file that was open at a fork is not opened again.
//!
//! The locks of a process on a file end as soon as the process closes the file by other means, such as a copy of it. So
//! a file that this process has open by other means is not opened, and nothing here opens a file that SQLite has open.

use std::path::Path;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};

use super::file_set::{identity, links, Identity};
use super::new_file::{self, cannot_open, not_opened};
use crate::error::{Error, Result};

/// One entry for each database that has a file open.
static OPEN: Mutex<Vec<OpenFile>> = Mutex::new(Vec::new());

/// A lock that another thread held while the process was forked is never released in the copy.
const WAIT: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OpenFile {
    file: Identity,
    process: u32,
}

/// That a file is open, until this is dropped.
#[derive(Debug)]
pub(super) struct OpenFileGuard(Option<OpenFile>);

impl OpenFileGuard {
    /// Notes a file that is about to be opened, and creates it if it does not exist.
    ///
    /// # Errors
    /// [`Error::Store`] for one that cannot be written to, that was open when this process was forked, that has several
    /// names, or that this process has open by other means.
    pub(super) fn new(path: &Path) -> Result<Self> {
        // Held throughout: no other thread lets SQLite open the file before `prepare` has closed it.
        let mut open = OPEN.try_lock_for(WAIT).ok_or_else(before_a_fork)?;
        let present = path.metadata().ok().and_then(|metadata| identity(&metadata));
        let known = open.iter().filter(|other| Some(other.file) == present).collect::<Vec<_>>();
        if known.iter().any(|other| other.process != std::process::id()) {
            return Err(before_a_fork());
        }
        if known.is_empty() {
            if present.is_some_and(is_open_by_other_means) {
                return Err(cannot_open(path, OPEN_BY_OTHER_MEANS));
            }
            new_file::prepare(path)?;
        }
        let metadata = path.metadata().map_err(|error| not_opened(path, error))?;
        if links(&metadata) > 1 {
            return Err(cannot_open(path, SEVERAL_NAMES));
        }
        let Some(file) = identity(&metadata) else { return Ok(Self(None)) };
        let own = OpenFile { file, process: std::process::id() };
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

const SEVERAL_NAMES: &str =
    "the file has several names (hard links), each of which would get a log of its own, and \
    commits would be lost: remove all names but one";

const OPEN_BY_OTHER_MEANS: &str = "this process has the file open by other means, as another copy of SQLite or a copy \
    program does, and would lose its locks when it closes the file: close it first, or do that in another process";

/// Returns true if a descriptor of this process leads to the file; false where the system does not list them.
fn is_open_by_other_means(file: Identity) -> bool {
    let Ok(descriptors) = std::fs::read_dir("/proc/self/fd") else { return false };
    let leads_to =
        |path: std::path::PathBuf| path.metadata().is_ok_and(|found| identity(&found) == Some(file));
    descriptors.flatten().any(|descriptor| leads_to(descriptor.path()))
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
        // What is open at a fork stays open. Otherwise a file of another test could get the number of this one.
        std::mem::forget(std::fs::File::open(&path).unwrap());
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
        assert!(OpenFileGuard::new(&folder.path().join("none/bank.db")).is_err());
    }
}
