//! Explained refusals: which mistake a client made, with proof, and what to change.
//!
//! Pure and without state. An RSA signature shows, with the public key, the padding and the hash that was signed; so
//! each hypothesis about the signed text costs one hash. The hypotheses are the rows of `table`.

mod body_forms;
mod budget;
mod case;
mod certificate_check;
mod charset;
mod date_check;
mod decimal;
mod digest_search;
mod distinguished_name_check;
mod draft;
mod explanation;
mod finding;
mod groups;
mod json_forms;
mod key_id_check;
mod mistake;
mod options;
mod sealed;
mod signature_form;
mod signature_search;
mod solve;
mod table;
mod variants;

pub use explanation::{Explanation, Proof};
pub use groups::mistakes;
pub use mistake::{Mistake, MistakeGroup};
pub use options::ExplainOptions;
pub use solve::explain;
