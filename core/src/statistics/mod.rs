//! The statistics of the interface (Delegated Regulation (EU) 2018/389, article 32(4); EBA/GL/2018/07, guidelines 2 and
//! 3): what is counted, and the figures of a day.

pub(crate) mod figures;
pub(crate) mod outage;
pub(crate) mod record;
