//! A bank of another language: every question of the [`Bank`](crate::bank::Bank) seam as JSON, every answer read from
//! JSON. The checks of what an answer may hold also apply to a bank in Rust.

mod account_answer;
mod answer;
mod bank;
mod calls;
mod check_answer;
pub(crate) mod checked_bank;
pub(crate) mod guarded_bank;
mod method;
mod part;
pub(crate) mod question;
mod read_answer;
pub(crate) mod shape;

pub use bank::JsonBank;
pub use calls::{AnswerWriter, BankCalls};
pub use check_answer::check_answer;
pub use method::BankMethod;
pub use shape::{MemberRow, Shape};
