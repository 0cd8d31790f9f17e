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
        modulus: match columns.value::<u8>()? {
            11 => Modulus::Eleven,
            _ => Modulus::Ten,
        },
        digits_min: columns.value()?,
        digits_max: columns.value()?,
    })
}
