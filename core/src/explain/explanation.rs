//! What an explanation says.

use serde::Serialize;

use crate::error::Result;
use crate::wire::json;

/// Why a mistake is certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Proof {
    /// The signature holds the hash of [`Explanation::signed`].
    Hash,
    /// The Digest is that of [`Explanation::signed`].
    Digest,
    /// A public key opened the signature, or did not.
    Key,
    /// The form of a header shows it.
    Form,
    /// The bank's clock shows it.
    Clock,
}

impl Proof {
    /// As it is written in an explanation.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hash => "hash",
            Self::Digest => "digest",
            Self::Key => "key",
            Self::Form => "form",
            Self::Clock => "clock",
        }
    }
}

/// Which mistake a client made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// Whether the request verifies: there is nothing to explain.
    pub ok: bool,
    /// The id of the first reason against it, such as `SIG-13`.
    pub reason: Option<&'static str>,
    /// The id of the mistake; `None` if none is proven.
    pub mistake: Option<&'static str>,
    /// What was done, and what to do instead.
    pub text: String,
    /// Why it is certain; `None` if there is no mistake.
    pub proof: Option<Proof>,
    /// The signing string as the bank builds it, if the request has what it is built from.
    pub expected: Option<String>,
    /// The text that was signed or hashed, if it was found; bytes that are not UTF-8 as `\xNN`.
    pub signed: Option<String>,
    /// How many hypotheses were tried.
    pub hypotheses: usize,
}

impl Explanation {
    /// As the text of a JSON object, the same that C gives.
    ///
    /// # Errors
    /// [`Error::Internal`](crate::Error::Internal): a bug.
    pub fn to_json(&self) -> Result<String> {
        json::write_text(self)
    }
}

/// Bytes as a text; those that are not UTF-8 as `\xNN`.
pub(super) fn shown(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf8_are_shown_in_hexadecimal() {
        assert_eq!(shown("å\n".as_bytes()), "å\n");
        assert_eq!(shown(b"a\xe5\xffb"), "a\\xE5\\xFFb");
    }
}
