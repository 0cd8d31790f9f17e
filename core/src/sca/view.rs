//! What a TPP is shown of authorisations.

use serde::Serialize;

use super::machine::ScaStatus;
use crate::machine::Machine;
use crate::policy::Policy;
use crate::types::AuthorisationId;
use crate::wire::link::Link;

/// The absolute address of the page where the PSU answers.
pub(crate) fn sca_redirect(origin: &str, policy: &Policy, id: &AuthorisationId) -> String {
    [origin, &policy.base_path, "/sca/", id.as_str()].concat()
}

/// The answer to a started authorisation.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StartedView {
    sca_status: &'static str,
    #[serde(flatten)]
    link: LinkView,
}

impl StartedView {
    pub(crate) fn new(sca_redirect: String) -> Self {
        Self { sca_status: ScaStatus::Started.as_str(), link: LinkView::new(sca_redirect) }
    }
}

/// `{"_links":{"scaRedirect":{…}}}`: all there is to say of an SCA that the PSU goes to.
#[derive(Debug, Serialize)]
pub(crate) struct LinkView {
    #[serde(rename = "_links")]
    links: ScaLinks,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ScaLinks {
    sca_redirect: Link,
}

impl LinkView {
    pub(crate) fn new(sca_redirect: String) -> Self {
        Self { links: ScaLinks { sca_redirect: Link::get(sca_redirect) } }
    }
}
