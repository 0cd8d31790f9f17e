//! What the nodes were told, a line each, in a file of each node's own: it outlives them.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Where a node writes down what it was told.
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
    pub(crate) fn told(&self, what: &str) -> Vec<String> {
        let lines = fs::read_to_string(&self.path).unwrap_or_default();
        let of_kind = |line: &str| Some(line.strip_prefix(what)?.strip_prefix(' ')?.to_owned());
        lines.lines().filter_map(of_kind).collect()
    }

    /// Leaves something for whoever comes by, in place of what was left before.
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
