//! On whose behalf a person acts.

use std::fmt::{self, Display};

use crate::reason::Reason;

/// The context of a call (contract: Authentication, contexts).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Context {
    /// The person acts for themselves.
    Private,
    /// The person acts for a corporate customer.
    Corporate,
}

impl Context {
    /// Reads a `PSU-Context`, case counting.
    ///
    /// # Errors
    /// [`Reason::HeaderNotContext`].
    pub fn parse(text: &str) -> Result<Self, Reason> {
        match text {
            "PRIVATE" => Ok(Self::Private),
            "CORPORATE" => Ok(Self::Corporate),
            _ => Err(Reason::HeaderNotContext),
        }
    }

    /// The context as it is written in headers, call-backs and sandbox bodies.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Private => "PRIVATE",
            Self::Corporate => "CORPORATE",
        }
    }
}

impl Display for Context {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_contexts_are_read_and_others_refused() {
        for context in [Context::Private, Context::Corporate] {
            assert_eq!(Context::parse(context.as_str()), Ok(context));
        }
        for text in ["", "private", "PRIVATE ", "BUSINESS"] {
            assert_eq!(Context::parse(text), Err(Reason::HeaderNotContext));
        }
    }
}
