//! The walk of a request. Its nine stages are in `stages`; the files beside that folder are what stages share.

pub(crate) mod access;
pub(crate) mod account_read;
pub(crate) mod audit;
pub(crate) mod bank_reply_checks;
pub(crate) mod call;
pub(crate) mod call_context;
pub(crate) mod chain_cache;
pub(crate) mod corporate_id;
pub(crate) mod engine_context;
pub(crate) mod enqueue_submission;
pub(crate) mod explain_refusal;
pub(crate) mod interference;
pub(crate) mod list_agreements;
pub(crate) mod named_psu;
pub(crate) mod outcome;
pub(crate) mod psu_identity;
pub(crate) mod recent;
pub(crate) mod refusal_explainer;
pub(crate) mod replay_window;
pub(crate) mod response_signature;
pub(crate) mod sca_requirement;
pub(crate) mod stages;
pub(crate) mod status_transition;
pub(crate) mod trace;
