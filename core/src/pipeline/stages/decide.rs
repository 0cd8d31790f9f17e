//! Stage 7: reads the rows the command names, asks the bank, and decides. What is to change comes out as a
//! list of writes; nothing is written here, and no transaction is open while the bank is asked.

mod act_on_basket;
mod cancel_payment;
mod create_payment;
mod new_authorisation;
mod read_accounts;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use uuid::Uuid;

pub(crate) use self::read_accounts::{agreements, AccountData};
use super::admit::Admitted;
use super::parse::{BasketAct, PaymentAct, PaymentPath};
use super::read_body::{Command, Kind};
use crate::account::record::CorporateAgreement;
use crate::bank::BankAnswer;
use crate::basket::record::Basket;
use crate::handler_error::HandlerError;
use crate::payment::record::Payment;
use crate::pipeline::engine_context::EngineContext;
use crate::reason::{Finding, Language, Refusal};
use crate::store::Write;
use crate::types::{AuthorisationId, BasketId};

/// What is to be written and what will be answered.
pub(crate) struct Decision<'r> {
    admitted: Admitted<'r>,
    writes: Vec<Write>,
    outcome: Outcome,
}

/// What the answer speaks of.
pub(crate) enum Outcome {
    /// A payment was created; with a link where a single SCA was started.
    Created { payment: Arc<Payment>, sca: Option<AuthorisationId>, warnings: Vec<Finding> },
    /// A payment was looked up.
    Details(Box<Payment>),
    /// A payment's status was looked up.
    Status(Box<Payment>),
    /// An authorisation was started.
    AuthorisationStarted(AuthorisationId),
    /// The call is refused, with a link to the SCA that would cure it.
    ScaRequired { refusal: Refusal, sca: AuthorisationId },
    /// An SCA was started in which the PSU opens accounts.
    ConsentStarted { sca: AuthorisationId, successor: Option<&'static str> },
    /// An SCA was started that makes the PSU known.
    IdentificationStarted(AuthorisationId),
    /// Account data was read.
    AccountsRead(Box<AccountData>),
    /// The agreements of a PSU, each with the id by which the TPP names the customer.
    Agreements(Vec<(Uuid, CorporateAgreement)>),
    /// What the path names is given up: there is nothing to tell.
    GivenUp,
    /// A payment is cancelled only by an SCA.
    CancellationNeedsSca(Box<Payment>),
    /// A signing basket was created, with these payments.
    BasketCreated(Box<Basket>, Vec<Payment>),
    /// A signing basket was looked up, with its payments.
    BasketDetails(Box<Basket>, Vec<Payment>),
    /// A signing basket's status was looked up: its payments tell it.
    BasketStatus(Box<Basket>, Vec<Payment>),
    /// One of the bank's own operations: its answer, once commit had the bank perform it.
    OfBank(Option<BankAnswer>),
}

impl<'r> Decision<'r> {
    pub(crate) fn into_parts(self) -> (Admitted<'r>, Vec<Write>, Outcome) {
        (self.admitted, self.writes, self.outcome)
    }
}

/// Decides on a command.
pub(crate) fn decide<'r>(
    command: Command<'r>,
    engine: &EngineContext,
    language: Language,
    now: DateTime<Utc>,
) -> Result<Decision<'r>, HandlerError> {
    let (admitted, kind) = command.into_parts();
    let (writes, outcome) = match kind {
        Kind::CreatePayment(new) => create_payment::create_payment(&admitted, *new, engine, language, now)?,
        Kind::OnPayment(act, path) => on_payment(act, &admitted, &path, engine, language, now)?,
        Kind::ReadAccounts(granted) => read_accounts::read(&admitted, *granted, engine)?,
        Kind::StartConsent => read_accounts::start_consent(&admitted, engine, language, now)?,
        Kind::IdentifyPsu => read_accounts::identify_psu(&admitted, engine, language, now)?,
        Kind::ListAgreements => agreements(&admitted, engine)?,
        Kind::RequireSca(required) => {
            read_accounts::require_sca(&admitted, *required, engine, language, now)?
        }
        Kind::CreateBasket(named) => act_on_basket::create(&admitted, &named, engine, now)?,
        Kind::OnBasket(act, path) => on_basket(act, &admitted, path.as_ref(), engine, language, now)?,
        Kind::OfBank => (Vec::new(), Outcome::OfBank(None)),
    };
    Ok(Decision { admitted, writes, outcome })
}

fn on_payment(
    act: PaymentAct,
    admitted: &Admitted<'_>,
    path: &PaymentPath,
    engine: &EngineContext,
    language: Language,
    now: DateTime<Utc>,
) -> Result<(Vec<Write>, Outcome), HandlerError> {
    let found = || create_payment::read(admitted, path, engine).map(Box::new);
    match act {
        PaymentAct::Read => Ok((Vec::new(), Outcome::Details(found()?))),
        PaymentAct::ReadStatus => Ok((Vec::new(), Outcome::Status(found()?))),
        PaymentAct::StartAuthorisation => {
            create_payment::start_authorisation(admitted, path, engine, language, now)
        }
        PaymentAct::Cancel => cancel_payment::cancel(admitted, path, engine, now),
        PaymentAct::StartCancelling => {
            cancel_payment::start_authorisation(admitted, path, engine, language, now)
        }
    }
}

fn on_basket(
    act: BasketAct,
    admitted: &Admitted<'_>,
    id: Option<&BasketId>,
    engine: &EngineContext,
    language: Language,
    now: DateTime<Utc>,
) -> Result<(Vec<Write>, Outcome), HandlerError> {
    let found =
        || act_on_basket::find(admitted, id, engine).map(|(basket, payments)| (Box::new(basket), payments));
    match act {
        BasketAct::Read => {
            found().map(|(basket, payments)| (Vec::new(), Outcome::BasketDetails(basket, payments)))
        }
        BasketAct::ReadStatus => {
            found().map(|(basket, payments)| (Vec::new(), Outcome::BasketStatus(basket, payments)))
        }
        BasketAct::Delete => act_on_basket::delete(admitted, id, engine),
        BasketAct::StartAuthorisation => {
            act_on_basket::start_authorisation(admitted, id, engine, language, now)
        }
    }
}
