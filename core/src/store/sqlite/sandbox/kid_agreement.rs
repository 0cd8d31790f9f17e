//! KID agreements of creditors' accounts.

use rusqlite::{params, Row};

use super::books::Books;
use crate::error::Result;
use crate::store::sqlite::columns::Columns;
use crate::types::{AccountId, Bban, KidAgreement, Modulus};

const SELECT: &str = "SELECT k.required, k.modulus, k.digits_min, k.digits_max FROM sandbox_kid_agreement k \
    JOIN sandbox_account a ON a.id = k.account WHERE a.bban = ?";

impl Books<'_> {
    /// Gives an account a KID agreement.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store), of an account that has one too.
    pub fn insert_kid_agreement(&self, account: &AccountId, agreement: &KidAgreement) -> Result<()> {
        let KidAgreement { required, modulus, digits_min, digits_max } = agreement;
        let values = params![account.as_str(), required, modulus.number(), digits_min, digits_max];
        self.change("INSERT INTO sandbox_kid_agreement VALUES (?, ?, ?, ?, ?)", values)?;
        Ok(())
    }

    /// The KID agreement of the account with that number.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn kid_agreement(&self, bban: &Bban) -> Result<Option<KidAgreement>> {
        self.row(SELECT, [bban.as_str()], read)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<KidAgreement> {
    let mut columns = Columns::of(row);
    Ok(KidAgreement {
        required: columns.value()?,
        modulus: columns.number(Modulus::from_number)?,
        digits_min: columns.value()?,
        digits_max: columns.value()?,
    })
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    #[test]
    fn a_modulus_that_this_library_does_not_write_is_an_error_and_no_guess() {
        let connection = Connection::open_in_memory().unwrap();
        for (modulus, expected) in
            [(10, Some(Modulus::Ten)), (11, Some(Modulus::Eleven)), (12, None), (0, None), (-1, None)]
        {
            let found = connection.query_row("SELECT 1, ?, 2, 25", [modulus], read);
            assert_eq!(found.ok().map(|agreement| agreement.modulus), expected, "{modulus}");
        }
    }
}
