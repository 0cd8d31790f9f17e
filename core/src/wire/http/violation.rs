//! What a message breaks, and where.

use crate::reason::{Reason, Violation};

/// The violation of a section of RFC 9112 at a byte of the message, counted from 0.
pub(super) fn malformed(section: &str, byte: usize) -> Violation {
    Violation::with(Reason::MessageMalformed, &[&section, &byte])
}
