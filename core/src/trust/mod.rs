//! What the host supplies about trust besides its anchors, and may replace while the engine runs: revocation lists,
//! trusted lists, the register of TPPs.

pub(crate) mod cached_registry;
pub(crate) mod chain_status;
mod list_fault;
mod list_scope;
pub(crate) mod register_extract;
pub(crate) mod revocation_list;
pub(crate) mod revocation_lists;
pub(crate) mod trusted_list;

pub use cached_registry::{AnswerAges, CachedRegistry};
pub use list_fault::ListFault;
pub use register_extract::RegisterExtract;
pub use revocation_list::RevocationList;
pub use revocation_lists::RevocationLists;
pub use trusted_list::{TrustedList, TrustedListFault, TrustedService};

pub use crate::tpp::certificate::Certificate;
pub use crate::tpp::response_key::ResponseKey;
pub use crate::tpp::trust::TrustAnchors;
