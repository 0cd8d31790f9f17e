//! Input that no sensible client sends: every request has an answer that is well formed, none is a 500, and
//! nothing is stored of what is refused.

mod bench;

mod at_random;
mod bodies;
mod header_fields;
mod targets;
