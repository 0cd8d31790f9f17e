//! What a store keeps of SCA.

use chrono::{DateTime, Utc};

use crate::error::Result;
use crate::sca::record::Authorisation;
use crate::session::record::Session;
use crate::types::AuthorisationId;

/// Authorisations, and the sessions that a completed SCA opens.
pub trait ScaStore: Send + Sync {
    /// An authorisation.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn authorisation(&self, id: &AuthorisationId) -> Result<Option<Authorisation>>;

    /// Deletes authorisations that were created at or before that time, answered or not, at most `limit`. Returns the
    /// number of deleted rows: fewer than `limit` if none is left.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn purge_authorisations(&self, until: DateTime<Utc>, limit: usize) -> Result<usize>;

    /// The session of a TPP with that id.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn session(&self, tpp: &str, id: &str) -> Result<Option<Session>>;

    /// Whether a session that an SCA is about to open ended since that SCA began: the id was replaced, or the open
    /// session of the TPP, PSU and context has an id of which the first SCA began later.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn is_session_outdated(&self, session: &Session) -> Result<bool>;

    /// Deletes sessions that were opened at or before that time, at most `limit`. Returns their number.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn purge_sessions(&self, until: DateTime<Utc>, limit: usize) -> Result<usize>;
}
