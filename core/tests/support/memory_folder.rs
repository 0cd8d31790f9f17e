//! A folder in memory, where the machine has one: a disk would be waited for thousands of times.

use std::path::Path;

use tempfile::TempDir;

pub(crate) fn memory_folder() -> TempDir {
    match Path::new("/dev/shm").is_dir() {
        true => tempfile::tempdir_in("/dev/shm").unwrap(),
        false => tempfile::tempdir().unwrap(),
    }
}
