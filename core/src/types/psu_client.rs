//! What the TPP forwards of the PSU's own call.

use std::fmt::{self, Debug};
use std::net::IpAddr;

use uuid::Uuid;

/// What the TPP forwarded about the PSU's own call: for the bank's risk analysis, for what its SCA site shows, and for
/// the audit. Never answered.
///
/// Source: contract, "Headers" (the forwarded PSU values and TPP-Brand-Logging-Information, and
/// TPP-Redirect-Preferred).
#[derive(Clone, Default, PartialEq, Eq)]
pub struct PsuClient {
    /// PSU-IP-Address. Without it the PSU is not there.
    pub ip_address: Option<IpAddr>,
    /// PSU-IP-Port.
    pub ip_port: Option<u16>,
    /// PSU-HTTP-Method.
    pub http_method: Option<String>,
    /// PSU-User-Agent.
    pub user_agent: Option<String>,
    /// PSU-Accept.
    pub accept: Option<String>,
    /// PSU-Accept-Charset.
    pub accept_charset: Option<String>,
    /// PSU-Accept-Encoding.
    pub accept_encoding: Option<String>,
    /// PSU-Accept-Language.
    pub accept_language: Option<String>,
    /// PSU-Device-ID.
    pub device_id: Option<Uuid>,
    /// PSU-Geo-Location, as it was sent.
    pub geo_location: Option<String>,
    /// TPP-Brand-Logging-Information: the brand that the TPP uses toward the PSU.
    pub brand: Option<String>,
    /// TPP-Redirect-Preferred, where it was sent: without it a plain redirect is wanted.
    pub redirect_preferred: Option<bool>,
}

/// Log-safe: where the PSU is is theirs.
impl Debug for PsuClient {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("PsuClient").finish_non_exhaustive()
    }
}
