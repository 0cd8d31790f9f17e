//! How long a connection waits.

/// How long a statement waits for another node's transaction before it fails.
pub(super) const LOCK_SECONDS_MAX: u64 = 5;
/// How long a server may take for an answer. Our statements are short; one may wait for two locks, its turn at a row
/// and the row, and is then refused by the server, which says more.
pub(super) const ANSWER_SECONDS_MAX: u64 = 3 * LOCK_SECONDS_MAX;
