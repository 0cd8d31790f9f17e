//! The one table of refusals and warnings.
//!
//! One row per distinct cause: a stable id, the contract's code, the HTTP status, the text in English and Bokmål, and
//! the rule it rests on. No stage of the pipeline chooses a code or a status; it names a row. The order of the rows is
//! the documented precedence: where a request breaks several rules, the first row answers (violations of one body, or
//! of the header set, are answered together).
//!
//! A text may hold `{0}`, `{1}`, …: the arguments of the [`Violation`].

use std::fmt::{self, Display};

/// The codes of the contract's section "Errors".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Code(&'static str);

impl Code {
    /// The code as written in a TPP message.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl Code {
    /// Every code of the table of reasons, in the order of its first row.
    #[cfg(feature = "sandbox")]
    pub(crate) fn all() -> Vec<Self> {
        let mut codes = Vec::new();
        for code in Reason::ALL.iter().map(|reason| reason.code()) {
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        codes
    }
}

impl Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0)
    }
}

/// The language of message texts, chosen by `Accept-Language`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Language {
    /// English, the default.
    #[default]
    English,
    /// Norwegian Bokmål (nb, no, nn).
    Bokmal,
}

impl Language {
    /// Both.
    pub const ALL: [Self; 2] = [Self::English, Self::Bokmal];

    /// The language of that tag, as [`Language::tag`] writes it.
    pub fn of_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.tag() == tag)
    }

    /// The tag for `Content-Language`.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Bokmal => "nb",
        }
    }
}

/// What a row says, or what every fault that was set in the sandbox says.
macro_rules! said {
    (basis) => {
        "contract: Errors; a fault set in the sandbox"
    };
    (en) => {
        "the answer of a fault that is injected in the sandbox"
    };
    (nb) => {
        "en feil som er satt i sandkassen, svarer slik"
    };
    ($what:ident $text:literal) => {
        $text
    };
}

macro_rules! reasons {
    ($( $(#[$section:meta])* $id:literal $variant:ident $code:ident $status:literal
        $( $basis:literal $en:literal $nb:literal )?; )+) => {
        /// A distinct cause of a refusal or a warning. Variants are rows of the table, in precedence order.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Reason {
            $( #[doc = concat!("`", $id, "`: ", said!(en $($en)?))] $variant, )+
        }

        impl Reason {
            /// Every row, in precedence order.
            pub const ALL: &'static [Reason] = &[ $( Reason::$variant, )+ ];

            /// The stable id, such as `SIG-07`. Never sent to the TPP, never reused.
            pub fn id(self) -> &'static str {
                match self { $( Self::$variant => $id, )+ }
            }

            /// The contract's code.
            pub fn code(self) -> Code {
                match self { $( Self::$variant => Code(stringify!($code)), )+ }
            }

            /// The HTTP status of a refusal for this reason; 201 for rows that only ever warn.
            pub fn status(self) -> u16 {
                match self { $( Self::$variant => $status, )+ }
            }

            /// The rule this row rests on.
            pub fn basis(self) -> &'static str {
                match self { $( Self::$variant => said!(basis $($basis)?), )+ }
            }

            /// The text before its arguments are put in.
            pub fn template(self, language: Language) -> &'static str {
                match (self, language) {
                    $( (Self::$variant, Language::English) => said!(en $($en)?),
                       (Self::$variant, Language::Bokmal) => said!(nb $($nb)?), )+
                }
            }
        }
    };
}

