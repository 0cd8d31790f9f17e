//! The mistakes that clients make, a file for each part of a request. The order within a file is the order of
//! likelihood, in which they are tried.

mod certificate;
mod date;
mod digest;
mod key;
mod key_id;
mod row;
mod signature_form;
mod signing_string;
mod target;
mod value;

pub(super) use certificate::*;
pub(super) use date::*;
pub(super) use digest::*;
pub(super) use key::*;
pub(super) use key_id::*;
pub(super) use signature_form::*;
pub(super) use signing_string::*;
pub(super) use target::*;
pub(super) use value::*;
