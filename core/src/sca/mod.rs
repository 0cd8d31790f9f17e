//! Strong customer authentication by redirect: the link, its outcome, the call-back.

pub mod callback;
pub(crate) mod decide;
pub mod machine;
pub mod record;
pub(crate) mod view;
