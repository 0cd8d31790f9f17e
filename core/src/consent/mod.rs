//! What a PSU has opened to a TPP.

pub(crate) mod consent_rules;
pub(crate) mod grant;
pub(crate) mod machine;
pub(crate) mod record;
