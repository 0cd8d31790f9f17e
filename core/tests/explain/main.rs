//! Explained refusals: each mistake is named, with a proof that holds, within the budget; no input makes it fail.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    reason = "a test ends where something is wrong, and measures how long it takes"
)]

mod bad_input;
mod certificates;
mod digests;
mod key_ids;
mod mutations;
mod proof;
mod recorded;
mod signatures;
mod signer;
mod texts;
