//! Where a call is handled: what it brings, the books, and the ways to answer.

use chrono::{DateTime, Utc};
use parking_lot::RwLock;
use serde::Serialize;

use super::outcome::Outcome;
use crate::bank::{BankAnswer, BankCall};
use crate::error::Error;
use crate::handler_error::HandlerError;
use crate::reason::{Reason, Refusal};
use crate::sandbox::Rates;
use crate::store::sqlite::sandbox::Books;
use crate::store::sqlite::Database;
use crate::types::ID_BYTES;
use crate::wire::json::{self, Json};
use crate::wire::reader::{Member, Reader};

/// One call, and all a handler may use.
pub(in crate::sandbox) struct HandlerContext<'d> {
    pub(in crate::sandbox) database: &'d Database,
    pub(in crate::sandbox) rates: &'d Rates,
    /// Held alone while the books are replaced.
    pub(in crate::sandbox) moving: &'d RwLock<()>,
    pub(in crate::sandbox) call: &'d BankCall<'d>,
    pub(in crate::sandbox) now: DateTime<Utc>,
}

impl HandlerContext<'_> {
    /// The id at a place in the path, or the reason for which there is nothing of that id.
    pub(super) fn id<T>(
        &self,
        place: usize,
        parse: fn(&str) -> Option<T>,
        unknown: Reason,
    ) -> Result<T, Reason> {
        self.call.parameters.get(place).and_then(|text| parse(text)).ok_or(unknown)
    }

    /// The body; every fault of it at once.
    pub(super) fn body<T: Member>(&self) -> Outcome<T> {
        self.checked_body(|_, _| {})
    }

    /// The body, checked against rules that need more than its types. `check` is given the body as JSON, so that it
    /// checks what can be read, independent of other errors.
    pub(super) fn checked_body<T: Member>(&self, check: impl FnOnce(&Json<'_>, &mut Reader)) -> Outcome<T> {
        self.known_body(|tree, reader| {
            check(tree, reader);
            Ok(())
        })
    }

    /// As [`HandlerContext::checked_body`], for a `check` that queries the books too, and may fail: what is unknown to
    /// them is reported with the other faults.
    pub(super) fn known_body<T: Member>(
        &self,
        check: impl FnOnce(&Json<'_>, &mut Reader) -> Outcome<()>,
    ) -> Outcome<T> {
        let tree = Json::parse(self.call.body).map_err(Refusal::new)?;
        let mut reader = Reader::new(self.call.policy.repertoire);
        let read = T::read(&tree, &mut reader);
        check(&tree, &mut reader)?;
        settle(read, reader)
    }

    /// Bytes for a new id.
    pub(super) fn fresh(&self) -> Outcome<[u8; ID_BYTES]> {
        Ok(self.call.entropy.id_bytes(self.now)?)
    }

    /// Looks at one consistent state of the books.
    pub(super) fn read<T>(&self, work: impl FnOnce(&Books<'_>) -> Outcome<T>) -> Outcome<T> {
        inside(work, |work| self.database.read_books(work))
    }

    /// Changes the books, all or nothing: what is refused changes nothing.
    pub(super) fn write<T>(&self, work: impl FnOnce(&Books<'_>) -> Outcome<T>) -> Outcome<T> {
        inside(work, |work| self.database.write_books(work))
    }
}

/// What was read, or the refusal that the findings amount to.
pub(super) fn settle<T>(read: Option<T>, reader: Reader) -> Outcome<T> {
    match (Refusal::from_findings(reader.into_findings()), read) {
        (Some(refusal), _) => Err(refusal.into()),
        (None, Some(value)) => Ok(value),
        (None, None) => Err(Error::Internal("a body failed without a fault".to_owned()).into()),
    }
}

/// A member if it can be read. If not, reading the whole body reports why.
pub(super) fn quiet<T: Member>(object: &Json<'_>, name: &str, reader: &Reader) -> Option<T> {
    T::read(object.member(name)?, &mut Reader::new(reader.repertoire()))
}

/// Carries a refusal out of a transaction, which it ends as an error would.
fn inside<T>(
    work: impl FnOnce(&Books<'_>) -> Outcome<T>,
    transact: impl FnOnce(Box<dyn FnOnce(&Books<'_>) -> crate::error::Result<T> + '_>) -> crate::error::Result<T>,
) -> Outcome<T> {
    let mut refused = None;
    let done = transact(Box::new(|books| {
        work(books).map_err(|halt| match halt {
            HandlerError::Failed(error) => error,
            HandlerError::Refused(refusal) => {
                refused = Some(refusal);
                Error::Internal("a refused call ends its transaction".to_owned())
            }
        })
    }));
    match refused {
        Some(refusal) => Err(refusal.into()),
        None => Ok(done?),
    }
}

/// 201 with the new object and its place.
pub(super) fn created(view: &impl Serialize, path: Option<String>) -> Outcome<BankAnswer> {
    Ok(BankAnswer { status: 201, body: json::write(view)?, location: path })
}

/// 200 with the object.
pub(super) fn found(view: &impl Serialize) -> Outcome<BankAnswer> {
    Ok(BankAnswer { status: 200, body: json::write(view)?, location: None })
}

/// 204 if the object existed; else the reason.
pub(super) fn gone(was_there: bool, unknown: Reason) -> Outcome<BankAnswer> {
    match was_there {
        true => Ok(BankAnswer { status: 204, body: Vec::new(), location: None }),
        false => Err(unknown.into()),
    }
}
