//! What the recordings contain, read from the committed files.

use std::collections::BTreeSet;

use xs2a::bank::Operation;
use xs2a::internal::{OPERATIONS, SANDBOX_OPERATIONS};

use crate::chapters::CHAPTERS;
use crate::files;

/// The operations, products, reasons and codes of all chapters, and the number of requests.
#[derive(Default)]
pub(crate) struct Contents {
    pub(crate) calls: usize,
    /// Operations with a request that was answered 2xx.
    pub(crate) answered: BTreeSet<&'static str>,
    /// Where payments were created.
    pub(crate) created: BTreeSet<String>,
    pub(crate) reasons: BTreeSet<String>,
    pub(crate) codes: BTreeSet<String>,
}

impl Contents {
    pub(crate) fn of_all() -> Self {
        let mut contents = Self::default();
        for (chapter, _) in CHAPTERS {
            files::read(chapter).iter().for_each(|block| contents.add(block));
        }
        contents
    }

    fn add(&mut self, block: &str) {
        for code in block.split("\"code\":\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            self.codes.insert(code.to_owned());
        }
        let status_line = block.lines().find_map(|line| line.strip_prefix("< "));
        let mut words = status_line.unwrap_or_default().split(' ');
        let (status, reason) = (words.next().unwrap_or_default(), words.next());
        self.reasons.extend(reason.map(str::to_owned));
        // Warnings and call-backs carry no reason's id; the tests of reasons show that these are they.
        let case = block.split_once(" the case of ").and_then(|(_, rest)| rest.split(' ').next());
        self.reasons.extend(case.map(str::to_owned));
        let Some(request) = block.lines().nth(1).and_then(|line| line.strip_prefix("> ")) else { return };
        self.calls += 1;
        let Some((method, target)) = request.split_once(' ') else { return };
        let path = target.split('?').next().unwrap_or_default();
        let tables = OPERATIONS.iter().chain(SANDBOX_OPERATIONS);
        let Some(operation) = tables.into_iter().find(|row| row.method == method && is_at(row, path)) else {
            return;
        };
        if status.starts_with('2') {
            self.answered.insert(operation.name);
            if operation.name == "createPayment" {
                self.created.insert(path.to_owned());
            }
        }
    }
}

/// Whether the path is one of the operation.
fn is_at(operation: &Operation, path: &str) -> bool {
    let (wanted, found): (Vec<_>, Vec<_>) = (operation.path.split('/').collect(), path.split('/').collect());
    wanted.len() == found.len() && wanted.iter().zip(found).all(|(wanted, found)| fits(wanted, found))
}

fn fits(wanted: &str, found: &str) -> bool {
    match wanted.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(choices) if choices.contains('|') => choices.split('|').any(|choice| choice == found),
        Some(_) => !found.is_empty(),
        None => wanted == found,
    }
}
