//! How long a connection waits.

/// How long a statement waits for another node's transaction before it fails.
pub(super) const LOCK_SECONDS_MAX: u64 = 5;
/// How long a server may take for an answer. Our statements are short; one may wait for two locks, its turn at a row
/// and the row, and is then refused by the server, which says more.
pub(super) const ANSWER_SECONDS_MAX: u64 = 3 * LOCK_SECONDS_MAX;

/// Lifts, in an open transaction, the limits that the role or the server sets for statements and transactions: ours
/// counts instead. Versions before 17 have no limit for transactions.
pub(super) const LIFT_LIMITS_OF_ROLE: &str = "SET LOCAL statement_timeout TO 0;
    SELECT set_config('transaction_timeout', '0', true)
        WHERE current_setting('transaction_timeout', true) IS NOT NULL";
