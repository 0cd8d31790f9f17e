//! The settings that each connection makes.

use super::time_limits::LOCK_SECONDS_MAX;

/// How long a transaction may do nothing before the server ends it: a node that was stopped in the middle must not keep
/// its rows locked.
const IDLE_TRANSACTION_SECONDS_MAX: u64 = 10;

/// The settings that our statements rely on, with their values in SQL. An address that sets one of them is refused.
///
/// Sequential scans are off: everything is asked for by an index, and a plan that was made while a table was small
/// would read it whole also when it is not small any more, until the server counts its rows again. A scan that cannot
/// be avoided, as that of the table of migrations, then looks so dear that the server would compile it, which takes
/// longer than any of our statements: it compiles none.
pub(super) fn own_settings() -> [(&'static str, String); 8] {
    [
        ("search_path", "xs2a".to_owned()),
        ("lock_timeout", format!("'{LOCK_SECONDS_MAX}s'")),
        ("idle_in_transaction_session_timeout", format!("'{IDLE_TRANSACTION_SECONDS_MAX}s'")),
        ("default_transaction_isolation", "'read committed'".to_owned()),
        ("default_transaction_read_only", "off".to_owned()),
        ("enable_seqscan", "off".to_owned()),
        ("jit", "off".to_owned()),
        ("client_min_messages", "warning".to_owned()),
    ]
}
