//! The unit of sums.

/// Minor units in a whole one: every currency of a population has two digits behind the point.
pub(super) const UNIT: i64 = 100;
