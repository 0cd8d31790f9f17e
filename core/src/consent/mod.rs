//! What a PSU has opened to a TPP.

pub(crate) mod consent_rules;
pub(crate) mod grant;
pub mod machine;
pub mod record;
