//! Stage 7: reads the rows the command names, asks the bank, and decides. What is to change comes out as a
//! list of writes; nothing is written here, and no transaction is open while the bank is asked.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::admit::{person, Admitted};
use super::parse::PaymentPath;
use super::parts::Parts;
use super::read_body::{Command, Kind};
use super::stop::Stop;
use crate::bank::Bank;
use crate::limits::LOGICAL_DUPLICATE_HOURS;
use crate::payment::decide::{create, start_authorisation, Creation};
use crate::payment::order::CreditTransfer;
use crate::payment::product::Product;
use crate::payment::record::Payment;
use crate::reason::{Finding, Language, Reason};
use crate::sca::machine::ScaStatus;
use crate::sca::record::{Authorisation, Purpose};
use crate::store::Write;
use crate::types::{AccountIdentification, AuthorisationId, Bban, PaymentId};

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
}

impl<'r> Decision<'r> {
    pub(crate) fn into_parts(self) -> (Admitted<'r>, Vec<Write>, Outcome) {
        (self.admitted, self.writes, self.outcome)
    }
}

/// Decides on a command.
pub(crate) fn decide<'r>(
    command: Command<'r>,
    parts: &Parts,
    language: Language,
    now: DateTime<Utc>,
) -> Result<Decision<'r>, Stop> {
    let (admitted, kind) = command.into_parts();
    let (writes, outcome) = match kind {
        Kind::CreatePayment { product, allow_logical_duplicate, transfer, warnings } => {
            let duplicates = if allow_logical_duplicate { Duplicates::Admitted } else { Duplicates::Refused };
            let order = Order { product, transfer: *transfer, duplicates, warnings };
            create_payment(&admitted, order, parts, language, now)?
        }
        Kind::ReadPayment(path) => (Vec::new(), Outcome::Details(Box::new(find(&admitted, &path, parts)?))),
        Kind::ReadPaymentStatus(path) => {
            (Vec::new(), Outcome::Status(Box::new(find(&admitted, &path, parts)?)))
        }
        Kind::StartPaymentAuthorisation(path) => {
            let payment = find(&admitted, &path, parts)?;
            start_authorisation(&payment, admitted.psu())?;
            let authorisation = authorisation(&admitted, &payment.id, parts, language, now)?;
            let id = authorisation.id.clone();
            (vec![Write::InsertAuthorisation(authorisation)], Outcome::AuthorisationStarted(id))
        }
    };
    Ok(Decision { admitted, writes, outcome })
}

/// Whether logical duplicates are let pass.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Duplicates {
    Admitted,
    Refused,
}

struct Order {
    product: Product,
    transfer: CreditTransfer,
    duplicates: Duplicates,
    warnings: Vec<Finding>,
}

fn create_payment(
    admitted: &Admitted<'_>,
    order: Order,
    parts: &Parts,
    language: Language,
    now: DateTime<Utc>,
) -> Result<(Vec<Write>, Outcome), Stop> {
    let headers = admitted.parsed().call_headers();
    let bank = parts.bank();
    let transfer = order.transfer;
    let payment = Arc::new(create(Creation {
        id: PaymentId::from_random(parts.entropy().bytes()?),
        tpp: admitted.tpp(),
        product: order.product,
        psu: admitted.psu(),
        context: headers.context,
        debtor: match admitted.psu() {
            Some(psu) => bank.debtor_account(psu, &transfer.debtor_account)?,
            None => None,
        },
        kid_agreement: match domestic_creditor(order.product, &transfer) {
            Some(bban) => bank.kid_agreement(bban)?,
            None => None,
        },
        is_convertible: is_convertible(bank, &transfer)?,
        fee: bank.fee(order.product, &transfer)?,
        transfer,
        now,
    })?);
    let refuse_like_since = match order.duplicates {
        Duplicates::Admitted => None,
        Duplicates::Refused => now.checked_sub_signed(duplicates_reach()),
    };
    let mut writes = vec![Write::InsertPayment { payment: Arc::clone(&payment), refuse_like_since }];
    let mut sca = None;
    if admitted.psu().is_none() {
        let authorisation = authorisation(admitted, &payment.id, parts, language, now)?;
        sca = Some(authorisation.id.clone());
        writes.push(Write::InsertAuthorisation(authorisation));
    }
    Ok((writes, Outcome::Created { payment, sca, warnings: order.warnings }))
}

/// How far back a like payment stands in the way. Durations are exact: at 24 hours it is over.
fn duplicates_reach() -> TimeDelta {
    TimeDelta::hours(LOGICAL_DUPLICATE_HOURS) - TimeDelta::microseconds(1)
}

fn is_convertible(bank: &dyn Bank, transfer: &CreditTransfer) -> Result<bool, Stop> {
    let (from, to) = (transfer.debtor_account.currency, transfer.instructed_amount.currency());
    Ok(from == to || bank.rate(from, to)?.is_some())
}

/// The creditor's account number, where KID rules apply.
fn domestic_creditor(product: Product, transfer: &CreditTransfer) -> Option<&Bban> {
    match &transfer.creditor_account.identification {
        AccountIdentification::Bban(bban) if product.is_domestic() => Some(bban),
        _ => None,
    }
}

/// A new authorisation of a payment by whom the call names.
fn authorisation(
    admitted: &Admitted<'_>,
    payment: &PaymentId,
    parts: &Parts,
    language: Language,
    now: DateTime<Utc>,
) -> Result<Authorisation, Stop> {
    let headers = admitted.parsed().call_headers();
    let session_id = match &headers.session_id {
        Some(session_id) => session_id.clone(),
        None => parts.entropy().uuid()?.to_string(),
    };
    Ok(Authorisation {
        id: AuthorisationId::from_random(parts.entropy().bytes()?),
        version: 1,
        tpp: admitted.tpp().to_owned(),
        purpose: Purpose::Payment(payment.clone()),
        redirect_uri: headers.redirect_uri.clone().ok_or(Reason::Internal)?,
        session_id,
        psu: person(admitted.psu()),
        identity: headers.identity,
        context: admitted.psu().map(|psu| psu.context).or(headers.context),
        corporate: admitted.psu().and_then(|psu| psu.corporate.clone()),
        language,
        created_at: now,
        status: ScaStatus::Started,
    })
}

/// The payment the path names, if it is this TPP's and of this product. Another TPP's payment is as
/// unknown as one that never was.
fn find(admitted: &Admitted<'_>, path: &PaymentPath, parts: &Parts) -> Result<Payment, Stop> {
    let found = match &path.id {
        Some(id) => parts.store().payment(id)?,
        None => None,
    };
    let is_visible = |payment: &Payment| payment.tpp == admitted.tpp() && payment.product == path.product;
    found.filter(is_visible).ok_or_else(|| Reason::PaymentUnknown.into())
}
