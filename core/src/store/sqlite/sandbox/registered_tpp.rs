//! TPPs with certificates of the sandbox's own test PKI.

use rusqlite::{params, Row};

use super::books::Books;
use crate::error::Result;
use crate::store::sqlite::columns::Columns;

/// A registered TPP. Its private key is one of those that ship with the sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredTpp {
    /// Its authorisation number (ETSI TS 119 495), such as PSDNO-FSA-123456.
    pub organisation_id: String,
    /// Its name.
    pub name: String,
    /// Its roles as they were given, such as PISP or PSP_PI; without spaces.
    pub roles: Vec<String>,
    /// Its certificate, in DER.
    pub certificate: Vec<u8>,
    /// Which of the test keys it has.
    pub key_index: u32,
    /// The serial number of its certificate, big-endian.
    pub serial: Vec<u8>,
}

const INSERT: &str = "INSERT INTO sandbox_tpp \
    (organisation_id, name, roles, certificate, key_index, serial) VALUES (?, ?, ?, ?, ?, ?)";
const SELECT: &str =
    "SELECT organisation_id, name, roles, certificate, key_index, serial FROM sandbox_tpp ORDER BY number";
const SELECT_ONE: &str = "SELECT organisation_id, name, roles, certificate, key_index, serial \
    FROM sandbox_tpp WHERE organisation_id = ?";

impl Books<'_> {
    /// Registers a TPP.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store), of one that is registered too.
    pub fn insert_tpp(&self, tpp: &RegisteredTpp) -> Result<()> {
        let RegisteredTpp { organisation_id, name, roles, certificate, key_index, serial } = tpp;
        self.change(INSERT, params![organisation_id, name, roles.join(" "), certificate, key_index, serial])?;
        Ok(())
    }

    /// Whether a TPP is registered.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn tpp_exists(&self, organisation_id: &str) -> Result<bool> {
        let query = "SELECT 1 FROM sandbox_tpp WHERE organisation_id = ?";
        Ok(self.row(query, [organisation_id], |_| Ok(()))?.is_some())
    }

    /// The registered TPP of that authorisation number.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn tpp(&self, organisation_id: &str) -> Result<Option<RegisteredTpp>> {
        self.row(SELECT_ONE, [organisation_id], read)
    }

    /// Every registered TPP, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn tpps(&self) -> Result<Vec<RegisteredTpp>> {
        self.rows(SELECT, [], read)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<RegisteredTpp> {
    let mut columns = Columns::of(row);
    Ok(RegisteredTpp {
        organisation_id: columns.value()?,
        name: columns.value()?,
        roles: columns.text(|text| Some(text.split_ascii_whitespace().map(str::to_owned).collect()))?,
        certificate: columns.value()?,
        key_index: columns.value()?,
        serial: columns.value()?,
    })
}
