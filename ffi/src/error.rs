//! What a call of the host can go wrong with. What a TPP sent is never among it: that is a response.

use engine::Error;

use crate::abi::xs2a_str;
use crate::guard;

/// The outcome of a call. A number never changes its meaning and is never reused; a newer library may
/// return numbers that are not listed here.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum xs2a_result {
    /// Done; the outputs are written.
    XS2A_OK = 0,
    /// The configuration cannot be used: a policy key, a trust anchor, a path.
    XS2A_CONFIG = 1,
    /// The database cannot be reached, is of another version, or refused an operation.
    XS2A_STORE = 2,
    /// The bank behind the engine failed, or its answer is not allowed.
    XS2A_BANK = 3,
    /// A call that should not have been made: a mistake of the program. What is normal in operation has numbers of its
    /// own: XS2A_NOT_FOUND, XS2A_EXPIRED, XS2A_CONFLICT, XS2A_NOT_OFFERED.
    XS2A_MISUSE = 4,
    /// A bug of this library, a panic included. Please report it.
    XS2A_INTERNAL = 5,
    /// A required pointer is NULL.
    XS2A_NULL_ARGUMENT = 6,
    /// The size of a struct is unknown to this library, or a length is larger than any memory.
    XS2A_BAD_SIZE = 7,
    /// A text is not UTF-8.
    XS2A_NOT_UTF8 = 8,
    /// An argument has a wrong form: a time, a context, JSON.
    XS2A_BAD_ARGUMENT = 9,
    /// The connection to PostgreSQL was lost during a commit, and its outcome is unknown: the operation may have
    /// been done. Every function that can return XS2A_STORE can return this too.
    XS2A_OUTCOME_UNKNOWN = 10,
    /// What the call names does not exist: an authorisation, a payment, a dead letter, a member of JSON. Normal in
    /// operation.
    XS2A_NOT_FOUND = 11,
    /// The authorisation is used, or older than 10 minutes. Normal in operation: show the PSU that the link is over.
    XS2A_EXPIRED = 12,
    /// The state of the payment does not allow the call. Normal in operation: another channel was faster.
    XS2A_CONFLICT = 13,
    /// An account of the PSU's choice is not among those that the bank offers now. Let the PSU choose again.
    XS2A_NOT_OFFERED = 14,
}

use xs2a_result::*;

/// What went wrong. Owned by the caller: free it with xs2a_error_free().
#[derive(Debug)]
pub struct xs2a_error {
    code: xs2a_result,
    message: String,
}

impl xs2a_error {
    pub(crate) fn code(&self) -> xs2a_result {
        self.code
    }

    pub(crate) fn null(argument: &str) -> Self {
        Self { code: XS2A_NULL_ARGUMENT, message: format!("`{argument}` is NULL") }
    }

    pub(crate) fn size(argument: &str) -> Self {
        Self {
            code: XS2A_BAD_SIZE,
            message: format!(
                "the size of `{argument}` is none that can be: of a struct, none this library knows"
            ),
        }
    }

    pub(crate) fn not_utf8(argument: &str) -> Self {
        Self { code: XS2A_NOT_UTF8, message: format!("`{argument}` is not UTF-8") }
    }

    /// `form`: what the argument must be, such as "a time by RFC 3339".
    pub(crate) fn argument(argument: &str, form: &str) -> Self {
        Self { code: XS2A_BAD_ARGUMENT, message: format!("`{argument}` is not {form}") }
    }

    pub(crate) fn misuse(message: String) -> Self {
        Error::Misuse(message).into()
    }

    pub(crate) fn not_found(message: String) -> Self {
        Error::NotFound(message).into()
    }

    /// Neutral on purpose: the payload of a panic may hold data of a PSU.
    pub(crate) fn panic() -> Self {
        Self { code: XS2A_INTERNAL, message: "internal: a panic inside the library".to_owned() }
    }
}

impl From<Error> for xs2a_error {
    fn from(error: Error) -> Self {
        let code = match error {
            Error::Config(_) => XS2A_CONFIG,
            Error::Store(_) | Error::Record(_) => XS2A_STORE,
            Error::OutcomeUnknown(_) => XS2A_OUTCOME_UNKNOWN,
            Error::Bank(_) | Error::BankAnswer(_) => XS2A_BANK,
            Error::Misuse(_) => XS2A_MISUSE,
            Error::NotFound(_) => XS2A_NOT_FOUND,
            Error::Expired(_) => XS2A_EXPIRED,
            Error::Conflict(_) => XS2A_CONFLICT,
            Error::NotOffered(_) => XS2A_NOT_OFFERED,
            _ => XS2A_INTERNAL,
        };
        Self { code, message: error.to_string() }
    }
}

/// The result the failed call returned; XS2A_OK where `error` is NULL.
#[no_mangle]
pub extern "C" fn xs2a_error_code(error: Option<&xs2a_error>) -> xs2a_result {
    guard::total(XS2A_INTERNAL, || error.map_or(XS2A_OK, xs2a_error::code))
}

/// One line in English, safe to log: it has no data of a PSU and no key of its own. It may repeat an argument,
/// with control characters and line breaks escaped. Lives as long as `error`; empty where that is NULL.
#[no_mangle]
pub extern "C" fn xs2a_error_message(error: Option<&xs2a_error>) -> xs2a_str {
    guard::total(xs2a_str::EMPTY, || error.map_or(xs2a_str::EMPTY, |error| xs2a_str::of(&error.message)))
}

/// Frees an error. NULL is fine.
#[no_mangle]
pub extern "C" fn xs2a_error_free(error: Option<Box<xs2a_error>>) {
    guard::total((), || drop(error));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_of_the_core_has_its_number() {
        let text = String::new;
        let pairs = [
            (Error::Config(text()), XS2A_CONFIG),
            (Error::Store(text().into()), XS2A_STORE),
            (Error::Record(text().into()), XS2A_STORE),
            (Error::OutcomeUnknown(text().into()), XS2A_OUTCOME_UNKNOWN),
            (Error::Bank(text()), XS2A_BANK),
            (Error::BankAnswer(text()), XS2A_BANK),
            (Error::Misuse(text()), XS2A_MISUSE),
            (Error::NotFound(text()), XS2A_NOT_FOUND),
            (Error::Expired(text()), XS2A_EXPIRED),
            (Error::Conflict(text()), XS2A_CONFLICT),
            (Error::NotOffered(text()), XS2A_NOT_OFFERED),
            (Error::Internal(text()), XS2A_INTERNAL),
        ];
        for (error, code) in pairs {
            assert_eq!(xs2a_error::from(error).code, code);
        }
    }
}
