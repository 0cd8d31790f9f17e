//! The token in every form: proof that the page which sends it is one that this bank made, for this
//! authorisation, this step, and the answers given before it.

use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::Engine as _;

use crate::crypto::mac::MacKey;
use crate::error::{Error, Result};
use crate::types::AuthorisationId;

/// Keeps the key apart from other values derived from a seed.
const LABEL: &[u8] = b"xs2a sandbox SCA page";

/// A page with a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Who is it?
    Identify,
    /// For whom does the person act?
    Role,
    /// Yes or no.
    Approve,
}

impl Step {
    /// The step as a form carries it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Identify => "identify",
            Self::Role => "role",
            Self::Approve => "approve",
        }
    }

    /// Reads what a form carries.
    pub(super) fn parse(text: &str) -> Option<Self> {
        [Self::Identify, Self::Role, Self::Approve].into_iter().find(|step| step.as_str() == text)
    }
}

/// The key of the tokens. It follows from the sandbox's seed, so that the same calls give the same pages, and a
/// snapshot taken between two pages can be continued. The seed reveals the key; then, as for browsers that report it,
/// the origin of the form decides.
#[derive(Debug, Clone)]
pub(crate) struct TokenKey(MacKey);

impl TokenKey {
    /// The key of a sandbox.
    ///
    /// # Errors
    /// [`Error::Internal`]: a bug.
    pub(crate) fn of_seed(seed: u64) -> Result<Self> {
        let key = MacKey::new(&[LABEL, &seed.to_be_bytes()].concat());
        key.map(Self).ok_or_else(|| Error::Internal("HMAC refused a key".to_owned()))
    }

    /// The token of a form whose hidden answers are these.
    pub(super) fn token(&self, id: &AuthorisationId, step: Step, answers: &[&str]) -> String {
        URL_SAFE_NO_PAD.encode(self.0.code(&message(id, step, answers)))
    }

    /// Whether a token is the one of that form.
    pub(crate) fn fits(&self, token: &str, id: &AuthorisationId, step: Step, answers: &[&str]) -> bool {
        let code = URL_SAFE_NO_PAD.decode(token);
        code.is_ok_and(|code| self.0.verifies(&message(id, step, answers), &code))
    }
}

/// Each part after its length, so that no two lists of parts give the same bytes.
fn message(id: &AuthorisationId, step: Step, answers: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in [id.as_str(), step.as_str()].iter().chain(answers) {
        bytes.extend_from_slice(&part.len().to_be_bytes());
        bytes.extend_from_slice(part.as_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_fits_its_own_form_alone() {
        let key = TokenKey::of_seed(7).unwrap();
        let id = |byte| AuthorisationId::from_bytes([byte; 18]);
        let token = key.token(&id(1), Step::Approve, &["123456", "private"]);
        assert!(key.fits(&token, &id(1), Step::Approve, &["123456", "private"]));
        assert!(!key.fits(&token, &id(2), Step::Approve, &["123456", "private"]));
        assert!(!key.fits(&token, &id(1), Step::Role, &["123456", "private"]));
        assert!(!key.fits(&token, &id(1), Step::Approve, &["123457", "private"]));
        assert!(!key.fits(&token, &id(1), Step::Approve, &["123456private"]));
        assert!(!key.fits(&token, &id(1), Step::Approve, &["123456p", "rivate"]));
        assert!(!TokenKey::of_seed(8).unwrap().fits(&token, &id(1), Step::Approve, &["123456", "private"]));
        let cut: String = token.chars().skip(1).collect();
        for other in ["", "A", &cut, &format!("{token}="), "%%%"] {
            assert!(!key.fits(other, &id(1), Step::Approve, &["123456", "private"]), "{other}");
        }
    }

    #[test]
    fn a_step_is_read_as_it_is_written() {
        for step in [Step::Identify, Step::Role, Step::Approve] {
            assert_eq!(Step::parse(step.as_str()), Some(step));
        }
        assert_eq!(Step::parse("Identify"), None);
    }
}
