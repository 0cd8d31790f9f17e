//! Checks an answer of a bank without an engine: for tests of a bank.

use super::answer::{
    Accounts, Agreements, Balances, Booked, Cancelled, CardAccounts, CardBooked, CardPending, Debtor, Demand,
    Fee, Pending, Person, Rate, Status,
};
use super::calls::too_long;
use super::method::BankMethod;
use super::read_answer::{error, read_answer, wrong};
use super::shape::Part;
use crate::account::record::{Account, CardAccount, Transaction};
use crate::error::{Error, Result};
use crate::limits::BANK_ANSWER_BYTES_MAX;
use crate::reason::Language;
use crate::types::KidAgreement;
use crate::wire::json::Json;

/// Checks that an engine would take `answer` as the answer to `question`: its members, their values, and what it has to
/// repeat. Whether a list is the part that was asked for is for the engine to see.
///
/// # Errors
/// [`Error::Misuse`] for a question that is no JSON object. [`Error::BankAnswer`] for an answer that the engine would
/// not take, with its place as a JSON Pointer.
pub fn check_answer(method: BankMethod, question: &str, answer: &[u8]) -> Result<()> {
    if !Json::parse(question.as_bytes()).is_ok_and(|question| question.is_object()) {
        return Err(Error::Misuse("the question is no JSON object".to_owned()));
    }
    if answer.len() > BANK_ANSWER_BYTES_MAX {
        return Err(error(method, "", &too_long()));
    }
    let answer =
        Json::parse(answer).map_err(|violation| error(method, "", &violation.text(Language::English)))?;
    let check = match method {
        BankMethod::Psu => is_answered::<Person>,
        BankMethod::DebtorAccount => is_answered::<Debtor>,
        BankMethod::KidAgreement => is_answered::<KidAgreement>,
        BankMethod::Fee => is_answered::<Fee>,
        BankMethod::Rate => is_answered::<Rate>,
        BankMethod::RequiresSca => is_answered::<Demand>,
        BankMethod::SubmitPayment => is_answered::<Status>,
        BankMethod::CancelPayment => is_answered::<Cancelled>,
        BankMethod::Agreements => is_answered::<Agreements>,
        BankMethod::Accounts => is_answered::<Accounts>,
        BankMethod::Account => is_answered::<Account>,
        BankMethod::Balances | BankMethod::CardBalances => is_answered::<Balances>,
        BankMethod::Booked => is_answered::<Booked>,
        BankMethod::Pending => is_answered::<Pending>,
        BankMethod::Transaction => is_answered::<Transaction>,
        BankMethod::CardAccounts => is_answered::<CardAccounts>,
        BankMethod::CardAccount => is_answered::<CardAccount>,
        BankMethod::CardBooked => is_answered::<CardBooked>,
        BankMethod::CardPending => is_answered::<CardPending>,
    };
    match check(method, question, answer)? {
        false if method.null().is_none() => Err(error(method, "", "is null")),
        _ => Ok(()),
    }
}

/// Whether the answer is another one than null.
fn is_answered<A: Part>(method: BankMethod, question: &str, answer: Json<'_>) -> Result<bool> {
    let read = read_answer::<A>(method, question, answer).map_err(|fault| wrong(method, &fault))?;
    Ok(read.is_some())
}
