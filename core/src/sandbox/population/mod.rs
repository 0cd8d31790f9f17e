//! An invented population: customers, what they own, and a history of what they earned and spent.

mod booking;
mod budget;
mod chance;
mod company;
mod credit;
mod diary;
mod generator;
mod holding;
mod ids;
mod income;
mod month;
mod move_in;
mod names;
mod neighbourhood;
mod numbers;
mod outside;
mod partition;
mod person;
mod plan;
mod records;
mod scene;
mod setting;
mod shops;
mod shuffle;
mod size;
mod version;
mod view;

#[cfg(feature = "arrow")]
pub(crate) use generator::Generator;
pub(crate) use move_in::move_in;
#[cfg(feature = "arrow")]
pub(crate) use partition::Partition;
pub use plan::PopulationPlan;
#[cfg(feature = "arrow")]
pub(crate) use records::{AccountRecord, AnyAccount, CustomerRecord, Line, Records};
pub(crate) use setting::Setting;
pub use version::GeneratorVersion;
