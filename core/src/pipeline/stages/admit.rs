//! Stage 5: who the call speaks for, and whether it may read what it asks for.
//!
//! Payments need an identified PSU, or none at all for a single SCA. Account information needs a consent; an
//! SCA that would cure a refusal is a value here, which later stages make a link of.

mod account_access;
mod agreement_access;
mod caller;
mod found_account;
mod named_party;

use std::sync::Arc;

use chrono::{DateTime, Utc};

use self::caller::Caller;
use super::authorise::Authorised;
use super::parse::Parsed;
use crate::handler_error::HandlerError;
use crate::pipeline::access::{Access, ScaRequired};
use crate::pipeline::call::Call;
use crate::pipeline::call_context::CallContext;
use crate::reason::Refusal;
use crate::sca::record::Purpose;
use crate::types::{ActingPsu, Party};

/// A call whose PSU is known, where it names one.
pub(crate) struct Admitted<'r> {
    authorised: Authorised<'r>,
    psu: Option<ActingPsu>,
    party: Party,
    /// `None` once it is taken.
    access: Option<Access>,
}

impl<'r> Admitted<'r> {
    pub(crate) fn parsed(&self) -> &Parsed<'r> {
        self.authorised.parsed()
    }

    /// The request, and what is fixed for the whole call.
    pub(crate) fn context(&self) -> &'r CallContext<'r> {
        self.parsed().context()
    }

    /// The organisation identifier of the TPP.
    pub(crate) fn tpp(&self) -> &Arc<str> {
        self.authorised.tpp()
    }

    /// The name of the TPP.
    pub(crate) fn tpp_name(&self) -> Option<String> {
        self.authorised.tpp_name()
    }

    /// From when on the request id of the call counts as used.
    pub(crate) fn used_at(&self) -> DateTime<Utc> {
        self.authorised.used_at()
    }

    /// The PSU that PSU-ID names, where the call acts for one.
    pub(crate) fn psu(&self) -> Option<&ActingPsu> {
        self.psu.as_ref()
    }

    /// What the headers of a payment or basket call themselves name, also a role alone. What follows from a session or
    /// from a default is left out.
    pub(crate) fn party(&self) -> &Party {
        &self.party
    }

    /// What the call may do; `None` where that was taken before.
    pub(crate) fn take_access(&mut self) -> Option<Access> {
        self.access.take()
    }
}

/// Looks the named PSU up, and what it opened. With a `fault` the call is refused so instead.
pub(crate) fn admit(
    authorised: Authorised<'_>,
    fault: Option<Refusal>,
) -> Result<Admitted<'_>, HandlerError> {
    if let Some(refusal) = fault {
        return refuse(authorised, refusal);
    }
    let store = authorised.context().store();
    let mut party = Party::default();
    let (psu, access) = match authorised.parsed().call() {
        Call::CreatePayment { .. } | Call::OnPayment(..) | Call::CreateBasket | Call::OnBasket(..) => {
            let (psu, named) = named_party::named(&authorised, store)?;
            party = named;
            (psu, Access::Open)
        }
        Call::OfBank(_) => (None, Access::Open),
        // These start an SCA: the PSU that they name is looked up where the link is made.
        Call::StartConsent | Call::IdentifyPsu => (None, Access::Open),
        Call::ReadAccounts(requested) => (None, account_access::access(&authorised, requested)?),
        Call::ListAgreements => agreement_access::access(&authorised, store)?,
    };
    Ok(Admitted { authorised, psu, party, access: Some(access) })
}

/// Refuses a call that would be admitted. Where an SCA would cure the reason, the answer has the link to one.
fn refuse(authorised: Authorised<'_>, refusal: Refusal) -> Result<Admitted<'_>, HandlerError> {
    let code = refusal.reason().code().as_str();
    let cure = match authorised.parsed().call() {
        Call::ReadAccounts(_) if is_cured_by_consent(code) => Purpose::Consent,
        Call::ListAgreements if code == "SCA_NOT_FOUND" => Purpose::Identification,
        _ => return Err(refusal.into()),
    };
    let expected = Caller::read(&authorised, authorised.context().store())?.expected();
    let required = Access::ScaRequired(Box::new(ScaRequired { refusal, purpose: cure, expected }));
    Ok(Admitted { authorised, psu: None, party: Party::default(), access: Some(required) })
}

/// The codes that the table of access answers with a link, wherever it gives them.
fn is_cured_by_consent(code: &str) -> bool {
    matches!(
        code,
        "SCA_NOT_FOUND"
            | "SCA_EXPIRED"
            | "SCA_INVALID"
            | "CONSENT_UNKNOWN"
            | "CONSENT_INVALID"
            | "CONSENT_EXPIRED"
    )
}
