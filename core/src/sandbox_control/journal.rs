//! The journal of a sandbox, to be looked at and to be taken along.

use std::sync::Arc;

use super::sandbox::Sandbox;
use crate::error::Result;
use crate::policy;
use crate::sandbox::journal::{curl, har, pytest, summary, JournalEntry, Mistakes};

/// What a journal is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JournalForm {
    /// A line or two for each entry.
    Text,
    /// An HTTP Archive, version 1.2: JSON that browsers and proxies open.
    Har,
    /// A shell script with one curl command for each call. It sends the bytes that were sent.
    Curl,
    /// A test for pytest that opens the same bank and does everything again, from the first parent on.
    Pytest,
}

impl JournalForm {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Text, Self::Har, Self::Curl, Self::Pytest];

    /// Its name: `text`, `har`, `curl`, `pytest`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Har => "har",
            Self::Curl => "curl",
            Self::Pytest => "pytest",
        }
    }

    /// The form of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.as_str() == text)
    }
}

/// How a journal is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalExport {
    /// As what.
    pub form: JournalForm,
    /// Whether identity numbers are masked, and the values of `X-PSU-IDENTITY`, `Authorization` and cookies. Names,
    /// account and card numbers, and amounts stay. A pytest file is never masked, for it has to run.
    pub redact: bool,
    /// Only so many of the newest entries. A pytest file always has all.
    pub last: Option<usize>,
    /// Only the entry with that number. A pytest file always has all.
    pub number: Option<u64>,
    /// Scheme and host that HAR and curl address; `None`: those of [`Sandbox::sca_origin`], which is where a
    /// served sandbox listens.
    pub origin: Option<String>,
}

impl JournalExport {
    /// The whole journal in that form, masked.
    pub fn new(form: JournalForm) -> Self {
        Self { form, redact: true, last: None, number: None, origin: None }
    }
}

impl Sandbox {
    /// What was done with this sandbox since it was opened or forked off, oldest first: the newest 10,000 entries, at
    /// most 16 MiB of them. Nothing in them is masked. Calls to [`Sandbox::engine`] itself are not among them.
    pub fn journal(&self) -> Vec<Arc<JournalEntry>> {
        self.notes.journal.entries()
    }

    /// The number of the newest entry, also of one that was deleted; 0 before the first.
    pub fn last_journal_number(&self) -> u64 {
        self.notes.journal.last_number()
    }

    /// The journal as text.
    ///
    /// # Errors
    /// [`Error::Config`](crate::Error::Config) for an origin that is none; for a pytest file
    /// [`Error::Misuse`](crate::Error::Misuse) where the same cannot be done again: the database file existed
    /// before, entries are gone, a fault was set with a condition in code or before this was forked off, or a
    /// snapshot or an exported state was taken;
    /// [`Error::Store`](crate::Error::Store).
    pub fn export_journal(&self, export: &JournalExport) -> Result<String> {
        let origin = match &export.origin {
            Some(origin) => policy::overrides::origin("origin", origin.clone())?,
            None => self.sca_origin(),
        };
        let entries = self.journal();
        let skipped = export.last.map_or(0, |last| entries.len().saturating_sub(last));
        let mistakes = match export.form {
            JournalForm::Pytest => Mistakes::new(),
            _ => self.mistakes_of(&entries, skipped),
        };
        let is_chosen =
            |entry: &&Arc<JournalEntry>| export.number.is_none_or(|number| entry.number == number);
        let entries = entries.iter().skip(skipped).filter(is_chosen).map(AsRef::as_ref);
        match export.form {
            JournalForm::Text => Ok(summary(entries, &mistakes, export.redact)),
            JournalForm::Har => har(entries, &mistakes, &origin, export.redact),
            JournalForm::Curl => Ok(curl(entries, &mistakes, &origin, export.redact)),
            JournalForm::Pytest => {
                let position = self.entropy.position();
                pytest(&self.notes.journal, &self.notes.beginning, &self.database, position)
            }
        }
    }

    /// Forgets what is in the journal, that of a parent too.
    pub fn clear_journal(&self) {
        self.notes.journal.clear();
    }
}
