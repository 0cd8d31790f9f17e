//! What is known of each line because it was generated: its category, its merchant, the series that it belongs to.

mod category;
mod label;
mod series;

pub(crate) use label::LineLabel;
pub(crate) use series::SeriesOfAccount;
