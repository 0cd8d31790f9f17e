//! What a store keeps of request ids.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::error::Result;
use crate::types::RequestId;

/// An X-Request-ID that was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedRequestId {
    /// The TPP.
    pub tpp: Arc<str>,
    /// The id.
    pub request_id: RequestId,
    /// When it was used.
    pub at: DateTime<Utc>,
    /// From when on a use counts as a replay: earlier uses do not count.
    pub since: DateTime<Utc>,
}

/// The request ids of the replay window.
pub trait ReplayStore: Send + Sync {
    /// The request ids used at or after that time, oldest first, at most `limit` of the newest.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn used_request_ids(
        &self,
        since: DateTime<Utc>,
        limit: usize,
    ) -> Result<Vec<(String, RequestId, DateTime<Utc>)>>;

    /// Deletes request ids used before that time, at most `limit`. Returns their number.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); nothing is changed then.
    fn purge_request_ids(&self, before: DateTime<Utc>, limit: usize) -> Result<usize>;
}
