//! Strong customer authentication by redirect: the link, its outcome, the call-back.

pub(crate) mod callback;
pub(crate) mod machine;
pub(crate) mod record;
pub(crate) mod sca_rules;
pub(crate) mod view;