reasons! {
    // The message itself, where it comes as bytes.
    "MSG-01" MessageMalformed FORMAT_ERROR 400 "RFC 9112"
        "the message is not one HTTP/1.1 request: see RFC 9112, section {0}, at byte {1} of it, counted from 0"
        "meldingen er ikke én HTTP/1.1-forespørsel: se RFC 9112, avsnitt {0}, ved byte {1} av den, regnet fra 0";
    // Routing.
    "RTE-06" TargetTooLong BAD_REQUEST 400 "limits: request target"
        "the request target has more than {0} bytes"
        "forespørselens mål har mer enn {0} byte";
    "RTE-01" TargetMalformed BAD_REQUEST 400 "RFC 9112: origin-form"
        "the request target is not an absolute path with an optional query"
        "forespørselens mål er ikke en absolutt sti med valgfri spørring";
    "RTE-02" PathUnknown NOT_FOUND 404 "contract: Endpoints"
        "no such path"
        "stien finnes ikke";
    "RTE-03" MethodNotAllowed BAD_REQUEST 405 "RFC 9110: 405"
        "the path does not take this method; see Allow"
        "stien tar ikke denne metoden; se Allow";
    "RTE-04" ProductUnknown PRODUCT_UNKNOWN 404 "contract: Errors"
        "no such payment product"
        "betalingsproduktet finnes ikke";
    "RTE-05" ProductNotOfService PRODUCT_INVALID 403 "contract: Errors"
        "the payment product is not offered by this service"
        "betalingsproduktet tilbys ikke av denne tjenesten";
    // Size and negotiation.
    "NEG-01" BodyTooLarge BAD_REQUEST 413 "limits: body"
        "the body has more bytes than the {0} allowed"
        "innholdet har mer enn {0} byte";
    "NEG-02" NotAcceptable BAD_REQUEST 406 "contract: Headers"
        "Accept excludes application/json, the only form there is"
        "Accept utelukker application/json, som er den eneste formen";
    "NEG-03" ContentTypeNotJson BAD_REQUEST 415 "contract: Headers"
        "the body is not application/json by its Content-Type"
        "innholdet er ikke application/json ifølge Content-Type";
    "NEG-04" BodyEncoded BAD_REQUEST 415 "RFC 9110: 415, Content-Encoding"
        "the body is compressed by its Content-Encoding; only a body as it is (identity) is read"
        "innholdet er komprimert ifølge Content-Encoding; bare innhold slik det er (identity) leses";
    // Header fields: number, size, form.
    "HDR-01" HeaderFieldsTooMany BAD_REQUEST 400 "limits: headers"
        "more than {0} header fields"
        "mer enn {0} headerfelt";
    "HDR-02" HeaderTooLong BAD_REQUEST 400 "limits: headers"
        "the header's name or value has more than {0} bytes"
        "headerens navn eller verdi har mer enn {0} byte";
    "HDR-03" HeaderByteForbidden FORMAT_ERROR 400 "RFC 9110: field values"
        "the header holds a control character at byte {0}"
        "headeren har et kontrolltegn ved byte {0}";
    "HDR-04" HeaderMissing HTTP_HEADER_REQUIRED 400 "contract: Headers"
        "the header is required"
        "headeren er påkrevd";
    "HDR-05" HeaderNotUuid FORMAT_ERROR 400 "contract: Headers; RFC 9562"
        "the header is not a UUID"
        "headeren er ikke en UUID";
    "HDR-06" HeaderNotIpAddress FORMAT_ERROR 400 "contract: Headers"
        "the header is neither an IPv4 nor an IPv6 address"
        "headeren er verken en IPv4- eller en IPv6-adresse";
    "HDR-07" HeaderNotRedirectUri FORMAT_ERROR 400 "contract: Headers; RFC 3986"
        "the header is not an absolute URI of at most {0} bytes with https or an own scheme (http only for localhost)"
        "headeren er ikke en absolutt URI på høyst {0} byte med https eller et eget skjema (http bare for localhost)";
    "HDR-08" HeaderNotBoolean FORMAT_ERROR 400 "contract: Headers"
        "the header is neither true nor false"
        "headeren er verken true eller false";
    "HDR-09" HeaderNotContext FORMAT_ERROR 400 "contract: Headers"
        "the header is neither PRIVATE nor CORPORATE"
        "headeren er verken PRIVATE eller CORPORATE";
    "HDR-10" HeaderNotMethod FORMAT_ERROR 400 "contract: Headers"
        "the header is none of GET, POST, PUT, PATCH and DELETE"
        "headeren er ingen av GET, POST, PUT, PATCH og DELETE";
    "HDR-11" HeaderNotGeoLocation FORMAT_ERROR 400 "contract: Headers"
        "the header is not GEO:latitude,longitude within range"
        "headeren er ikke GEO:breddegrad,lengdegrad innenfor gyldig område";
    "HDR-12" HeaderNotPort FORMAT_ERROR 400 "contract: Headers"
        "the header is not a port number from 1 to 65535"
        "headeren er ikke et portnummer fra 1 til 65535";
    "HDR-13" HeaderNotIdentityNumber FORMAT_ERROR 400 "contract: Headers"
        "the header does not have 11 digits"
        "headeren har ikke 11 sifre";
    "HDR-14" HeaderEmpty FORMAT_ERROR 400 "contract: Headers"
        "the header is empty, or no text in UTF-8"
        "headeren er tom, eller ikke tekst i UTF-8";
    "HDR-15" CorporateIdMissing HTTP_HEADER_REQUIRED 400 "contract: Authentication, contexts"
        "a PSU-ID with the PSU-Context CORPORATE needs PSU-Corporate-ID"
        "en PSU-ID med PSU-Context CORPORATE trenger PSU-Corporate-ID";
    // Query.
    "QRY-01" QueryParameterRepeated FORMAT_ERROR 400 "own rule: one value per parameter"
        "the query parameter occurs more than once"
        "spørreparameteren forekommer mer enn én gang";
    "QRY-02" QueryNotBoolean FORMAT_ERROR 400 "contract: Endpoints"
        "the query parameter is neither true nor false"
        "spørreparameteren er verken true eller false";
    "QRY-03" QueryParameterMissing QUERY_PARAMETER_REQUIRED 400 "contract: Errors"
        "the query parameter is required"
        "spørreparameteren er påkrevd";
    "QRY-04" QueryNotListed FORMAT_ERROR 400 "contract: Endpoints"
        "the query parameter is none of {0}"
        "spørreparameteren er ingen av {0}";
    "QRY-05" QueryNotDate FORMAT_ERROR 400 "contract: Conventions; ISO 8601"
        "the query parameter is not a date as YYYY-MM-DD"
        "spørreparameteren er ikke en dato på formen ÅÅÅÅ-MM-DD";
    "QRY-06" QueryDatesReversed FORMAT_ERROR 400 "contract: Endpoints"
        "the period ends before it begins"
        "perioden slutter før den begynner";
    "QRY-07" QueryNotInRange FORMAT_ERROR 400 "contract: Limits"
        "the query parameter is not a whole number from {0} to {1}"
        "spørreparameteren er ikke et helt tall fra {0} til {1}";
    // Certificate.
    "CRT-01" CertificateNotDecodable FORMAT_ERROR 400 "contract: Headers"
        "the certificate is neither base64 of DER nor PEM"
        "sertifikatet er verken base64 av DER eller PEM";
    "CRT-02" CertificatesTooMany BAD_REQUEST 400 "limits: certificates"
        "more than {0} certificates were sent"
        "mer enn {0} sertifikater ble sendt";
    "CRT-03" CertificateMalformed FORMAT_ERROR 400 "RFC 5280"
        "the certificate cannot be read as X.509"
        "sertifikatet kan ikke leses som X.509";
    "CRT-04" CertificateKeyUnsupported BAD_REQUEST 400 "contract: Authentication"
        "the certificate's key is not RSA of {0} to {1} bits"
        "sertifikatets nøkkel er ikke RSA med {0} til {1} biter";
    "CRT-05" CertificateExtensionUnknown BAD_REQUEST 400 "RFC 5280: critical extensions"
        "the certificate has the critical extension {0}, which is not understood"
        "sertifikatet har den kritiske utvidelsen {0}, som ikke forstås";
    "CRT-06" CertificateKeyUsage BAD_REQUEST 400 "RFC 5280: key usage"
        "the certificate's key usage allows neither digitalSignature nor contentCommitment"
        "sertifikatets nøkkelbruk tillater verken digitalSignature eller contentCommitment";
    "CRT-07" CertificateOrganisationMissing BAD_REQUEST 400 "ETSI TS 119 495: organizationIdentifier"
        "the certificate's subject has no organizationIdentifier (2.5.4.97)"
        "sertifikatets subjekt har ingen organizationIdentifier (2.5.4.97)";
    "CRT-20" CertificateOrganisationRepeated BAD_REQUEST 400 "ETSI TS 119 495: organizationIdentifier"
        "the certificate's subject has more than one organizationIdentifier (2.5.4.97)"
        "sertifikatets subjekt har mer enn én organizationIdentifier (2.5.4.97)";
    "CRT-21" CertificateOrganisationMalformed BAD_REQUEST 400 "ETSI TS 119 495: organizationIdentifier; limits: certificates"
        "the certificate's organizationIdentifier (2.5.4.97) is not a text of at most {0} printable characters"
        "sertifikatets organizationIdentifier (2.5.4.97) er ikke en tekst på høyst {0} synlige tegn";
    "CRT-22" QcStatementsMalformed BAD_REQUEST 400 "RFC 3739: qcStatements"
        "the certificate's extension QCStatements is not one SEQUENCE that can be read to its end"
        "sertifikatets utvidelse QCStatements er ikke én SEQUENCE som kan leses til slutt";
    "CRT-23" Psd2StatementRepeated BAD_REQUEST 400 "ETSI TS 119 495: PSD2 statement"
        "the certificate has more than one PSD2 statement"
        "sertifikatet har mer enn én PSD2-erklæring";
    "CRT-08" ChainUnknown BAD_REQUEST 400 "contract: What the service does"
        "no chain leads from the certificate to a trusted authority"
        "ingen kjede fører fra sertifikatet til en betrodd utsteder";
    "CRT-19" ChainAlgorithmRefused BAD_REQUEST 400 "RFC 5280: path validation; RFC 4055"
        "a certificate of the chain is signed in a way that is not accepted: {0}"
        "et sertifikat i kjeden er signert på en måte som ikke godtas: {0}";
    "CRT-09" ChainSignatureInvalid BAD_REQUEST 400 "RFC 5280: path validation"
        "a signature in the certificate chain does not verify"
        "en signatur i sertifikatkjeden stemmer ikke";
    "CRT-10" ChainIssuerNotAuthority BAD_REQUEST 400 "RFC 5280: basic constraints, key usage"
        "an issuer in the chain may not sign certificates"
        "en utsteder i kjeden har ikke lov til å signere sertifikater";
    "CRT-11" ChainExtensionUnknown BAD_REQUEST 400 "RFC 5280: critical extensions"
        "an issuer in the chain has the critical extension {0}, which is not understood"
        "en utsteder i kjeden har den kritiske utvidelsen {0}, som ikke forstås";
    "CRT-12" ChainTooLong BAD_REQUEST 400 "RFC 5280: path length; limits: chain"
        "the certificate chain is longer than an issuer in it, or this service, allows"
        "sertifikatkjeden er lengre enn en utsteder i den, eller denne tjenesten, tillater";
    "CRT-13" CertificateNotYetValid BAD_REQUEST 400 "RFC 5280: validity"
        "a certificate of the chain is not valid before {0}"
        "et sertifikat i kjeden er ikke gyldig før {0}";
    "CRT-14" CertificateExpired BAD_REQUEST 400 "RFC 5280: validity"
        "a certificate of the chain expired at {0}"
        "et sertifikat i kjeden utløp {0}";
    "CRT-15" CertificateRevoked BAD_REQUEST 400 "RFC 5280: revocation"
        "a certificate of the chain is revoked"
        "et sertifikat i kjeden er tilbakekalt";
    "CRT-16" RevocationListStale BAD_REQUEST 400 "RFC 5280: revocation; policy stale_crl"
        "the bank's revocation list for a certificate of the chain is out of date"
        "bankens tilbakekallingsliste for et sertifikat i kjeden er utdatert";
    "CRT-17" RevocationListMissing BAD_REQUEST 400 "RFC 5280: revocation; policy missing_crl"
        "the bank has no revocation list for a certificate of the chain"
        "banken har ingen tilbakekallingsliste for et sertifikat i kjeden";
    "CRT-18" CertificateTypeRefused BAD_REQUEST 400 "ETSI EN 319 412-5: QcType; policy certificate_type"
        "the certificate is not a qualified certificate of the type {0}"
        "sertifikatet er ikke et kvalifisert sertifikat av typen {0}";
    // Digest, Date, Signature.
    "DIG-01" DigestMalformed FORMAT_ERROR 400 "RFC 3230"
        "Digest is not a list of algorithm=value"
        "Digest er ikke en liste av algoritme=verdi";
    "DIG-02" DigestAlgorithmUnknown BAD_REQUEST 400 "contract: Headers"
        "Digest has neither SHA-256 nor SHA-512"
        "Digest har verken SHA-256 eller SHA-512";
    "DIG-03" DigestMismatch BAD_REQUEST 400 "contract: Authentication"
        "Digest {0} is not the digest of the body as received"
        "Digest {0} er ikke hashverdien av innholdet slik det kom fram";
    "DAT-01" DateMalformed FORMAT_ERROR 400 "RFC 9110: HTTP-date"
        "Date is not an HTTP date"
        "Date er ikke en HTTP-dato";
    "DAT-02" DateOutsideWindow BAD_REQUEST 400 "contract: Authentication"
        "Date is {0} seconds from the bank's clock; {1} are allowed"
        "Date er {0} sekunder fra bankens klokke; {1} er tillatt";
    "SIG-01" SignatureEncodedWord FORMAT_ERROR 400 "RFC 2047"
        "Signature begins as an RFC 2047 encoded word but cannot be decoded"
        "Signature begynner som et kodet ord etter RFC 2047, men kan ikke dekodes";
    "SIG-02" SignatureMalformed FORMAT_ERROR 400 "contract: Authentication"
        "Signature is not a list of key=\"value\" parts"
        "Signature er ikke en liste av deler på formen nøkkel=\"verdi\"";
    "SIG-03" SignaturePartMissing FORMAT_ERROR 400 "contract: Authentication"
        "Signature lacks its part {0}"
        "Signature mangler delen {0}";
    "SIG-04" SignaturePartRepeated FORMAT_ERROR 400 "contract: Authentication"
        "Signature has its part {0} twice"
        "Signature har delen {0} to ganger";
    "SIG-05" SignatureNotBase64 FORMAT_ERROR 400 "contract: Authentication"
        "the signature part is not base64"
        "signaturdelen er ikke base64";
    "SIG-06" SignatureAlgorithm BAD_REQUEST 400 "contract: Authentication"
        "the algorithm is not rsa-sha256"
        "algoritmen er ikke rsa-sha256";
    "SIG-14" SignedNameMalformed BAD_REQUEST 400 "contract: Authentication; RFC 9110: tokens"
        "headers in Signature lists {0}, which is no name of a header; names are separated by spaces"
        "headers i Signature har {0}, som ikke er navnet på en header; navn skilles med mellomrom";
    "SIG-07" SignedHeadersIncomplete BAD_REQUEST 400 "contract: Authentication"
        "{0} was sent, but the signature does not cover it"
        "{0} ble sendt, men signaturen dekker den ikke";
    "SIG-08" SignedHeaderAbsent BAD_REQUEST 400 "contract: Authentication"
        "the signature covers {0}, which was not sent"
        "signaturen dekker {0}, som ikke ble sendt";
    "SIG-09" SignedHeaderRepeated BAD_REQUEST 400 "contract: Authentication"
        "the signature names {0} twice"
        "signaturen nevner {0} to ganger";
    "SIG-10" KeyIdMalformed BAD_REQUEST 400 "contract: Authentication"
        "keyId is not SN=serial,CA=issuer"
        "keyId er ikke SN=serienummer,CA=utsteder";
    "SIG-15" KeyIdSerialMalformed BAD_REQUEST 400 "contract: Authentication"
        "keyId's SN is not a number in hexadecimal digits, without separators"
        "SN i keyId er ikke et tall i heksadesimale sifre, uten skilletegn";
    "SIG-16" KeyIdIssuerMalformed BAD_REQUEST 400 "contract: Authentication; RFC 2253"
        "keyId's CA cannot be read as a distinguished name (RFC 2253) from character {0} on"
        "CA i keyId kan ikke leses som et navn etter RFC 2253 fra og med tegn {0}";
    "SIG-11" KeyIdSerial BAD_REQUEST 400 "contract: Authentication"
        "keyId's SN is not the certificate's serial number in hexadecimal"
        "SN i keyId er ikke sertifikatets serienummer i heksadesimal form";
    "SIG-12" KeyIdIssuer BAD_REQUEST 400 "contract: Authentication; RFC 4514"
        "keyId's CA is not the name of the certificate's issuer (RFC 2253)"
        "CA i keyId er ikke navnet på sertifikatets utsteder (RFC 2253)";
    "SIG-13" SignatureInvalid BAD_REQUEST 400 "contract: Authentication"
        "the signature does not verify over the signing string"
        "signaturen stemmer ikke med signeringsstrengen";
    "RPL-01" RequestReplayed BAD_REQUEST 400 "contract: Headers"
        "X-Request-ID was used within the last {0} seconds"
        "X-Request-ID er brukt i løpet av de siste {0} sekundene";
    // Authority of the TPP.
    "TPP-01" TppUnknown FORBIDDEN 403 "contract: What the service does"
        "the TPP is not in the register"
        "tredjeparten finnes ikke i registeret";
    "TPP-03" TppBlocked FORBIDDEN 403 "own rule: what the operator blocks"
        "the bank has blocked the TPP"
        "banken har sperret tredjeparten";
    "TPP-04" CertificateBlocked FORBIDDEN 403 "own rule: what the operator blocks"
        "the bank has blocked the certificate"
        "banken har sperret sertifikatet";
    "TPP-02" TppRoleMissing FORBIDDEN 403 "ETSI TS 119 495: roles"
        "the certificate lacks the role {0}"
        "sertifikatet mangler rollen {0}";
    "TPP-05" TppServiceMissing FORBIDDEN 403 "PSD2 articles 5, 11 and 28: authorised services, and passporting"
        "the register does not allow the TPP a service that needs the role {0} in the bank's country"
        "registeret gir ikke tredjeparten en tjeneste som krever rollen {0}, i bankens land";
    "SCN-01" ScenarioInvalid FORMAT_ERROR 400 "policy scenario_header"
        "the header is not a scenario, such as fault=SYSTEM_ERROR;times=1: {0}"
        "headeren er ikke et scenario, som fault=SYSTEM_ERROR;times=1; på engelsk: {0}";
    // What a fault makes a sandbox answer to any call: each code with each of its statuses. The first row of a code has
    // its default status.
    "FLT-01" FaultSystemError SYSTEM_ERROR 500;
    "FLT-02" FaultBadRequest BAD_REQUEST 400;
    "FLT-03" FaultMethod BAD_REQUEST 405;
    "FLT-04" FaultNotAcceptable BAD_REQUEST 406;
    "FLT-05" FaultTooLarge BAD_REQUEST 413;
    "FLT-06" FaultMediaType BAD_REQUEST 415;
    "FLT-07" FaultForbidden FORBIDDEN 403;
    "FLT-08" FaultNotFound NOT_FOUND 404;
    "FLT-09" FaultConflict CONFLICT 409;
    "FLT-10" FaultConflictOfMethod CONFLICT 405;
    "FLT-11" FaultHeaderRequired HTTP_HEADER_REQUIRED 400;
    "FLT-12" FaultQueryParameterRequired QUERY_PARAMETER_REQUIRED 400;
    "FLT-13" FaultScaNotFound SCA_NOT_FOUND 401;
    "FLT-14" FaultScaExpired SCA_EXPIRED 401;
    "FLT-15" FaultScaInvalid SCA_INVALID 401;
    "FLT-16" FaultFormatError FORMAT_ERROR 400;
    "FLT-17" FaultResourceUnknown RESOURCE_UNKNOWN 404;
    "FLT-18" FaultResourceUnknownInBody RESOURCE_UNKNOWN 400;
    "FLT-19" FaultPsuCredentialsInvalid PSU_CREDENTIALS_INVALID 401;
    "FLT-20" FaultConsentUnknown CONSENT_UNKNOWN 403;
    "FLT-21" FaultConsentInvalid CONSENT_INVALID 401;
    "FLT-22" FaultConsentExpired CONSENT_EXPIRED 401;
    "FLT-23" FaultAccessExceeded ACCESS_EXCEEDED 429;
    "FLT-24" FaultProductUnknown PRODUCT_UNKNOWN 404;
    "FLT-25" FaultProductInvalid PRODUCT_INVALID 403;
    "FLT-26" FaultKidMissing KID_MISSING 400;
    "FLT-27" FaultKidInvalid KID_INVALID 400;
    "FLT-28" FaultPaymentFailed PAYMENT_FAILED 400;
    "FLT-29" FaultExecutionDateInvalid EXECUTION_DATE_INVALID 400;
    "FLT-30" FaultReferenceMixInvalid REFERENCE_MIX_INVALID 400;
    // The PSU named by the call.
    "PSU-01" PsuUnknown PSU_CREDENTIALS_INVALID 401 "contract: Authentication"
        "PSU-ID is not one that this TPP was given"
        "PSU-ID er ikke en som denne tredjeparten har fått";
    "PSU-04" CorporateIdNeeded HTTP_HEADER_REQUIRED 400 "contract: Authentication, contexts"
        "the call is made in a corporate context and needs PSU-Corporate-ID"
        "kallet gjøres i bedriftskontekst og trenger PSU-Corporate-ID";
    "AIS-01" PsuNotIdentified SCA_NOT_FOUND 401 "contract: Authentication"
        "the call needs the PSU-ID of a PSU whom an SCA has made known to this TPP"
        "kallet trenger PSU-ID for en bruker som en sterk autentisering har gjort kjent for denne tredjeparten";
    "PSU-02" CorporateIdUnknown PSU_CREDENTIALS_INVALID 401 "contract: Authentication, contexts"
        "PSU-Corporate-ID is not one that this TPP was given for this PSU"
        "PSU-Corporate-ID er ikke en som denne tredjeparten har fått for denne brukeren";
    "PSU-03" PsuOfAnotherPayment PSU_CREDENTIALS_INVALID 401 "contract: Authentication"
        "the payment was created for another PSU, context or corporate customer"
        "betalingen ble opprettet for en annen bruker, kontekst eller bedriftskunde";
    "PAY-01" PaymentUnknown RESOURCE_UNKNOWN 404 "contract: Errors"
        "no such payment"
        "betalingen finnes ikke";
    "BSK-01" BasketUnknown RESOURCE_UNKNOWN 404 "contract: Errors"
        "no such signing basket"
        "signeringskurven finnes ikke";
    "BSK-02" PsuOfAnotherBasket PSU_CREDENTIALS_INVALID 401 "contract: Authentication"
        "the signing basket is for another PSU, context or corporate customer"
        "signeringskurven er for en annen bruker, kontekst eller bedriftskunde";
    // Access to accounts, in the order of its table.
    "AIS-02" ConsentUnknown CONSENT_UNKNOWN 403 "contract: Authentication, consent"
        "the PSU has granted this TPP no access in this context, or has taken it back"
        "brukeren har ikke gitt denne tredjeparten tilgang i denne konteksten, eller har trukket den tilbake";
    "AIS-03" ConsentExpired CONSENT_EXPIRED 401 "contract: Limits, SCA renewal"
        "the PSU's last consent is {0} days old or older"
        "brukerens siste samtykke er {0} dager gammelt eller eldre";
    "AIS-04" SessionUnknown SCA_NOT_FOUND 401 "contract: Authentication, TPP-Session-ID"
        "no SCA was completed under this TPP-Session-ID"
        "ingen sterk autentisering er fullført under denne TPP-Session-ID";
    "AIS-05" SessionOfAnother SCA_INVALID 401 "contract: Authentication, TPP-Session-ID"
        "the SCA under this TPP-Session-ID was of another PSU, or in another context"
        "den sterke autentiseringen under denne TPP-Session-ID var en annen brukers, eller i en annen kontekst";
    "AIS-06" SessionReplaced SCA_INVALID 401 "contract: Authentication, TPP-Session-ID"
        "a newer TPP-Session-ID has replaced this one"
        "en nyere TPP-Session-ID har erstattet denne";
    "AIS-07" AccountUnknown RESOURCE_UNKNOWN 404 "contract: Errors"
        "no such account"
        "kontoen finnes ikke";
    "AIS-08" AccountNotGranted CONSENT_INVALID 401 "contract: Authentication, consent"
        "the PSU has not opened this account to the TPP"
        "brukeren har ikke åpnet denne kontoen for tredjeparten";
    "AIS-09" DetailsNeedSca CONSENT_EXPIRED 401 "contract: Limits, detail calls"
        "without the PSU, transaction details are read until {0} days after the last consent"
        "uten brukeren leses transaksjonsdetaljer inntil {0} dager etter siste samtykke";
    "AIS-10" HistoryNeedsSca SCA_EXPIRED 401 "contract: Limits, transaction history"
        "transactions of more than {0} days ago are read within an hour after an SCA"
        "transaksjoner eldre enn {0} dager leses innen en time etter sterk autentisering";
    "AIS-11" AccessExceeded ACCESS_EXCEEDED 429 "contract: Limits, detail calls"
        "without the PSU, this is read {0} times a day; see Retry-After"
        "uten brukeren leses dette {0} ganger om dagen; se Retry-After";
    "AIS-13" ScaDemanded SCA_INVALID 401 "contract: Authentication, risk analysis"
        "the bank asks this PSU for a new SCA"
        "banken ber denne brukeren om en ny sterk autentisering";
    "AIS-12" TransactionUnknown RESOURCE_UNKNOWN 404 "contract: Errors"
        "no such transaction on this account"
        "transaksjonen finnes ikke på denne kontoen";
    // The body as JSON.
    "JSN-01" BodyNotUtf8 FORMAT_ERROR 400 "RFC 8259"
        "the body is not UTF-8 from byte {0} on"
        "innholdet er ikke UTF-8 fra byte {0}";
    "JSN-02" BodyNotJson FORMAT_ERROR 400 "RFC 8259"
        "the body is not JSON: line {0}, column {1}"
        "innholdet er ikke JSON: linje {0}, kolonne {1}";
    "JSN-03" BodyTooDeep FORMAT_ERROR 400 "limits: JSON"
        "the body nests deeper than {0} levels"
        "innholdet er nøstet dypere enn {0} nivåer";
    "JSN-04" MemberRepeated FORMAT_ERROR 400 "RFC 8259: unique names"
        "the member occurs more than once"
        "feltet forekommer mer enn én gang";
    // The body as a request.
    "BOD-01" MemberMissing FORMAT_ERROR 400 "contract: Resources and their fields"
        "the member is required"
        "feltet er påkrevd";
    "BOD-02" MemberNotString FORMAT_ERROR 400 "contract: Resources and their fields"
        "the member is not a string"
        "feltet er ikke en streng";
    "BOD-03" MemberNotObject FORMAT_ERROR 400 "contract: Resources and their fields"
        "the member is not an object"
        "feltet er ikke et objekt";
    "BOD-04" MemberNotArray FORMAT_ERROR 400 "contract: Resources and their fields"
        "the member is not an array"
        "feltet er ikke en liste";
    "BOD-05" TextEmpty FORMAT_ERROR 400 "contract: Resources and their fields"
        "the text is empty"
        "teksten er tom";
    "BOD-06" TextTooLong FORMAT_ERROR 400 "contract: Limits; limits: members of bodies"
        "the text has {1} characters; {0} are allowed"
        "teksten har {1} tegn; {0} er tillatt";
    "BOD-07" TextNotCarried FORMAT_ERROR 400 "contract: Errors"
        "the character U+{1} at position {0} cannot be carried by the bank's systems"
        "tegnet U+{1} i posisjon {0} kan ikke føres videre av bankens systemer";
    "BOD-08" ValueNotListed FORMAT_ERROR 400 "contract: Resources and their fields"
        "the value is none of {0}"
        "verdien er ingen av {0}";
    "BOD-09" MembersExclusive FORMAT_ERROR 400 "contract: Payment initiation request"
        "only one of {0} may be set"
        "bare én av {0} kan settes";
    "BOD-10" MembersOneRequired FORMAT_ERROR 400 "contract: Payment initiation request"
        "one of {0} is required"
        "én av {0} er påkrevd";
    "BOD-21" MemberNotInteger FORMAT_ERROR 400 "contract: Resources and their fields"
        "the member is not a whole number of 32 bits, written without a fraction"
        "feltet er ikke et heltall på 32 biter, skrevet uten desimaler";
    "BOD-22" MemberNotBoolean FORMAT_ERROR 400 "contract: Resources and their fields"
        "the member is neither true nor false"
        "feltet er verken true eller false";
    "BOD-23" MemberNotMoment FORMAT_ERROR 400 "contract: Resources and their fields; ISO 8601"
        "the member is neither a date as YYYY-MM-DD nor a date-time with an offset"
        "feltet er verken en dato på formen ÅÅÅÅ-MM-DD eller et tidspunkt med tidsforskyvning";
    "BOD-24" NumberTooSmall FORMAT_ERROR 400 "contract: Resources and their fields"
        "the number is less than {0}"
        "tallet er mindre enn {0}";
    "BOD-25" TextTooShort FORMAT_ERROR 400 "contract: Limits"
        "the text is too short: at least {0} characters are needed, and it has {1}"
        "teksten har {1} tegn; minst {0} trengs";
    "BOD-26" RateMalformed FORMAT_ERROR 400 "contract: Transaction details, currencyExchange"
        "the text is not a positive decimal number"
        "teksten er ikke et positivt desimaltall";
    "AMT-01" AmountMalformed FORMAT_ERROR 400 "contract: Payment initiation request"
        "the amount is not plain decimal digits, without sign, exponent, spaces and leading zeros"
        "beløpet er ikke rene desimalsifre, uten fortegn, eksponent, mellomrom og ledende nuller";
    "AMT-02" AmountNotPositive FORMAT_ERROR 400 "contract: Payment initiation request"
        "the amount is not greater than zero"
        "beløpet er ikke større enn null";
    "AMT-03" AmountFractionDigits FORMAT_ERROR 400 "ISO 4217: minor units"
        "the amount has {2} fraction digits; {0} has {1}"
        "beløpet har {2} desimaler; {0} har {1}";
    "AMT-04" AmountTooLarge FORMAT_ERROR 400 "contract: Payment initiation request"
        "the amount has more than {0} digits before the point"
        "beløpet har mer enn {0} sifre før desimaltegnet";
    "CUR-01" CurrencyUnknown FORMAT_ERROR 400 "contract: Currency code; ISO 4217"
        "the currency is not an accepted ISO 4217 code"
        "valutaen er ikke en godtatt ISO 4217-kode";
    "CTY-01" CountryUnknown FORMAT_ERROR 400 "contract: Country code; ISO 3166-1"
        "the country is not an accepted ISO 3166-1 alpha-2 code"
        "landet er ikke en godtatt ISO 3166-1 alfa-2-kode";
    "ACC-01" BbanMalformed FORMAT_ERROR 400 "contract: Limits"
        "the bban does not have 1 to {0} letters and digits"
        "bban har ikke 1 til {0} bokstaver og sifre";
    "ACC-02" BbanNotNorwegian FORMAT_ERROR 400 "Norwegian account numbers"
        "a Norwegian account number has 11 digits"
        "et norsk kontonummer har 11 sifre";
    "ACC-03" BbanCheckDigit FORMAT_ERROR 400 "Norwegian account numbers: modulus 11"
        "the check digit of the account number does not fit"
        "kontrollsifferet i kontonummeret stemmer ikke";
    "ACC-04" IbanMalformed FORMAT_ERROR 400 "ISO 13616"
        "the iban does not have the form of its country"
        "iban har ikke formen til sitt land";
    "ACC-05" IbanCheckDigits FORMAT_ERROR 400 "ISO 13616: modulus 97"
        "the check digits of the iban do not fit"
        "kontrollsifrene i iban stemmer ikke";
    "BIC-01" BicMalformed FORMAT_ERROR 400 "contract: Transaction details; ISO 9362"
        "the value is not a BIC"
        "verdien er ikke en BIC";
    "ADR-01" AddressPartMissing FORMAT_ERROR 400 "contract: Versioning, structured addresses"
        "structured addresses need {0}"
        "strukturerte adresser trenger {0}";
    "ADR-02" AddressTownDiffers FORMAT_ERROR 400 "contract: Versioning, Address.city"
        "townName and city differ"
        "townName og city er ulike";
    "REG-01" RegulatoryReportingMissing FORMAT_ERROR 400 "contract: Payment and basket operations"
        "a cross-border payment worth NOK {0} or more needs it"
        "en utenlandsbetaling på NOK {0} eller mer trenger det";
    "BLK-01" EntriesCount FORMAT_ERROR 400 "contract: Payment and basket operations"
        "the bulk has {1} payments; 1 to {0} are allowed"
        "samlebetalingen har {1} betalinger; 1 til {0} er tillatt";
    "DAY-01" MemberNotDate FORMAT_ERROR 400 "contract: Resources and their fields; ISO 8601"
        "the member is not a date of the form YYYY-MM-DD"
        "feltet er ikke en dato på formen ÅÅÅÅ-MM-DD";
    "DAY-02" ExecutionDateOutside EXECUTION_DATE_INVALID 400 "contract: Errors"
        "the date is not from {0} to {1}"
        "datoen er ikke fra {0} til {1}";
    "DAY-03" EndDateBeforeStart EXECUTION_DATE_INVALID 400 "contract: Errors"
        "endDate is before startDate"
        "endDate er før startDate";
    "KID-01" KidMissing KID_MISSING 400 "contract: Errors"
        "payments to this account need a KID in the structured reference"
        "betalinger til denne kontoen trenger KID i den strukturerte referansen";
    "KID-02" KidInvalid KID_INVALID 400 "contract: Errors"
        "the reference is not a valid KID"
        "referansen er ikke en gyldig KID";
    "KID-03" KidNotAgreed KID_INVALID 400 "contract: Errors"
        "the KID does not fit the creditor's agreement: modulus {0}, {1} to {2} digits"
        "KID passer ikke med mottakerens avtale: modulus {0}, {1} til {2} sifre";
    "BSK-03" BasketSize FORMAT_ERROR 400 "contract: Limits"
        "a signing basket has 1 to {0} payments, not {1}"
        "en signeringskurv har 1 til {0} betalinger, ikke {1}";
    "BSK-04" BasketPaymentRepeated FORMAT_ERROR 400 "contract: Signing basket"
        "the payment is named more than once"
        "betalingen er nevnt mer enn én gang";
    // Deciding on a payment.
    "PAY-02" DebtorAccountUnknown RESOURCE_UNKNOWN 400 "contract: Payment initiation request"
        "the PSU has no such account to pay from in this context"
        "brukeren har ingen slik konto å betale fra i denne konteksten";
    "PAY-03" DebtorAccountCurrency FORMAT_ERROR 400 "contract: Payment initiation request"
        "the account is not held in this currency"
        "kontoen føres ikke i denne valutaen";
    "PAY-04" LogicalDuplicate CONFLICT 409 "contract: Payment and basket operations"
        "a payment like this was created within {0} hours; allowLogicalDuplicate=true admits another"
        "en lik betaling ble opprettet de siste {0} timene; allowLogicalDuplicate=true tillater en til";
    "PAY-05" PaymentNotAuthorisable CONFLICT 409 "contract: States and transitions"
        "the payment is already authorised or final"
        "betalingen er allerede autorisert eller endelig";
    "PAY-06" RaceLost CONFLICT 409 "own rule: compare and swap"
        "the resource was changed by another call at the same time; read it again"
        "ressursen ble endret av et annet kall samtidig; les den på nytt";
    "PAY-07" CurrencyNotConvertible PAYMENT_FAILED 400 "contract: Errors"
        "the bank has no rate for {0}"
        "banken har ingen kurs for {0}";
    "CAN-01" PaymentNotCancellable CONFLICT 405 "contract: States and transitions"
        "the payment is final or being settled and cannot be cancelled any more"
        "betalingen er endelig eller under oppgjør og kan ikke lenger kanselleres";
    "CAN-02" CancellationTooLate CONFLICT 409 "contract: States and transitions"
        "it is too late to cancel the payment: it is final or being settled"
        "det er for sent å kansellere betalingen: den er endelig eller under oppgjør";
    "BSK-12" PaymentInBasket CONFLICT 409 "contract: Signing basket"
        "the payment is in an open signing basket: authorise or delete that basket"
        "betalingen ligger i en åpen signeringskurv: autoriser eller slett den";
    "CAN-03" CancellationNeedsNoSca CONFLICT 409 "contract: States and transitions"
        "the payment is not authorised yet: a DELETE alone cancels it"
        "betalingen er ikke autorisert ennå: DELETE alene kansellerer den";
    // Deciding on a signing basket.
    "BSK-05" BasketPaymentUnknown RESOURCE_UNKNOWN 400 "contract: Signing basket"
        "no such payment"
        "betalingen finnes ikke";
    "BSK-06" BasketProductMixed REFERENCE_MIX_INVALID 400 "contract: States and transitions"
        "bulk and periodic payments cannot be put into a signing basket"
        "samlebetalinger og faste betalinger kan ikke legges i en signeringskurv";
    "BSK-07" BasketPaymentTaken REFERENCE_MIX_INVALID 400 "contract: Signing basket"
        "the payment is in an open signing basket already"
        "betalingen ligger allerede i en åpen signeringskurv";
    "BSK-08" BasketPsusMixed REFERENCE_MIX_INVALID 400 "contract: Signing basket"
        "the payment belongs to another PSU, context or corporate customer than those before it"
        "betalingen hører til en annen bruker, kontekst eller bedriftskunde enn de foran";
    "BSK-09" BasketPaymentNotReceived CONFLICT 409 "contract: Signing basket"
        "the payment is already authorised or final"
        "betalingen er allerede autorisert eller endelig";
    "BSK-10" BasketNotAuthorisable CONFLICT 409 "contract: Signing basket"
        "no payment of the signing basket waits for an authorisation"
        "ingen betaling i signeringskurven venter på autorisering";
    "BSK-11" BasketNotDeletable CONFLICT 409 "contract: Signing basket"
        "the signing basket is already authorised"
        "signeringskurven er allerede autorisert";
    // The sandbox's own routes: what a path names.
    "SBX-01" MockCustomerUnknown RESOURCE_UNKNOWN 404 "contract: Sandbox management"
        "no such customer"
        "kunden finnes ikke";
    "SBX-02" MockAgreementUnknown RESOURCE_UNKNOWN 404 "contract: Sandbox management"
        "no such agreement"
        "avtalen finnes ikke";
    "SBX-03" MockEngagementUnknown RESOURCE_UNKNOWN 404 "contract: Sandbox management"
        "no such engagement under this agreement"
        "engasjementet finnes ikke under denne avtalen";
    "SBX-04" MockAccountUnknown RESOURCE_UNKNOWN 404 "contract: Sandbox management"
        "no such account"
        "kontoen finnes ikke";
    "SBX-05" MockTransactionUnknown RESOURCE_UNKNOWN 404 "contract: Sandbox management"
        "no such transaction on this account"
        "transaksjonen finnes ikke på denne kontoen";
    "SBX-06" MockCardAccountUnknown RESOURCE_UNKNOWN 404 "contract: Sandbox management"
        "no such card account, or it is deleted already"
        "kortkontoen finnes ikke, eller den er slettet allerede";
    // The sandbox's own routes: what a body holds, and what the bank says to it.
    "SBX-11" CustomerNumberMalformed FORMAT_ERROR 400 "contract: Sandbox customer"
        "a customer number has 6 to 11 digits"
        "et kundenummer har 6 til 11 sifre";
    "SBX-12" AccountNumbersDiffer FORMAT_ERROR 400 "contract: Sandbox account transaction"
        "bban and iban are not the same account number"
        "bban og iban er ikke samme kontonummer";
    "SBX-13" DateNotPast FORMAT_ERROR 400 "contract: Sandbox account transaction"
        "the date does not lie before the present time"
        "datoen ligger ikke før nåværende tidspunkt";
    "SBX-14" BookedAfterValue FORMAT_ERROR 400 "contract: Sandbox account transaction"
        "bookingDate lies after valueDate"
        "bookingDate ligger etter valueDate";
    "SBX-15" DebtorForeign FORMAT_ERROR 400 "contract: Sandbox account transaction"
        "the debtor is another account than this one"
        "betaleren er en annen konto enn denne";
    "SBX-16" CreditorForeign FORMAT_ERROR 400 "contract: Sandbox account transaction"
        "neither debtor nor creditor is this account"
        "verken betaleren eller mottakeren er denne kontoen";
    "SBX-21" CustomerNumberUnknown RESOURCE_UNKNOWN 400 "contract: Sandbox management"
        "no customer has this number"
        "ingen kunde har dette nummeret";
    "SBX-22" AgreementOwnerPrivate FORMAT_ERROR 400 "contract: Sandbox management"
        "only a corporate customer's agreements are made by hand; a private customer has one of its own"
        "bare bedriftskunders avtaler lages for hånd; en privatkunde har en egen";
    "SBX-23" EngagedCustomerCorporate FORMAT_ERROR 400 "contract: Sandbox agreement"
        "only a private customer can be engaged"
        "bare en privatkunde kan engasjeres";
    "SBX-24" EngagedAccountUnknown RESOURCE_UNKNOWN 400 "contract: Sandbox agreement"
        "the agreement's owner has no such account"
        "avtalens eier har ingen slik konto";
    "SBX-25" CustomerNumberTaken CONFLICT 409 "contract: Sandbox customer"
        "another customer has this number"
        "en annen kunde har dette nummeret";
    "SBX-26" AccountNumberTaken CONFLICT 409 "contract: Sandbox management"
        "another account has this number"
        "en annen konto har dette nummeret";
    // What an SCA can end with; these travel in the call-back.
    "SCA-01" ScaAborted SCA_INVALID 401 "contract: Redirect after failed SCA"
        "the PSU cancelled"
        "brukeren avbrøt";
    "SCA-02" ScaFailed SCA_INVALID 401 "contract: Redirect after failed SCA"
        "strong customer authentication failed"
        "sterk kundeautentisering mislyktes";
    "SCA-03" ScaOtherPsu PSU_CREDENTIALS_INVALID 401 "contract: Redirect after failed SCA"
        "the person is not the one named by the call"
        "personen er ikke den som kallet nevner";
    "SCA-04" ScaPsuUnknown PSU_CREDENTIALS_INVALID 401 "contract: Redirect after failed SCA"
        "the bank does not know this person"
        "banken kjenner ikke denne personen";
    "SCA-05" ScaOtherContext SCA_INVALID 401 "contract: Authentication, contexts"
        "the PSU chose another context or corporate customer than the call names"
        "brukeren valgte en annen kontekst eller bedriftskunde enn kallet nevner";
    // The bank's own trouble.
    "SYS-01" StoreFailed SYSTEM_ERROR 500 "contract: Errors"
        "the bank could not process the request; nothing was done"
        "banken kunne ikke behandle forespørselen; ingenting er gjort";
    "SYS-02" BankFailed SYSTEM_ERROR 500 "contract: Errors"
        "the bank could not process the request; nothing was done"
        "banken kunne ikke behandle forespørselen; ingenting er gjort";
    "SYS-03" Internal SYSTEM_ERROR 500 "contract: Errors"
        "the bank could not process the request; nothing was done"
        "banken kunne ikke behandle forespørselen; ingenting er gjort";
    "SYS-04" OutcomeUnknown SYSTEM_ERROR 500 "contract: Errors"
        "the bank cannot say whether the request was carried out; ask before it is sent again"
        "banken vet ikke om forespørselen ble utført; undersøk før den sendes på nytt";
    // Rows that only ever warn.
    "WRN-01" MemberUnknown FORMAT_ERROR 201 "own rule: unknown members are ignored"
        "the member is unknown and was ignored"
        "feltet er ukjent og ble sett bort fra";
    "WRN-02" CityDeprecated FORMAT_ERROR 201 "contract: Versioning, Address.city"
        "city is deprecated; use townName"
        "city er foreldet; bruk townName";
    "WRN-03" AcceptFixUnknown FORMAT_ERROR 201 "contract: Versioning"
        "x-accept-fix names {0}, which is unknown and was ignored"
        "x-accept-fix nevner {0}, som er ukjent og ble sett bort fra";
    "WRN-04" TextNotSwift FORMAT_ERROR 201 "SWIFT character set X"
        "the character U+{1} at position {0} is outside the SWIFT X set and may be changed on its way"
        "tegnet U+{1} i posisjon {0} er utenfor SWIFT-tegnsettet X og kan bli endret underveis";
    // Beside a refusal by authentication, in a sandbox whose policy explains it. The mistakes are described in English.
    "WRN-05" MistakeExplained FORMAT_ERROR 201 "policy explain_to_tpp"
        "the mistake is {0}: {1}"
        "feilen er {0}; på engelsk: {1}";
}

