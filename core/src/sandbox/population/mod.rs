//! An invented population: customers, what they own, and a history of what they earned and spent.

mod bill;
mod block;
mod booking;
mod calendar;
mod cases;
mod chance;
mod changes;
mod company;
mod country;
mod credit;
mod diary;
mod distribution;
mod draft;
mod events;
mod generator;
mod holding;
mod household;
mod ids;
mod income;
mod journey;
mod kind;
mod labels;
mod life;
mod life_change;
mod lives;
mod loan;
mod merchants;
mod move_in;
mod names;
mod neighbourhood;
mod numbers;
mod origin;
mod outside;
mod partition;
mod person;
#[cfg(feature = "arrow")]
mod personas;
mod plan;
mod pocket;
mod price;
mod purse;
mod records;
mod savings;
mod scene;
mod setting;
mod shuffle;
mod size;
mod sketch;
mod unit;
mod version;
mod view;
mod world;

#[cfg(feature = "arrow")]
pub(crate) use cases::{CaseNote, Mark};
#[cfg(feature = "arrow")]
pub(crate) use events::EventNote;
#[cfg(feature = "arrow")]
pub(crate) use generator::Generator;
#[cfg(feature = "arrow")]
pub(crate) use labels::LineLabel;
pub(crate) use lives::{check_document, Lives};
pub(crate) use move_in::move_in;
#[cfg(feature = "arrow")]
pub(crate) use partition::Partition;
#[cfg(feature = "arrow")]
pub(crate) use personas::Tally;
#[cfg(feature = "arrow")]
pub use personas::{Criteria, Span};
pub use plan::PopulationPlan;
#[cfg(feature = "arrow")]
pub(crate) use records::{AccountRecord, AnyAccount, CustomerRecord, Line, Records};
pub(crate) use setting::Setting;
#[cfg(feature = "arrow")]
pub use size::PopulationSize;
pub use version::GeneratorVersion;
