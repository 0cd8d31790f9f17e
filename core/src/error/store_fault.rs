//! Why a store failed, for the operator and for the host's own code.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

/// What a store reports when it fails: a text that is safe to log, the condition behind it where the store knows it,
/// and the cause.
///
/// ```
/// use xs2a::{Error, StoreFault};
///
/// let error = Error::Store(StoreFault::new("the lease of the table is held by node 2").locked());
/// assert!(error.is_locked() && !error.is_unreachable());
/// assert_eq!(error.to_string(), "store: the lease of the table is held by node 2");
/// ```
#[derive(Clone)]
pub struct StoreFault {
    text: String,
    condition: Option<Condition>,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// What a host can act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    Locked,
    Unreachable,
    Damaged,
}

impl StoreFault {
    /// A failure of which nothing but the text is known. The text is logged: it names no person and holds no key.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), condition: None, source: None }
    }

    /// The same, because another process or transaction holds the data: see
    /// [`Error::is_locked`](crate::Error::is_locked).
    #[must_use]
    pub fn locked(self) -> Self {
        Self { condition: Some(Condition::Locked), ..self }
    }

    /// The same, because the database gives no answer: see [`Error::is_unreachable`](crate::Error::is_unreachable).
    #[must_use]
    pub fn unreachable(self) -> Self {
        Self { condition: Some(Condition::Unreachable), ..self }
    }

    /// The same, because the stored data is damaged: see [`Error::is_damaged`](crate::Error::is_damaged).
    #[must_use]
    pub fn damaged(self) -> Self {
        Self { condition: Some(Condition::Damaged), ..self }
    }

    /// The same, with its cause: [`Error`](crate::Error) returns it as its `source()`. The cause's text is logged too.
    #[must_use]
    pub fn caused_by(self, source: impl StdError + Send + Sync + 'static) -> Self {
        Self { source: Some(Arc::new(source)), ..self }
    }

    /// The same condition and cause, with a longer text.
    #[cfg(feature = "sqlite")]
    pub(crate) fn with_prefix(self, prefix: &str) -> Self {
        Self { text: format!("{prefix}{}", self.text), ..self }
    }

    /// The text, as the store gave it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn is_locked(&self) -> bool {
        self.condition == Some(Condition::Locked)
    }

    pub(super) fn is_unreachable(&self) -> bool {
        self.condition == Some(Condition::Unreachable)
    }

    pub(super) fn is_damaged(&self) -> bool {
        self.condition == Some(Condition::Damaged)
    }

    pub(super) fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn StdError + 'static))
    }
}

impl From<String> for StoreFault {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<&str> for StoreFault {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

/// The cause by its text alone: the fields of a driver's error may hold stored values.
impl fmt::Debug for StoreFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("StoreFault")
            .field("text", &self.text)
            .field("condition", &self.condition)
            .field("source", &self.source.as_ref().map(ToString::to_string))
            .finish()
    }
}
