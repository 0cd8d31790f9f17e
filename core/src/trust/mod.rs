//! What the host supplies about trust besides its anchors, and may replace while the engine runs: revocation lists,
//! trusted lists, the register of TPPs.

pub mod cached_registry;
pub mod chain_status;
mod list_fault;
mod list_scope;
pub mod register_extract;
pub mod revocation_list;
pub mod revocation_lists;
pub mod trusted_list;

pub use cached_registry::{AnswerAges, CachedRegistry};
pub use list_fault::ListFault;
pub use register_extract::RegisterExtract;
pub use revocation_list::RevocationList;
pub use revocation_lists::RevocationLists;
pub use trusted_list::{TrustedList, TrustedListFault, TrustedService};
