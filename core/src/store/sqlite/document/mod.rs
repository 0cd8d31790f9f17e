//! The whole contents of a database as JSON that people can read and change, and back.

mod all_tables;
mod bank_tables;
mod between_rows;
mod engine_tables;
mod export;
mod faults;
mod form;
mod import;
mod references;
mod row_rules;
mod table;
mod texts;

pub(crate) use export::Row;
pub(crate) use faults::{segment, Faults};
pub(crate) use form::{time_of_text, time_text};
