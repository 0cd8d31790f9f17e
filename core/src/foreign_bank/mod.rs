//! A bank of another language: every question of the [`Bank`](crate::bank::Bank) seam as JSON, every answer read from
//! JSON. The checks of what an answer may hold also apply to a bank in Rust.

mod account_answer;
mod answer;
mod calls;
pub(crate) mod checked_bank;
pub(crate) mod guarded_bank;
mod json_bank;
mod method;
mod part;
pub(crate) mod question;
pub(crate) mod shape;

pub use calls::{AnswerWriter, BankCalls};
pub use json_bank::JsonBank;
pub use method::BankMethod;
pub use shape::{MemberRow, Shape};