macro_rules! cases {
    ($( $variant:ident of $reason:ident $en:literal $nb:literal; )+) => {
        /// A case of a row that the row's own text would be wrong about. Id, code and arguments are the row's.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Case {
            $( #[doc = $en] $variant, )+
        }

        impl Case {
            /// Every case.
            pub const ALL: &'static [Case] = &[ $( Case::$variant, )+ ];

            /// The row it is a case of.
            pub fn reason(self) -> Reason {
                match self { $( Self::$variant => Reason::$reason, )+ }
            }

            /// The text before its arguments are put in.
            pub fn template(self, language: Language) -> &'static str {
                match (self, language) {
                    $( (Self::$variant, Language::English) => $en, (Self::$variant, Language::Bokmal) => $nb, )+
                }
            }
        }
    };
}

cases! {
    NoCertificate of CertificateNotDecodable
        "there is no certificate in it"
        "det er ikke noe sertifikat i den";
    SerialTooLong of CertificateMalformed
        "the certificate's serial number has more than 20 bytes (RFC 5280)"
        "sertifikatets serienummer har mer enn 20 byte (RFC 5280)";
    DigestNotBase64 of DigestMalformed
        "Digest has a value that is not base64 (with + and /, without colons)"
        "Digest har en verdi som ikke er base64 (med + og /, uten kolon)";
    SignatureNotUtf8 of SignatureMalformed
        "Signature is not UTF-8; with characters outside of ASCII its whole value is encoded by RFC 2047"
        "Signature er ikke UTF-8; med tegn utenfor ASCII kodes hele verdien etter RFC 2047";
    PsuNotNamed of HeaderMissing
        "the header is required, or PSU-Context in its place"
        "headeren er påkrevd, eller PSU-Context i stedet";
    RedirectUriNotAscii of HeaderNotRedirectUri
        "the header is not a URI: characters outside of ASCII must be percent-encoded"
        "headeren er ikke en URI: tegn utenfor ASCII må prosentkodes";
    RequestIdMalformed of HeaderNotUuid
        "the header does not have 1 to 64 visible ASCII characters"
        "headeren har ikke 1 til 64 synlige ASCII-tegn";
    RedirectUriScheme of HeaderNotRedirectUri
        "the header's scheme is neither https nor a private-use one, which holds a dot (RFC 8252), such as com.example.app; the bank may list others"
        "skjemaet i headeren er verken https eller et privat skjema, som har et punktum (RFC 8252), som com.example.app; banken kan godta andre";
    RedirectUriParameter of HeaderNotRedirectUri
        "the query of the header has a parameter that the call-back adds: psu-id, psu-corporate-id, tpp-session-id, context, system, status, code or message"
        "spørringen i headeren har en parameter som tilbakekallet legger til: psu-id, psu-corporate-id, tpp-session-id, context, system, status, code eller message";
    AnswerOutsideWindow of DateOutsideWindow
        "Date is {0} seconds from the clock of the verifier; {1} are allowed"
        "Date er {0} sekunder fra klokken til den som verifiserer; {1} er tillatt";
    AnswerFarOff of DateOutsideWindow
        "Date is more than a year from the clock of the verifier; {1} seconds are allowed"
        "Date er mer enn et år fra klokken til den som verifiserer; {1} sekunder er tillatt";
    ChainSaltLength of ChainAlgorithmRefused
        "a certificate of the chain is signed by RSA-PSS with a salt of {0} bytes; it must be as long as the hash"
        "et sertifikat i kjeden er signert med RSA-PSS og et salt på {0} byte; det må være like langt som hashverdien";
    ChainConstrained of ChainExtensionUnknown
        "an issuer in the chain limits its certificates by the extension {0}, which is not interpreted"
        "en utsteder i kjeden begrenser hva den går god for, med utvidelsen {0}, som ikke tolkes";
    IssuerNotExact of KeyIdIssuer
        "keyId's CA lacks attributes of the certificate's issuer, or has another order; here it must be complete, most specific part first (RFC 2253)"
        "CA i keyId mangler attributter fra sertifikatets utsteder, eller har en annen rekkefølge; her må det være fullstendig, med den mest spesifikke delen først (RFC 2253)";
    ByteOrderMark of BodyNotJson
        "the body begins with a byte-order mark (U+FEFF), which is no JSON; send it without"
        "innholdet begynner med et byte-order mark (U+FEFF), som ikke er JSON; send det uten";
    BodyEmpty of BodyNotJson
        "the body is empty"
        "innholdet er tomt";
    NumberTooLarge of BodyNotJson
        "the body has a number that is too large to be read: line {0}, column {1}"
        "innholdet har et tall som er for stort til å leses: linje {0}, kolonne {1}";
    SurrogateUnpaired of BodyNotJson
        "the body has an unpaired surrogate, which is no character: line {0}, column {1}"
        "innholdet har et enslig surrogat, som ikke er noe tegn: linje {0}, kolonne {1}";
    DateFarOff of DateOutsideWindow
        "Date is more than a year from the bank's clock; {1} seconds are allowed"
        "Date er mer enn et år fra bankens klokke; {1} sekunder er tillatt";
    TextBlank of TextEmpty
        "the text has no character that can be seen"
        "teksten har ingen tegn som kan ses";
    CharacterHidden of TextNotCarried
        "the character U+{1} at position {0} cannot be seen; a text has visible characters and spaces alone"
        "tegnet U+{1} i posisjon {0} kan ikke ses; en tekst har bare synlige tegn og mellomrom";
    LetterDecomposed of TextNotCarried
        "the character U+{1} at position {0} is a mark apart from its letter, which the bank's systems do not carry; compose it: NFC"
        "tegnet U+{1} i posisjon {0} er et merke for seg, som bankens systemer ikke fører videre; sett det sammen med bokstaven: NFC";
    MemberMisplaced of MembersExclusive
        "{0} has no place here, and is not ignored because it would change what is paid"
        "{0} hører ikke hjemme her, og blir ikke sett bort fra fordi det ville endre det som betales";
    ValueNotTheOne of ValueNotListed
        "the value is not {0}"
        "verdien er ikke {0}";
    OneFractionDigit of AmountFractionDigits
        "the amount has 1 fraction digit; {0} has {1}"
        "beløpet har 1 desimal; {0} har {1}";
}

