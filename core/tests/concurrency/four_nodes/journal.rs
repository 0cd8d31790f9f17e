//! The results that each node received, one per line, in a file per node that outlives the process.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A node's record of the results it received.
pub(crate) struct Journal {
    path: PathBuf,
    /// The folder of all nodes.
    folder: PathBuf,
    number: usize,
}

impl Journal {
    pub(crate) fn of(folder: &Path, number: usize) -> Self {
        Self { path: folder.join(format!("journal-{number}")), folder: folder.to_owned(), number }
    }

    pub(crate) fn note(&self, what: &str, which: &str) {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path).unwrap();
        file.write_all(format!("{what} {which}\n").as_bytes()).unwrap();
    }

    /// Everything of one kind that was noted.
    pub(crate) fn reported(&self, what: &str) -> Vec<String> {
        let lines = fs::read_to_string(&self.path).unwrap_or_default();
        let of_kind = |line: &str| Some(line.strip_prefix(what)?.strip_prefix(' ')?.to_owned());
        lines.lines().filter_map(of_kind).collect()
    }

    /// Leaves a text for any other node. It replaces the text that was left before.
    pub(crate) fn leave(&self, text: &str) {
        let draft = self.folder.join(format!("draft-{}", self.number));
        fs::write(&draft, text).unwrap();
        fs::rename(draft, self.folder.join(format!("left-{}", self.number))).unwrap();
    }

    /// What another left last.
    pub(crate) fn left_by(&self, other: usize) -> Option<String> {
        fs::read_to_string(self.folder.join(format!("left-{other}"))).ok()
    }
}
