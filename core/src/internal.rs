//! What the bindings, the benchmark and the tests of this repository use beyond the public interface.
//!
//! Not part of that interface: any release may change or remove an item. Each item is listed, so that the rest of the
//! crate stays private.

// The bindings.
pub use crate::env::clock::from_micros;
pub use crate::limits::{BANK_ERROR_CHARS_MAX, DATE_DEVIATION_SECONDS_MAX};
pub use crate::types::instant::rfc3339;

// The tables: tests go through every row, and print the documents from them.
pub use crate::basket::body as basket_body;
pub use crate::engine::setting::{Form, Setting, POLICIES, SETTINGS};
pub use crate::json_bank::{MemberRow, Shape};
pub use crate::limits::{
    groups, AUDIT_REFUSALS_PER_MINUTE_MAX, BANK_ANSWER_BYTES_MAX, CALLS_WITHOUT_PSU_PER_DAY,
    CHAIN_SIGNATURE_CHECKS_MAX, CRL_BYTES_MAX, EXPLAINED_ENTRIES_MAX, EXPLAIN_BODY_BYTES_MAX, FORM_BYTES_MAX,
    JOURNAL_BYTES_MAX, REPLAY_WINDOW_SECONDS, TRUSTED_LIST_BYTES_MAX, XML_DEPTH_MAX,
};
pub use crate::machine::{diagram, matrix};
pub use crate::openapi::document;
pub use crate::operation::{route, Route, OPERATIONS};
pub use crate::payment::{bodies as payment_bodies, stored as stored_payment};
#[cfg(feature = "sandbox")]
pub use crate::sandbox::management::{bodies as sandbox_bodies, OPERATIONS as SANDBOX_OPERATIONS};
pub use crate::wire::call_headers::{CallHeaders, HeaderRules};
pub use crate::wire::headers::Headers;
pub use crate::wire::json::Json;

// A TPP of the tests: it signs by other means than a sandbox's TPP, and sends what no client should.
pub use crate::crypto::{pem, sha256, sha512, RsaPrivateKey};
#[cfg(feature = "sandbox")]
pub use crate::sandbox::pki::{IssuedTpp, TestPki, TEST_KEYS_PEM};
pub use crate::tpp::bundle::parse_certificate;
pub use crate::tpp::digest::{digest, DigestAlgorithm};
pub use crate::tpp::qc_statement::Psd2Statement;
pub use crate::tpp::response_key::CERTIFICATE_HEADER;
pub use crate::tpp::role::{Role, Roles};
pub use crate::tpp::sign::signature_header;
pub use crate::tpp::signing_string::{names_to_sign, signing_string, Fields};
pub use crate::wire::der;
pub use crate::wire::http_date::format_http_date;

// The second backend, which the fuzz targets compare with the first.
#[cfg(all(feature = "aws-lc", feature = "pure-rust"))]
pub use crate::crypto::pure_rust::{
    verify_certificate as verify_certificate_in_rust, RsaPublicKey as RustRsaPublicKey,
};

// One step of a call, measured or tested alone.
pub use crate::crypto::scheme::Hash;
pub use crate::crypto::{verify_certificate, RsaPublicKey, SignatureScheme};
pub use crate::tpp::chain::verify_chain;
pub use crate::tpp::distinguished_name::DistinguishedName;
pub use crate::tpp::signature_header::SignatureHeader;
pub use crate::tpp::verify::{authenticate, verify_request, Identity, SignedRequest, Verification};
pub use crate::trust::chain_status::counting_path;
pub use crate::types::date::oslo_day;

// The simulated bank and the stores, as parts of an engine that a test assembles.
#[cfg(feature = "sandbox")]
pub use crate::sandbox::bank::SandboxBank;
#[cfg(feature = "sandbox")]
pub use crate::sandbox::batch::next_run;
#[cfg(feature = "sandbox")]
pub use crate::sandbox::default_data::load as load_default_data;
#[cfg(feature = "postgres")]
pub use crate::store::postgres::PostgresStore;
#[cfg(feature = "sqlite")]
pub use crate::store::sqlite::{Database, SqliteStore};
