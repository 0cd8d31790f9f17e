//! Strong customer authentication by redirect: the link, its outcome, the call-back.

pub mod callback;
pub mod machine;
pub mod record;
pub(crate) mod sca_rules;
pub(crate) mod view;
