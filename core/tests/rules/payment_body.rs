//! Every member of a payment's body, product by product: what is taken, what is not, and what is said of it.
//!
//! Each body goes two ways, through a sandbox and through `tools::validate_payment`; both must say the same.

mod bench;
mod table;

mod amounts;
mod bulks;
mod completeness;
mod dates;
mod members;
mod references;
mod rules;