/// One broken rule: its row and the values its text speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The row of the table.
    pub reason: Reason,
    /// The case of it, where that has a text of its own.
    pub case: Option<Case>,
    /// What goes into `{0}`, `{1}`, … of its text. Never a secret, a key or a whole identity number.
    pub arguments: Vec<String>,
}

impl Violation {
    /// A violation whose text takes the given arguments.
    pub fn with(reason: Reason, arguments: &[&dyn Display]) -> Self {
        Self { reason, case: None, arguments: arguments.iter().map(ToString::to_string).collect() }
    }

    /// A violation in a case that has a text of its own.
    pub fn of_case(case: Case, arguments: &[&dyn Display]) -> Self {
        Self { case: Some(case), ..Self::with(case.reason(), arguments) }
    }

    /// The text in the given language, arguments put in.
    pub fn text(&self, language: Language) -> String {
        let template = self.case.map_or(self.reason.template(language), |case| case.template(language));
        let mut text = template.to_owned();
        for (index, argument) in self.arguments.iter().enumerate() {
            text = text.replace(&format!("{{{index}}}"), argument);
        }
        text
    }
}

/// The English text.
impl Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}

impl std::error::Error for Violation {}

/// The English text of the row, before its arguments are put in.
impl Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.template(Language::English))
    }
}

