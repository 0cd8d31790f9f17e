//! Cases of fraud and money laundering in a population, and innocent payments that look like them. They are written
//! while lives are lived, which do not react to them; those who take part belong to any neighbourhoods.

mod additions;
mod case_index;
mod directory;
mod look_alikes;
mod openings;
mod pattern;
mod payments;
mod schemes;
mod strangers;
mod typology;

pub(crate) use additions::{Additions, CaseNote, Mark, PartOfDay, Position};
pub(crate) use case_index::CaseIndex;
pub(crate) use pattern::{cases_count, look_alikes_count};
