//! Explained refusals: each mistake is named, with a proof that holds, within the budget; no input makes it fail.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    reason = "a test ends where something is wrong, and measures how long it takes"
)]

#[path = "explain/bad_input.rs"]
mod bad_input;
#[path = "explain/certificates.rs"]
mod certificates;
#[path = "explain/digests.rs"]
mod digests;
#[path = "explain/key_ids.rs"]
mod key_ids;
#[path = "explain/mutations.rs"]
mod mutations;
#[path = "explain/proof.rs"]
mod proof;
#[path = "explain/signatures.rs"]
mod signatures;
#[path = "explain/signer.rs"]
mod signer;
#[path = "explain/texts.rs"]
mod texts;
