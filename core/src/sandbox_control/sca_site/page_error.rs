//! Why a request for a page of the site ends before its page.

use crate::error::Error;
use crate::sandbox::page::{Malformed, Notice};

/// A request for a page that ends before its page.
pub(super) enum PageError {
    Notice(Notice),
    Failure(Error),
}

impl From<Notice> for PageError {
    fn from(notice: Notice) -> Self {
        Self::Notice(notice)
    }
}

impl From<Malformed> for PageError {
    fn from(fault: Malformed) -> Self {
        Self::Notice(Notice::Malformed(fault))
    }
}

impl From<Error> for PageError {
    fn from(error: Error) -> Self {
        Self::Failure(error)
    }
}
