//! Stage 7: reads the rows the command names, asks the bank, and decides. What is to change comes out as a
//! list of writes; nothing is written here, and no transaction is open while the bank is asked.

mod act_on_basket;
mod act_on_payment;
mod create_basket;
mod create_payment;
mod new_authorisation;
mod read_accounts;
mod start_sca;

use super::admit::Admitted;
use super::read_body::{Command, Kind};
use crate::handler_error::HandlerError;
use crate::pipeline::list_agreements::list_agreements;
use crate::pipeline::outcome::Outcome;
use crate::store::Write;

/// What is to be written and what will be answered.
pub(crate) struct Decision<'r> {
    admitted: Admitted<'r>,
    writes: Vec<Write>,
    outcome: Outcome,
}

impl<'r> Decision<'r> {
    pub(crate) fn into_parts(self) -> (Admitted<'r>, Vec<Write>, Outcome) {
        (self.admitted, self.writes, self.outcome)
    }
}

/// Decides on a command.
pub(crate) fn decide(command: Command<'_>) -> Result<Decision<'_>, HandlerError> {
    let (admitted, kind) = command.into_parts();
    let (writes, outcome) = match kind {
        Kind::CreatePayment(new) => create_payment::create(&admitted, *new)?,
        Kind::OnPayment(act, path) => act_on_payment::act(act, &admitted, &path)?,
        Kind::ReadAccounts(granted) => read_accounts::read(&admitted, *granted)?,
        Kind::StartConsent => start_sca::for_consent(&admitted)?,
        Kind::IdentifyPsu => start_sca::for_identification(&admitted)?,
        Kind::ListAgreements => list_agreements(admitted.context().engine, admitted.tpp(), admitted.psu())?,
        Kind::RequireSca(required) => start_sca::required(&admitted, *required)?,
        Kind::CreateBasket(named) => create_basket::create(&admitted, &named)?,
        Kind::OnBasket(act, path) => act_on_basket::act(act, &admitted, path.as_ref())?,
        Kind::OfBank => (Vec::new(), Outcome::OfBank(None)),
    };
    Ok(Decision { admitted, writes, outcome })
}
