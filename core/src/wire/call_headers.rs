//! The headers that speak of the call: one table of names, forms and the sets that require them.
//!
//! Source: contract, "Headers". All violations are gathered; the path of each is the header's name. The
//! signature's own headers are read by [`crate::tpp`]; here they are only required.

use std::fmt::{self, Debug};
use std::net::IpAddr;

use uuid::Uuid;

use super::described::joined;
use super::header_forms::{
    any, boolean, brand, context, forwarded, geo_location, identity_number, ip_address, method, names, port,
    redirect_uri, request_id, session_id, uuid,
};
use super::header_schemas;
use super::headers::Headers;
use super::schema::Schema;
use crate::operation::HeaderSet;
use crate::reason::{Case, Finding, Reason, Refusal, Violation};
use crate::types::{Context, GeoLocation, IdentityNumber, PsuClient, RedirectUri, RequestId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Presence {
    Required,
    /// Required unless policy `require_session_headers` is off.
    Session,
    Optional,
}

/// How a value is read.
type Form<T> = fn(&str) -> Result<T, Violation>;

/// A header of a call, as documented.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HeaderRow {
    /// Its name.
    pub name: &'static str,
    /// What it says.
    pub about: String,
    /// What its value looks like.
    pub schema: Schema,
    /// Whether a call must have it.
    pub need: HeaderNeed,
}

/// Whether a call must have a header, with the policy `require_session_headers` as it is by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeaderNeed {
    /// It must.
    Required,
    /// It must where another is absent.
    Conditional,
    /// It may.
    Optional,
}

