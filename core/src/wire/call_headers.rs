//! The headers that speak of the call: one table of names, forms and the sets that require them.
//!
//! Source: contract, "Headers". All violations are gathered; the path of each is the header's name. The
//! signature's own headers are read by [`crate::tpp`]; here they are only required.

use std::net::IpAddr;

use uuid::Uuid;

use super::headers::Headers;
use crate::operation::HeaderSet;
use crate::reason::{Finding, Reason, Refusal, Violation};
use crate::types::{Context, GeoLocation, IdentityNumber, RedirectUri};

/// Longest TPP-Session-ID.
const SESSION_ID_BYTES_MAX: usize = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Presence {
    Required,
    /// Required unless policy `require_session_headers` is off.
    Session,
    Optional,
}

/// How a value is read.
type Form<T> = fn(&str) -> Result<T, Violation>;

macro_rules! call_headers {
    ($( $(#[$doc:meta])* $field:ident: $type:ty = $name:literal $form:ident [$($presence:ident)+]; )+) => {
        /// The values that later stages use.
        #[derive(Debug)]
        pub struct CallHeaders { $( $(#[$doc])* pub $field: Option<$type>, )+ }

        impl CallHeaders {
            fn read_all(reader: &mut FieldReader<'_>) -> Self {
                Self { $( $field: reader.read($name, $form, &[$(Presence::$presence),+]), )+ }
            }
        }
    };
}

call_headers! {
    // A header of four columns is optional in the sandbox's calls, without and with a body.
    //                                                             creation  basket   details  plain    sandbox, body
    /// Names of future changes to enable early.
    accept_fix: Vec<String> = "x-accept-fix" names                [Session  Session  Session  Optional];
    /// Unique per call.
    request_id: Uuid = "X-Request-ID" uuid                        [Required Required Required Required
                                                                   Required Required];
    /// The TPP's session with the PSU.
    session_id: String = "TPP-Session-ID" session_id              [Session  Session  Session  Optional];
    /// Where the PSU returns after SCA.
    redirect_uri: RedirectUri = "TPP-Redirect-URI" redirect_uri   [Required Required Required Required];
    /// Whether a plain redirect is wanted.
    _redirect_preferred: bool = "TPP-Redirect-Preferred" boolean  [Optional Optional Optional Optional];
    /// Present or not; read where the body is verified.
    _digest: () = "Digest" any                                    [Required Optional Optional Optional
                                                                   Optional Required];
    /// Present; read where the certificate is identified.
    _certificate: () = "TPP-Signature-Certificate" any            [Required Required Required Required
                                                                   Required Required];
    /// Present; read where the signature is verified.
    _signature: () = "Signature" any                              [Required Required Required Required
                                                                   Required Required];
    /// Present; read where the signature is verified.
    _date: () = "Date" any                                        [Required Required Required Required
                                                                   Required Required];
    /// The person, as this TPP knows them.
    psu_id: Uuid = "PSU-ID" uuid                                  [Optional Optional Optional Optional];
    /// The corporate customer, as this TPP knows it.
    psu_corporate_id: Uuid = "PSU-Corporate-ID" uuid              [Optional Optional Optional Optional];
    /// The person, by national identity number.
    identity: IdentityNumber = "X-PSU-IDENTITY" identity_number   [Optional Optional Optional Optional];
    /// Private or corporate.
    context: Context = "PSU-Context" context                      [Optional Optional Optional Optional];
    /// The PSU's address: its absence means that the PSU is not there.
    ip_address: IpAddr = "PSU-IP-Address" ip_address              [Required Required Optional Optional];
    /// Forwarded.
    _ip_port: u16 = "PSU-IP-Port" port                            [Optional Optional Optional Optional];
    /// Forwarded.
    _http_method: () = "PSU-HTTP-Method" method                   [Optional Optional Optional Optional];
    /// Forwarded.
    _device_id: Uuid = "PSU-Device-ID" uuid                       [Optional Optional Optional Optional];
    /// Forwarded.
    _geo_location: GeoLocation = "PSU-Geo-Location" geo_location  [Optional Optional Optional Optional];
}

impl CallHeaders {
    /// Reads the headers of a call.
    ///
    /// # Errors
    /// A refusal with every missing and every malformed header.
    pub fn read(headers: &Headers<'_>, set: HeaderSet, require_session: bool) -> Result<Self, Refusal> {
        let mut reader = FieldReader { headers, set, require_session, findings: Vec::new() };
        let call = Self::read_all(&mut reader);
        call.check_psu(&mut reader);
        match Refusal::from_findings(reader.findings) {
            Some(refusal) => Err(refusal),
            None => Ok(call),
        }
    }

    /// A payment names its PSU by PSU-ID, or leaves it to a single SCA by naming the context. A signing basket
    /// names its PSU.
    fn check_psu(&self, reader: &mut FieldReader<'_>) {
        let may_stand_in = match reader.set {
            HeaderSet::PaymentCreation | HeaderSet::Basket => true,
            HeaderSet::BasketCreation => false,
            HeaderSet::TransactionDetails
            | HeaderSet::Plain
            | HeaderSet::Sandbox
            | HeaderSet::SandboxWithDigest => return,
        };
        let is_stood_in_for = may_stand_in && reader.headers.has("PSU-Context");
        if !reader.headers.has("PSU-ID") && !is_stood_in_for {
            reader.findings.push(Finding::error(Reason::HeaderMissing, "PSU-ID"));
        }
        let is_corporate = self.context == Some(Context::Corporate);
        if is_corporate && self.psu_id.is_some() && !reader.headers.has("PSU-Corporate-ID") {
            reader.findings.push(Finding::error(Reason::CorporateIdMissing, "PSU-Corporate-ID"));
        }
    }

    /// The names in `x-accept-fix`.
    pub fn accepted_fixes(&self) -> &[String] {
        self.accept_fix.as_deref().unwrap_or_default()
    }
}

struct FieldReader<'r> {
    headers: &'r Headers<'r>,
    set: HeaderSet,
    require_session: bool,
    findings: Vec<Finding>,
}

impl FieldReader<'_> {
    fn read<T>(&mut self, name: &'static str, form: Form<T>, columns: &[Presence]) -> Option<T> {
        let Some(text) = self.headers.text(name) else {
            if self.requires(columns) {
                self.findings.push(Finding::error(Reason::HeaderMissing, name));
            }
            return None;
        };
        // Bytes that are not UTF-8 fit no form; the form says so better than a word about encodings.
        match form(&text.unwrap_or_default()) {
            Ok(value) => Some(value),
            Err(violation) => {
                self.findings.push(Finding::error(violation, name));
                None
            }
        }
    }

    fn requires(&self, columns: &[Presence]) -> bool {
        let column = match self.set {
            HeaderSet::PaymentCreation => 0,
            HeaderSet::Basket | HeaderSet::BasketCreation => 1,
            HeaderSet::TransactionDetails => 2,
            HeaderSet::Plain => 3,
            HeaderSet::Sandbox => 4,
            HeaderSet::SandboxWithDigest => 5,
        };
        match columns.get(column) {
            Some(Presence::Required) => true,
            Some(Presence::Session) => self.require_session,
            _ => false,
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "one of the forms of the table")]
fn any(_text: &str) -> Result<(), Violation> {
    Ok(())
}

fn uuid(text: &str) -> Result<Uuid, Violation> {
    // The 36-character form alone: braces and URNs are not what the header is said to hold.
    let parsed = Uuid::try_parse(text).ok().filter(|_| text.len() == uuid::fmt::Hyphenated::LENGTH);
    parsed.ok_or_else(|| Reason::HeaderNotUuid.into())
}

fn session_id(text: &str) -> Result<String, Violation> {
    match text.len() {
        0 => Err(Reason::HeaderEmpty.into()),
        1..=SESSION_ID_BYTES_MAX => Ok(text.to_owned()),
        _ => Err(Violation::with(Reason::HeaderTooLong, &[&SESSION_ID_BYTES_MAX])),
    }
}

/// Comma-separated names; clients in the field put the list in quotes.
#[expect(clippy::unnecessary_wraps, reason = "one of the forms of the table")]
fn names(text: &str) -> Result<Vec<String>, Violation> {
    let names = text.trim_matches('"').split(',').map(str::trim);
    Ok(names.filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

fn redirect_uri(text: &str) -> Result<RedirectUri, Violation> {
    RedirectUri::parse(text).map_err(Violation::from)
}

fn boolean(text: &str) -> Result<bool, Violation> {
    text.parse().map_err(|_| Reason::HeaderNotBoolean.into())
}

fn identity_number(text: &str) -> Result<IdentityNumber, Violation> {
    IdentityNumber::parse(text).map_err(Violation::from)
}

fn context(text: &str) -> Result<Context, Violation> {
    Context::parse(text).map_err(Violation::from)
}

fn ip_address(text: &str) -> Result<IpAddr, Violation> {
    text.parse().map_err(|_| Reason::HeaderNotIpAddress.into())
}

fn port(text: &str) -> Result<u16, Violation> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let parsed = text.parse().ok().filter(|port| is_plain && *port > 0);
    parsed.ok_or_else(|| Reason::HeaderNotPort.into())
}

fn method(text: &str) -> Result<(), Violation> {
    match text {
        "GET" | "POST" | "PUT" | "PATCH" | "DELETE" => Ok(()),
        _ => Err(Reason::HeaderNotMethod.into()),
    }
}

fn geo_location(text: &str) -> Result<GeoLocation, Violation> {
    GeoLocation::parse(text).map_err(Violation::from)
}