impl std::error::Error for Reason {}

impl From<Reason> for Violation {
    fn from(reason: Reason) -> Self {
        Self { reason, case: None, arguments: Vec::new() }
    }
}

/// Whether a finding stops the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// The request is refused.
    Error,
    /// The request goes on; the answer says what to mend.
    Warning,
}

impl Category {
    /// The category as written in a TPP message.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "ERROR",
            Self::Warning => "WARNING",
        }
    }
}

/// A violation at its place: what becomes one TPP message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Error or warning.
    pub category: Category,
    /// The broken rule.
    pub violation: Violation,
    /// A JSON Pointer into the body, or a header's or query parameter's name.
    pub path: Option<String>,
    /// How many fields of that name were joined into the header's value, where there were several.
    pub joined: Option<usize>,
}

impl Finding {
    /// An error at a place.
    pub fn error(violation: impl Into<Violation>, path: impl Into<String>) -> Self {
        Self { category: Category::Error, violation: violation.into(), path: Some(path.into()), joined: None }
    }

    /// A warning at a place.
    pub fn warning(violation: impl Into<Violation>, path: impl Into<String>) -> Self {
        Self {
            category: Category::Warning,
            violation: violation.into(),
            path: Some(path.into()),
            joined: None,
        }
    }

    /// The text of its violation. If its header was sent several times, the text says how often.
    pub fn text(&self, language: Language) -> String {
        let text = self.violation.text(language);
        match (self.joined, language) {
            (None, _) => text,
            (Some(fields), Language::English) => format!("{text} (sent {fields} times)"),
            (Some(fields), Language::Bokmal) => format!("{text} (sendt {fields} ganger)"),
        }
    }
}