macro_rules! call_headers {
    ($( $(#[doc = $doc:literal])+ $field:ident: $type:ty = $name:literal $form:ident [$($presence:ident)+]; )+) => {
        /// The values that later stages use.
        pub struct CallHeaders { $( $(#[doc = $doc])+ pub $field: Option<$type>, )+ }

        /// The headers that the calls of a set have something to do with.
        pub(crate) fn rows(set: HeaderSet) -> Vec<HeaderRow> {
            let rows = [ $( (
                HeaderRow {
                    name: $name,
                    about: joined(&[$( $doc ),+]),
                    schema: header_schemas::$form(),
                    need: HeaderNeed::Optional,
                },
                presence(set, &[$(Presence::$presence),+]),
            ), )+ ];
            rows.into_iter().filter_map(|(row, presence)| Some(documented(set, row, presence?))).collect()
        }

        impl CallHeaders {
            fn read_all(reader: &mut FieldReader<'_>) -> Self {
                Self { $( $field: reader.read($name, $form, &[$(Presence::$presence),+]), )+ }
            }
        }
    };
}

call_headers! {
    // A header of four columns is nothing to the sandbox's calls, without and with a body.
    //                                                             creation  basket   details  plain    sandbox, body
    /// Names of announced changes to enable early, with commas between.
    accept_fix: Vec<String> = "x-accept-fix" names                [Session  Session  Session  Optional];
    /// Unique per call of a TPP.
    request_id: RequestId = "X-Request-ID" request_id             [Required Required Required Required
                                                                   Required Required];
    /// The TPP's session with the PSU.
    session_id: String = "TPP-Session-ID" session_id              [Session  Session  Session  Optional];
    /// Where the PSU returns after SCA: https, a scheme of an app, or http of localhost.
    redirect_uri: RedirectUri = "TPP-Redirect-URI" redirect_uri   [Required Required Required Required];
    /// Whether a plain redirect is wanted, true by default; if not, the bank's app may authenticate the PSU.
    redirect_preferred: bool = "TPP-Redirect-Preferred" boolean   [Optional Optional Optional Optional];
    /// The body's hash by SHA-256 or SHA-512 (RFC 3230), such as `SHA-256=…`.
    // Present or not; read where the body is verified.
    _digest: () = "Digest" any                                    [Required Optional Optional Optional
                                                                   Optional Required];
    /// The certificate that the call is signed with: base64 of DER, or PEM.
    // Present; read where the certificate is identified.
    _certificate: () = "TPP-Signature-Certificate" any            [Required Required Required Required
                                                                   Required Required];
    /// `keyId`, `algorithm`, `headers` and `signature`.
    // Present; read where the signature is verified.
    _signature: () = "Signature" any                              [Required Required Required Required
                                                                   Required Required];
    /// When the call is made, at most 60 seconds off.
    // Present; read where the signature is verified.
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
    /// Of the PSU's own call: the port.
    ip_port: u16 = "PSU-IP-Port" port                             [Optional Optional Optional Optional];
    /// Of the PSU's own call: the method.
    http_method: String = "PSU-HTTP-Method" method                [Optional Optional Optional Optional];
    /// Of the PSU's own call: the device.
    device_id: Uuid = "PSU-Device-ID" uuid                        [Optional Optional Optional Optional];
    /// Of the PSU's own call: the place.
    geo_location: GeoLocation = "PSU-Geo-Location" geo_location   [Optional Optional Optional Optional];
    // What a browser says of itself has no form to hold it to.
    /// Of the PSU's own call: User-Agent.
    user_agent: String = "PSU-User-Agent" forwarded               [Optional Optional Optional Optional];
    /// Of the PSU's own call: Accept.
    accept: String = "PSU-Accept" forwarded                       [Optional Optional Optional Optional];
    /// Of the PSU's own call: Accept-Charset.
    accept_charset: String = "PSU-Accept-Charset" forwarded       [Optional Optional Optional Optional];
    /// Of the PSU's own call: Accept-Encoding.
    accept_encoding: String = "PSU-Accept-Encoding" forwarded     [Optional Optional Optional Optional];
    /// Of the PSU's own call: Accept-Language.
    accept_language: String = "PSU-Accept-Language" forwarded     [Optional Optional Optional Optional];
    /// The brand that the TPP uses toward the PSU.
    brand: String = "TPP-Brand-Logging-Information" brand         [Optional Optional Optional Optional];
}

/// What a bank's policies say about headers.
#[derive(Debug, Clone, Copy)]
pub struct HeaderRules<'p> {
    /// Whether `x-accept-fix` and `TPP-Session-ID` are required where the contract says so.
    pub require_session: bool,
    /// Whether `X-Request-ID` must be a UUID.
    pub needs_uuid: bool,
    /// Schemes that `TPP-Redirect-URI` may have beside https and those that hold a dot.
    pub redirect_schemes: &'p [String],
}

impl CallHeaders {
    /// Reads the headers of a call.
    ///
    /// # Errors
    /// A refusal with every missing and every malformed header.
    pub fn read(headers: &Headers<'_>, set: HeaderSet, rules: HeaderRules<'_>) -> Result<Self, Refusal> {
        let mut reader = FieldReader { headers, set, rules, findings: Vec::new() };
        let call = Self::read_all(&mut reader);
        call.check_rules(&mut reader);
        call.check_psu(&mut reader);
        match Refusal::from_findings(reader.findings) {
            Some(refusal) => Err(refusal),
            None => Ok(call),
        }
    }

    /// What the bank's policies ask of single headers.
    fn check_rules(&self, reader: &mut FieldReader<'_>) {
        let HeaderRules { redirect_schemes, needs_uuid, .. } = reader.rules;
        if needs_uuid && self.request_id.is_some_and(|id| id.uuid().is_none()) {
            reader.findings.push(Finding::error(Reason::HeaderNotUuid, "X-Request-ID"));
        }
        let checked = self.redirect_uri.as_ref().map(|uri| uri.check(redirect_schemes));
        if let Some(Err(violation)) = checked {
            reader.findings.push(Finding::error(violation, "TPP-Redirect-URI"));
        }
    }

    /// A payment names its PSU by PSU-ID, or leaves it to a single SCA by naming the context. A signing basket
    /// names its PSU.
    fn check_psu(&self, reader: &mut FieldReader<'_>) {
        let context_suffices = match psu_need(reader.set) {
            PsuNeed::NamedOrContext => true,
            PsuNeed::Named => false,
            PsuNeed::None => return,
        };
        let is_replaced = context_suffices && reader.headers.has("PSU-Context");
        if !reader.headers.has(PSU_ID) && !is_replaced {
            let missing = match context_suffices {
                true => Violation::of_case(Case::PsuNotNamed, &[]),
                false => Reason::HeaderMissing.into(),
            };
            reader.findings.push(Finding::error(missing, PSU_ID));
        }
        let is_corporate = self.context == Some(Context::Corporate);
        if is_corporate && self.psu_id.is_some() && !reader.headers.has("PSU-Corporate-ID") {
            reader.findings.push(Finding::error(Reason::CorporateIdMissing, "PSU-Corporate-ID"));
        }
    }

    /// What the TPP forwarded about the PSU's own call: for the bank and the audit, never part of an answer.
    pub fn psu_client(&self) -> PsuClient {
        let said = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        PsuClient {
            ip_address: self.ip_address,
            ip_port: self.ip_port,
            http_method: self.http_method.clone(),
            user_agent: said(&self.user_agent),
            accept: said(&self.accept),
            accept_charset: said(&self.accept_charset),
            accept_encoding: said(&self.accept_encoding),
            accept_language: said(&self.accept_language),
            device_id: self.device_id,
            geo_location: self.geo_location.map(GeoLocation::to_header),
            brand: said(&self.brand),
            redirect_preferred: self.redirect_preferred,
        }
    }

    /// The names in `x-accept-fix`.
    pub fn accepted_fixes(&self) -> &[String] {
        self.accept_fix.as_deref().unwrap_or_default()
    }
}

/// Log-safe: who is named, and from where, is the PSU's.
impl Debug for CallHeaders {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("CallHeaders").field("request_id", &self.request_id).finish_non_exhaustive()
    }
}

const PSU_ID: &str = "PSU-ID";

/// Whether a call must name its PSU.
enum PsuNeed {
    /// By PSU-ID.
    Named,
    /// By PSU-ID, or the context for a single SCA.
    NamedOrContext,
    /// It need not.
    None,
}

fn psu_need(set: HeaderSet) -> PsuNeed {
    match set {
        HeaderSet::PaymentCreation | HeaderSet::Basket => PsuNeed::NamedOrContext,
        HeaderSet::BasketCreation => PsuNeed::Named,
        HeaderSet::TransactionDetails
        | HeaderSet::Plain
        | HeaderSet::Sandbox
        | HeaderSet::SandboxWithDigest => PsuNeed::None,
    }
}

struct FieldReader<'r> {
    headers: &'r Headers<'r>,
    set: HeaderSet,
    rules: HeaderRules<'r>,
    findings: Vec<Finding>,
}

impl FieldReader<'_> {
    fn read<T>(&mut self, name: &'static str, form: Form<T>, columns: &[Presence]) -> Option<T> {
        // What a call has nothing to do with is not looked at.
        let presence = presence(self.set, columns)?;
        let Some(text) = self.headers.text(name) else {
            if self.requires(presence) {
                self.findings.push(Finding::error(Reason::HeaderMissing, name));
            }
            return None;
        };
        // Bytes that are not UTF-8 match no form; the text of the form explains that better than one about encodings.
        match form(&text.unwrap_or_default()) {
            Ok(value) => Some(value),
            Err(violation) => {
                self.findings.push(Finding::error(violation, name));
                None
            }
        }
    }

    fn requires(&self, presence: Presence) -> bool {
        match presence {
            Presence::Required => true,
            Presence::Session => self.rules.require_session,
            Presence::Optional => false,
        }
    }
}

/// The cell of a set in a row; `None` where the row says nothing of the set.
fn presence(set: HeaderSet, columns: &[Presence]) -> Option<Presence> {
    let column = match set {
        HeaderSet::PaymentCreation => 0,
        HeaderSet::Basket | HeaderSet::BasketCreation => 1,
        HeaderSet::TransactionDetails => 2,
        HeaderSet::Plain => 3,
        HeaderSet::Sandbox => 4,
        HeaderSet::SandboxWithDigest => 5,
    };
    columns.get(column).copied()
}

/// A row as documented for a set. For PSU-ID the columns are incomplete.
fn documented(set: HeaderSet, row: HeaderRow, presence: Presence) -> HeaderRow {
    let said = |more: &str| format!("{} {more}", row.about);
    let (need, about) = match (row.name, psu_need(set), presence) {
        (PSU_ID, PsuNeed::NamedOrContext, _) => {
            (HeaderNeed::Conditional, said("It must be there where PSU-Context is not."))
        }
        (PSU_ID, PsuNeed::Named, _) | (.., Presence::Required) => (HeaderNeed::Required, row.about),
        (.., Presence::Session) => {
            (HeaderNeed::Required, said("It may be missing where the bank's policy says so."))
        }
        (.., Presence::Optional) => (HeaderNeed::Optional, row.about),
    };
    HeaderRow { about, need, ..row }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRICT: HeaderRules<'_> =
        HeaderRules { require_session: true, needs_uuid: true, redirect_schemes: &[] };

    /// The call headers of a plain call with these fields.
    fn read(fields: &[(&str, &[u8])]) -> CallHeaders {
        let needed: [(&str, &[u8]); 5] = [
            ("X-Request-ID", b"67e55044-10b1-426f-9247-bb680e5fe0c8"),
            ("TPP-Redirect-URI", b"https://tpp.example/"),
            ("TPP-Signature-Certificate", b"x"),
            ("Signature", b"x"),
            ("Date", b"x"),
        ];
        let fields = [&needed, fields].concat();
        CallHeaders::read(&Headers::parse(&fields).unwrap(), HeaderSet::Plain, STRICT).unwrap()
    }

    #[test]
    fn it_is_reported_whether_psu_context_replaces_psu_id() {
        let documented = |set| {
            let refusal = CallHeaders::read(&Headers::unchecked(&[]), set, STRICT).err().unwrap();
            let of_psu = refusal.findings().find(|finding| finding.path.as_deref() == Some(PSU_ID)).cloned();
            of_psu.map(|finding| (finding.violation.reason, finding.violation.case))
        };
        let expected = |case| Some((Reason::HeaderMissing, case));
        assert_eq!(documented(HeaderSet::PaymentCreation), expected(Some(Case::PsuNotNamed)));
        assert_eq!(documented(HeaderSet::Basket), expected(Some(Case::PsuNotNamed)));
        assert_eq!(documented(HeaderSet::BasketCreation), expected(None));
        assert_eq!(documented(HeaderSet::Plain), None);
    }

    #[test]
    fn a_session_id_is_text_that_is_not_empty() {
        assert_eq!(session_id("ø").as_deref(), Ok("ø"));
        for value in [&b""[..], b" ", b"\xE6"] {
            let refusal = CallHeaders::read(
                &Headers::unchecked(&[("TPP-Session-ID", value)]),
                HeaderSet::Plain,
                STRICT,
            );
            let refusal = refusal.err().unwrap();
            let mut reasons =
                refusal.findings().filter(|found| found.path.as_deref() == Some("TPP-Session-ID"));
            assert_eq!(reasons.next().unwrap().violation.reason, Reason::HeaderEmpty);
        }
    }

    #[test]
    fn every_forwarded_value_reaches_the_bank() {
        let client = read(&[
            ("PSU-IP-Address", b"2001:db8::1"),
            ("PSU-IP-Port", b"65535"),
            ("PSU-HTTP-Method", b"PATCH"),
            ("PSU-User-Agent", b"Mozilla/5.0"),
            ("PSU-Accept", b"text/html"),
            ("PSU-Accept-Charset", b"utf-8"),
            ("PSU-Accept-Encoding", b"br"),
            ("PSU-Accept-Language", b"nb"),
            ("PSU-Device-ID", b"99435c7e-ad88-49ec-a2ad-99ddcb1f5555"),
            ("PSU-Geo-Location", b"GEO:59.9139,-10.7522"),
            ("TPP-Brand-Logging-Information", "Bjørns Betaling".as_bytes()),
            ("TPP-Redirect-Preferred", b"false"),
        ])
        .psu_client();
        let said = |text: &str| Some(text.to_owned());
        let expected = PsuClient {
            ip_address: "2001:db8::1".parse().ok(),
            ip_port: Some(65535),
            http_method: said("PATCH"),
            user_agent: said("Mozilla/5.0"),
            accept: said("text/html"),
            accept_charset: said("utf-8"),
            accept_encoding: said("br"),
            accept_language: said("nb"),
            device_id: Uuid::try_parse("99435c7e-ad88-49ec-a2ad-99ddcb1f5555").ok(),
            geo_location: said("GEO:59.9139,-10.7522"),
            brand: said("Bjørns Betaling"),
            redirect_preferred: Some(false),
        };
        assert!(client == expected);
        assert!(read(&[]).psu_client() == PsuClient::default());
    }

    #[test]
    fn free_text_is_forwarded_up_to_512_characters_and_then_cut() {
        for name in ["PSU-User-Agent", "TPP-Brand-Logging-Information"] {
            for (sent, kept) in [(511, 511), (512, 512), (513, 512), (16_000, 512)] {
                let client = read(&[(name, "ø".repeat(sent).as_bytes())]).psu_client();
                let text = client.user_agent.or(client.brand).unwrap();
                assert_eq!(text, "ø".repeat(kept), "{name}");
            }
        }
    }

    #[test]
    fn what_is_no_text_is_dropped_from_the_brand() {
        let brand =
            |sent: &str| read(&[("TPP-Brand-Logging-Information", sent.as_bytes())]).psu_client().brand;
        let said = |text: &str| Some(text.to_owned());
        assert_eq!(brand("Acme\u{202E} \u{2066}Pay\u{2028}\u{2029}\u{85}\u{200F}\u{FEFF}"), said("Acme Pay"));
        assert_eq!(brand("\u{202E} Acme \u{202C}"), said("Acme"));
        assert_eq!(brand("\u{202E}\u{2028}"), None);
        assert_eq!(
            brand(&format!("{}ø", "\u{202E}".repeat(600))),
            said("ø"),
            "they do not count as characters"
        );
        assert_eq!(brand("🦊 می\u{200C}خواهم"), said("🦊 می\u{200C}خواهم"));
        // The user agent of a browser is never shown.
        let client = read(&[("PSU-User-Agent", "a\u{202E}b".as_bytes())]).psu_client();
        assert_eq!(client.user_agent, said("a\u{202E}b"));
    }

    #[test]
    fn free_text_that_is_empty_or_not_utf8_is_nothing_said() {
        for value in [&b""[..], b" ", b"\xE6\xF8\xE5"] {
            let client = read(&[("PSU-User-Agent", value), ("TPP-Brand-Logging-Information", value)]);
            assert!(client.psu_client() == PsuClient::default());
        }
    }

    #[test]
    fn where_the_psu_is_does_not_show_in_a_log() {
        let client = read(&[("PSU-IP-Address", b"192.0.2.1"), ("PSU-User-Agent", b"Mozilla")]).psu_client();
        assert_eq!(format!("{client:?}"), "PsuClient { .. }");
    }
}
