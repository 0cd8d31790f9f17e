//! The state of a sandbox as text, what differs between two, and the policies of a running one.

mod agree;
mod blame;
mod bounds;
mod busy;
mod difference;
mod document;
mod hand;
mod policy;
