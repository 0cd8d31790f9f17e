//! The document as a whole.

use super::answers::table as answers;
use super::{bodies, operations, parameters};
use crate::policy::Environment;
use crate::wire::json::Json;
use crate::wire::schema::Schema;

/// What no schema says.
const ABOUT: &str = "The interface of a bank to third parties (TPPs) under PSD2: account information, payment \
    initiation and signing baskets, with redirects for the strong authentication of the PSU.\n\n\
    Every call is signed (draft-cavage-http-signatures, rsa-sha256): `Signature` covers `date`, `digest`, \
    `x-request-id` and, where they are sent, `psu-id`, `psu-corporate-id` and `tpp-redirect-uri`; \
    `TPP-Signature-Certificate` is the certificate it verifies with. An answer with the link `scaRedirect` sends the \
    PSU to the bank's own site, which is not part of this document.\n\n\
    A schema here refuses nothing that the bank takes. The bank refuses more: rules between members, ranges, dates, \
    check digits, whole numbers that are written with a fraction, and what its policy says. Every refusal is a list of \
    messages that say what to mend; an operation lists its statuses with their codes. `default` is what a fault in \
    front of it answers, and in a sandbox a fault that a test sets. Members that a request has beyond these are \
    ignored; clients should do so with answers.";

/// The document: a sandbox's with its own routes, a production engine's without. Paths begin with the base path.
pub fn document(environment: Environment, base_path: &str) -> Json<'static> {
    let server = if base_path.is_empty() { "/".to_owned() } else { base_path.to_owned() };
    let operations = operations::of(environment);
    Json::object([
        ("openapi", "3.1.0".into()),
        ("info", info()),
        ("servers", vec![Json::object([("url", server)])].into()),
        ("tags", operations::tags(&operations)),
        ("paths", operations::paths(&operations)),
        ("components", components(environment, &operations)),
    ])
}

fn info() -> Json<'static> {
    Json::object([
        ("title", "Access to account"),
        ("version", env!("CARGO_PKG_VERSION")),
        ("description", ABOUT),
    ])
}

fn components(environment: Environment, operations: &[operations::Listed]) -> Json<'static> {
    let schemas: Vec<(String, Schema)> =
        bodies::schemas(environment).into_iter().chain(answers::schemas(environment)).collect();
    let schemas = schemas.into_iter().map(|(name, schema)| (name, Json::from(schema)));
    Json::object([
        ("schemas", Json::object(schemas)),
        ("responses", Json::object([("Refused", answers::refused())])),
        ("headers", answers::headers()),
        ("parameters", parameters::components(operations.iter().map(|operation| operation.row))),
    ])
}
