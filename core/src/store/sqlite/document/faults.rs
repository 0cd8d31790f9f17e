//! What is wrong with a document, each with its place (JSON Pointer, RFC 6901).

use std::fmt::{self, Display};

/// More are counted, not listed.
const FAULTS_LISTED_MAX: usize = 20;

/// The faults found so far. They contain places and rules, never values, because a log may show them.
#[derive(Debug, Default)]
pub struct Faults {
    listed: Vec<String>,
    count: usize,
}

impl Faults {
    /// One more.
    pub fn add(&mut self, pointer: &str, what: impl Display) {
        self.count += 1;
        if self.listed.len() < FAULTS_LISTED_MAX {
            self.listed.push(format!("{}: {what}", if pointer.is_empty() { "the whole" } else { pointer }));
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl Display for Faults {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.listed.join("; "))?;
        match self.count - self.listed.len() {
            0 => Ok(()),
            more => write!(out, "; and {more} more"),
        }
    }
}

/// A name as one segment of a pointer, cut where it is longer than any of ours.
pub(crate) fn segment(name: &str) -> String {
    const CHARS_MAX: usize = 64;
    name.chars().take(CHARS_MAX).collect::<String>().replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_faults_are_listed_and_the_others_counted() {
        let mut faults = Faults::default();
        for number in 0..FAULTS_LISTED_MAX {
            faults.add(&format!("/payments/{number}"), "wrong");
        }
        assert!(faults.to_string().ends_with("/payments/19: wrong"));
        faults.add("/payments/20", "wrong");
        assert!(faults.to_string().ends_with("/payments/19: wrong; and 1 more"));
    }

    #[test]
    fn a_name_becomes_one_segment() {
        assert_eq!(segment("a/b~c"), "a~1b~0c");
        assert_eq!(segment(&"é".repeat(100)).chars().count(), 64);
    }
}
