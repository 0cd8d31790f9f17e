//! Stage 6: strict JSON to a valid command, all faults gathered.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use rust_decimal::Decimal;

use super::admit::Admitted;
use crate::bank::Bank;
use crate::basket;
use crate::basket::body::NamedPayments;
use crate::error;
use crate::handler_error::HandlerError;
use crate::payment::accept_fix::{asks_for_structured_addresses, unknown_fixes};
use crate::payment::body;
use crate::payment::body_context::{BankKnows, Rules};
use crate::payment::order::Order;
use crate::payment::payment_rules::debtor_fault;
use crate::payment::product::Product;
use crate::pipeline::access::{Access, Granted, ScaRequired};
use crate::pipeline::call::{BasketAct, BasketPath, Call, PaymentAct, PaymentPath};
use crate::reason::{Finding, Reason};
use crate::types::{Bban, Currency, DebtorAccount, KidAgreement};

/// A valid command of an admitted caller.
pub(crate) struct Command<'r> {
    admitted: Admitted<'r>,
    kind: Kind,
}

/// What is to be done.
pub(crate) enum Kind {
    CreatePayment(Box<NewPayment>),
    OnPayment(PaymentAct, PaymentPath),
    ReadAccounts(Box<Granted>),
    StartConsent,
    IdentifyPsu,
    ListAgreements,
    RequireSca(Box<ScaRequired>),
    CreateBasket(NamedPayments),
    OnBasket(BasketAct, BasketPath),
    /// One of the bank's own operations. The bank reads the body itself.
    OfBank,
}

/// A payment that nothing in its body speaks against.
pub(crate) struct NewPayment {
    pub(crate) product: Product,
    pub(crate) allow_logical_duplicate: bool,
    pub(crate) order: Order,
    /// The account that pays, as the bank knows it; looked up where the PSU is identified.
    pub(crate) debtor: Option<DebtorAccount>,
    pub(crate) warnings: Vec<Finding>,
}

impl<'r> Command<'r> {
    pub(crate) fn into_parts(self) -> (Admitted<'r>, Kind) {
        (self.admitted, self.kind)
    }
}

/// Reads the body, where the operation takes one.
pub(crate) fn read_body(mut admitted: Admitted<'_>) -> Result<Command<'_>, HandlerError> {
    let kind = match admitted.take_access() {
        Some(Access::Open) => asked_for(&admitted)?,
        Some(Access::Granted(granted)) => Kind::ReadAccounts(granted),
        Some(Access::ScaRequired(required)) => Kind::RequireSca(required),
        None => return Err(Reason::Internal.into()),
    };
    Ok(Command { admitted, kind })
}

fn asked_for(admitted: &Admitted<'_>) -> Result<Kind, HandlerError> {
    Ok(match admitted.parsed().call() {
        Call::CreatePayment { product, allow_logical_duplicate } => {
            Kind::CreatePayment(Box::new(payment(admitted, *product, *allow_logical_duplicate)?))
        }
        Call::OnPayment(act, path) => Kind::OnPayment(*act, path.clone()),
        Call::CreateBasket => Kind::CreateBasket(basket::body::read(admitted.context().request.body)?),
        Call::OnBasket(act, path) => Kind::OnBasket(*act, path.clone()),
        Call::OfBank(_) => Kind::OfBank,
        Call::StartConsent => Kind::StartConsent,
        Call::IdentifyPsu => Kind::IdentifyPsu,
        Call::ListAgreements => Kind::ListAgreements,
        // Accounts are only read with a grant.
        Call::ReadAccounts(_) => return Err(Reason::Internal.into()),
    })
}

fn payment(
    admitted: &Admitted<'_>,
    product: Product,
    allow_logical_duplicate: bool,
) -> Result<NewPayment, HandlerError> {
    let context = admitted.context();
    let fixes = admitted.parsed().call_headers().accepted_fixes();
    let rules = Rules {
        policy: context.policy,
        today: context.today(),
        structured_addresses_early: asks_for_structured_addresses(fixes.iter().map(String::as_str)),
        bank: &Asked::new(context.bank()),
    };
    let mut reading = body::read(product, context.request.body, &rules)?;
    reading.warn(unknown_fixes(fixes.iter().map(String::as_str)));
    let mut debtor = None;
    if let (Some(psu), Some(account)) = (admitted.psu(), reading.debtor_account()) {
        debtor = context.bank().payments().debtor_account(psu, account)?;
        if let Some(fault) = debtor_fault(account, debtor.as_ref()) {
            reading.refuse(fault);
        }
    }
    let (order, warnings) = reading.into_result()?;
    Ok(NewPayment { product, allow_logical_duplicate, order, debtor, warnings })
}

/// The bank, as far as a body is judged by it. Asked once about each creditor and each exchange: a bulk may name one a
/// thousand times.
struct Asked<'b> {
    bank: &'b dyn Bank,
    agreements: RefCell<BTreeMap<Bban, Option<KidAgreement>>>,
    rates: RefCell<HashMap<(Currency, Currency), Option<Decimal>>>,
}

impl<'b> Asked<'b> {
    fn new(bank: &'b dyn Bank) -> Self {
        Self { bank, agreements: RefCell::default(), rates: RefCell::default() }
    }

    fn rate(&self, from: Currency, to: Currency) -> error::Result<Option<Decimal>> {
        if let Some(known) = self.rates.borrow().get(&(from, to)) {
            return Ok(*known);
        }
        let rate = self.bank.payments().rate(from, to)?;
        self.rates.borrow_mut().insert((from, to), rate);
        Ok(rate)
    }
}

impl BankKnows for Asked<'_> {
    fn rate_to_nok(&self, currency: Currency) -> error::Result<Option<Decimal>> {
        self.rate(currency, Currency::NOK)
    }

    fn exchanges(&self, from: Currency, to: Currency) -> error::Result<bool> {
        Ok(self.rate(from, to)?.is_some())
    }

    fn kid_agreement(&self, creditor: &Bban) -> error::Result<Option<KidAgreement>> {
        if let Some(known) = self.agreements.borrow().get(creditor) {
            return Ok(*known);
        }
        let agreement = self.bank.payments().kid_agreement(creditor)?;
        self.agreements.borrow_mut().insert(*creditor, agreement);
        Ok(agreement)
    }
}
