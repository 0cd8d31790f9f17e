//! The steps of a sandbox: every call with its answer, and every use of a control. They can be read, and written as
//! HAR, as curl, as a pytest file.

mod curl;
mod draws;
mod entry;
mod fields;
mod har;
mod message_body;
mod named_mistake;
mod packed_call;
mod parts;
mod pytest;
mod python_fault;
mod python_literal;
mod redact;
mod repeated;
mod replay;
mod ring;
mod side_effect;
mod signed_over;
mod summary;

pub(crate) use draws::Draws;
pub(crate) use entry::{AuthoriseStep, FaultStep};
pub use entry::{JournalEntry, Step};
pub(crate) use fields::Fields;
pub use message_body::header_text;
pub(crate) use named_mistake::NamedMistake;
pub use packed_call::RecordedCall;
pub(crate) use packed_call::{CallFacts, PackedCall};
pub(crate) use replay::Beginning;
pub(crate) use ring::Journal;
pub(crate) use side_effect::{SideEffect, StepInProgress, StepsInProgress};

pub(crate) use curl::curl;
pub(crate) use har::har;
pub(crate) use named_mistake::Mistakes;
pub(crate) use pytest::pytest;
pub(crate) use summary::summary;
