//! An invented population: customers, what they own, and a history of what they earned and spent.

mod booking;
mod budget;
mod chance;
mod company;
mod credit;
mod diary;
mod holding;
mod income;
mod month;
mod move_in;
mod names;
mod neighbourhood;
mod numbers;
mod outside;
mod person;
mod plan;
mod scene;
mod setting;
mod shops;
mod size;
mod view;

pub(crate) use move_in::move_in;
pub use plan::PopulationPlan;
pub(crate) use setting::Setting;
