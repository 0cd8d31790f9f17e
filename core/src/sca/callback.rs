//! The URL the PSU is sent back to (contract: Redirect after successful SCA, Redirect after failed SCA).

use std::fmt::{self, Debug};

use uuid::Uuid;

use super::record::Authorisation;
use crate::reason::{Reason, Violation};
use crate::types::Context;

/// Where the PSU goes after SCA, and how it ended.
#[derive(Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The TPP-Redirect-URI with the parameters of the call-back.
    pub url: String,
    /// Whether the SCA succeeded.
    pub approved: bool,
    /// Why it failed, where it did: the row behind `code` and `message`.
    pub reason: Option<Reason>,
}

/// Log-safe: the URL holds a session and the ids of persons.
impl Debug for Redirect {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Redirect")
            .field("approved", &self.approved)
            .field("reason", &self.reason)
            .finish_non_exhaustive()
    }
}

/// The ids under which the TPP knows who approved.
pub(crate) struct Approved {
    pub(crate) psu_id: Uuid,
    pub(crate) corporate_id: Option<Uuid>,
    pub(crate) context: Context,
}

pub(crate) fn success(authorisation: &Authorisation, approved: &Approved) -> Redirect {
    let psu_id = approved.psu_id.to_string();
    let corporate_id = approved.corporate_id.map(|id| id.to_string());
    let mut parameters = vec![("psu-id", psu_id.as_str())];
    if let Some(corporate_id) = &corporate_id {
        parameters.push(("psu-corporate-id", corporate_id));
    }
    parameters.push(("tpp-session-id", &authorisation.session_id));
    parameters.push(("context", approved.context.as_str()));
    Redirect { url: authorisation.redirect_uri.with_parameters(&parameters), approved: true, reason: None }
}

pub(crate) fn failure(authorisation: &Authorisation, violation: &Violation) -> Redirect {
    let status = violation.reason.status().to_string();
    let message = violation.text(authorisation.language);
    let parameters = [
        ("system", "xs2a"),
        ("status", status.as_str()),
        ("code", violation.reason.code().as_str()),
        ("message", message.as_str()),
    ];
    Redirect {
        url: authorisation.redirect_uri.with_parameters(&parameters),
        approved: false,
        reason: Some(violation.reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_logged_of_a_call_back_is_how_it_ended() {
        let url = "https://tpp.example/?tpp-session-id=5e551011".to_owned();
        let shown = format!("{:?}", Redirect { url, approved: true, reason: None });
        assert_eq!(shown, "Redirect { approved: true, reason: None, .. }");
    }
}
