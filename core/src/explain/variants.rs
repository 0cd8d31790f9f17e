//! The texts of the hypotheses: what each row of the table derives from a signing string.

pub(super) mod dates;
pub(super) mod digests;
pub(super) mod earlier;
pub(super) mod layouts;
pub(super) mod names;
pub(super) mod order;
pub(super) mod targets;
pub(super) mod texts;
pub(super) mod values;
