//! KID agreements that were looked up since the bank's books changed last: nearly every payment asks for one.

use std::collections::HashMap;

use parking_lot::Mutex;

use crate::error::Result;
use crate::store::sqlite::Database;
use crate::types::{Bban, KidAgreement};

/// How many creditors are remembered.
const CREDITORS_MAX: usize = 1024;

/// What the books say of creditors, as long as they say so.
#[derive(Debug, Default)]
pub(super) struct KnownAgreements(Mutex<OfEdition>);

#[derive(Debug, Default)]
struct OfEdition {
    edition: u64,
    agreements: HashMap<Bban, Option<KidAgreement>>,
}

impl KnownAgreements {
    /// The KID agreement of the account with that number.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub(super) fn look_up(&self, database: &Database, creditor: &Bban) -> Result<Option<KidAgreement>> {
        let ask = || database.read_books_once(|books| books.kid_agreement(creditor));
        // Taken before the books are asked: what changes them meanwhile makes another edition.
        let Some(edition) = database.books_edition() else { return ask() };
        if let Some(known) = self.known(edition, creditor) {
            return Ok(known);
        }
        let found = ask()?;
        self.remember(edition, *creditor, found);
        Ok(found)
    }

    fn known(&self, edition: u64, creditor: &Bban) -> Option<Option<KidAgreement>> {
        let known = self.0.lock();
        known.agreements.get(creditor).filter(|_| known.edition == edition).copied()
    }

    fn remember(&self, edition: u64, creditor: Bban, found: Option<KidAgreement>) {
        let mut known = self.0.lock();
        if known.edition != edition || known.agreements.len() >= CREDITORS_MAX {
            *known = OfEdition { edition, agreements: HashMap::new() };
        }
        known.agreements.insert(creditor, found);
    }
}

#[cfg(test)]
mod tests {
    use super::super::default_data;
    use super::*;
    use crate::types::Modulus;

    const AGREED: KidAgreement =
        KidAgreement { required: true, modulus: Modulus::Ten, digits_min: 2, digits_max: 25 };

    #[test]
    fn what_the_books_say_counts_from_when_they_say_it() {
        let directory = tempfile::tempdir().unwrap();
        let file = Database::open_file(directory.path().join("bank.db")).unwrap();
        for database in [Database::open_memory().unwrap(), file] {
            default_data::load(&database).unwrap();
            let known = KnownAgreements::default();
            let creditor = Bban::parse("95360573002").unwrap();
            let look_up = || known.look_up(&database, &creditor).unwrap();
            assert_eq!((look_up(), look_up()), (None, None));
            let account = default_data::account_id(creditor.as_str());
            let before = database.image().unwrap();
            database.write_books(|books| books.insert_kid_agreement(&account, &AGREED)).unwrap();
            assert_eq!((look_up(), look_up()), (Some(AGREED), Some(AGREED)));
            database.replace_by(Database::from_image(&before).unwrap()).unwrap();
            assert_eq!(look_up(), None);
        }
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let database = Database::open_memory().unwrap();
        let known = KnownAgreements::default();
        for number in 0..2 * CREDITORS_MAX {
            let creditor = Bban::parse(&format!("{number:011}")).unwrap();
            assert_eq!(known.look_up(&database, &creditor).unwrap(), None);
            assert!(known.0.lock().agreements.len() <= CREDITORS_MAX);
        }
    }
}
