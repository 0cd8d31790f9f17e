//! Links in answers (contract: Link object).

use serde::Serialize;

/// Where something is, and which methods it takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Link {
    /// The target: host-less, beginning with `/v1/`; absolute only for `scaRedirect`.
    pub href: String,
    /// The methods.
    pub verbs: &'static [&'static str],
}

impl Link {
    /// A link that takes those methods.
    pub(crate) fn of(href: String, verbs: &'static [&'static str]) -> Self {
        Self { href, verbs }
    }

    /// A link that is read.
    pub(crate) fn get(href: String) -> Self {
        Self { href, verbs: &["GET"] }
    }

    /// A link that is read, and deleted.
    pub(crate) fn get_and_delete(href: String) -> Self {
        Self { href, verbs: &["GET", "DELETE"] }
    }

    /// A link that is posted to.
    pub(crate) fn post(href: String) -> Self {
        Self { href, verbs: &["POST"] }
    }
}
