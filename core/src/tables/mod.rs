//! The tables of a sandbox as columns with types: Apache Arrow, Parquet, CSV.

mod accounts;
mod arrow_file;
mod batch;
mod card_authorisations;
mod catalog;
mod column;
mod csv;
mod customers;
mod generated;
mod generated_row;
mod labels;
mod orders;
#[cfg(feature = "parquet")]
mod parquet_file;
mod population;
mod reader;
mod rows;
mod store_rows;
mod table;
mod transactions;
mod watched;
mod whole_file;

pub use crate::sandbox::population::{Criteria, PopulationSize, Span};
pub use catalog::{EVENT_TABLES, LABEL_TABLES, SCHEMA_VERSION, TABLES};
pub use column::{Column, Definition, Kind};
pub use population::{Population, PopulationOptions};
pub use reader::{ArrowArrayStream, ArrowSchema};
pub(crate) use store_rows::{names_in_store, table_of_store};
pub use table::Table;
pub use watched::Watch;