/// Why a request is refused: at least one finding of category error, in the order they are answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    first: Finding,
    rest: Vec<Finding>,
}

impl Refusal {
    /// A refusal for one reason that has no place of its own.
    pub fn new(violation: impl Into<Violation>) -> Self {
        Self {
            first: Finding {
                category: Category::Error,
                violation: violation.into(),
                path: None,
                joined: None,
            },
            rest: Vec::new(),
        }
    }

    /// A refusal for one reason at a place.
    pub fn at(violation: impl Into<Violation>, path: impl Into<String>) -> Self {
        Self { first: Finding::error(violation, path), rest: Vec::new() }
    }

    /// The refusal that gathered findings amount to: `None` where none of them is an error. The first
    /// error leads; the others, warnings included, keep their order.
    pub fn from_findings(mut findings: Vec<Finding>) -> Option<Self> {
        let lead = findings.iter().position(|finding| finding.category == Category::Error)?;
        let first = findings.remove(lead);
        Some(Self { first, rest: findings })
    }

    /// The same with one more finding.
    #[must_use]
    pub fn with(mut self, finding: Finding) -> Self {
        self.rest.push(finding);
        self
    }

    /// The same, with the number of fields of each header that is refused.
    #[must_use]
    pub fn counting(mut self, fields: impl Fn(&str) -> usize) -> Self {
        for finding in std::iter::once(&mut self.first).chain(&mut self.rest) {
            finding.joined = finding.path.as_deref().map(&fields).filter(|fields| *fields > 1);
        }
        self
    }

    /// The same, each violation in the case that the answer reports.
    #[must_use]
    pub fn in_cases(mut self, case: impl Fn(&Violation) -> Option<Case>) -> Self {
        for finding in std::iter::once(&mut self.first).chain(&mut self.rest) {
            finding.violation.case = case(&finding.violation);
        }
        self
    }

    /// The reason that decides code and status.
    pub fn reason(&self) -> Reason {
        self.first.violation.reason
    }

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.reason().status()
    }

    /// All findings, the deciding one first.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        std::iter::once(&self.first).chain(&self.rest)
    }
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Self {
        Self::new(reason)
    }
}
