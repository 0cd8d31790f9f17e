//! The targets. Each reads bytes from outside and asserts what holds for all of them.

mod bank_answer;
mod certificate_chain;
mod configuration;
mod distinguished_name;
mod encoded_word;
mod http_message;
mod payment_body;
mod pem_bundle;
mod qc_statements;
mod revocation_list;
mod sandbox_state;
mod signature_header;
mod signed_walk;
mod signing_string;
mod trusted_list;

/// What checks one input.
type Check = fn(&[u8]);

/// Every target by its name.
pub const TARGETS: &[(&str, Check)] = &[
    ("bank_answer", bank_answer::check),
    ("certificate_chain", certificate_chain::check),
    ("configuration", configuration::check),
    ("distinguished_name", distinguished_name::check),
    ("encoded_word", encoded_word::check),
    ("http_message", http_message::check),
    ("payment_body", payment_body::check),
    ("pem_bundle", pem_bundle::check),
    ("qc_statements", qc_statements::check),
    ("revocation_list", revocation_list::check),
    ("sandbox_state", sandbox_state::check),
    ("signature_header", signature_header::check),
    ("signed_walk", signed_walk::check),
    ("signing_string", signing_string::check),
    ("trusted_list", trusted_list::check),
];

/// Checks one input with the target of that name.
pub fn check(target: &str, input: &[u8]) {
    let found = TARGETS.iter().find(|(name, _)| *name == target);
    let (_, check) = found.unwrap_or_else(|| panic!("there is no target {target}"));
    check(input);
}
