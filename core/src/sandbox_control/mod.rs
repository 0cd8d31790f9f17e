//! The sandbox as its users meet it: an engine over the simulated bank, with a clock to move and a PSU to
//! answer for.

mod call_explainer;
mod coverage;
mod diff;
mod document;
mod events;
mod explain;
mod faults;
mod file_clock;
mod journal;
mod note_step;
mod notes;
mod open;
mod options;
mod other_channel;
mod policy;
mod population;
mod provoke;
mod reconcile;
mod refused_call;
mod registry;
mod response_signing;
mod sandbox;
mod sca_answer;
mod sca_demand;
mod sca_site;
mod snapshot;
#[cfg(feature = "arrow")]
mod tables;
mod test_tpp;

pub use diff::diff;
pub use document::StateRows;
pub use journal::{JournalExport, JournalForm};
pub use options::SandboxOptions;
pub use provoke::ProvokedRequest;
pub use refused_call::RefusedCall;
pub use sandbox::Sandbox;
pub use sca_answer::ScaAnswer;
pub use test_tpp::TestTpp;
