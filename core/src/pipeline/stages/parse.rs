//! Stage 1: routes by the operation table, checks header presence and form, reads query values.

use crate::handler_error::HandlerError;
use crate::operation::{route, Operation, OperationId, Route};
use crate::payment::product::{Product, Service};
use crate::pipeline::account_read as account;
pub(crate) use crate::pipeline::account_read::{Information, Named};
use crate::pipeline::trace::Trace;
use crate::policy::Policy;
use crate::reason::{Reason, Refusal, Violation};
use crate::types::{BasketId, PaymentId};
use crate::wire::call_headers::CallHeaders;
use crate::wire::headers::Headers;
use crate::wire::negotiation::Negotiated;
use crate::wire::request::Request;
use crate::wire::target::Target;

/// A request whose route, headers and query are well formed. It is large: the stages hand it on in a box.
pub(crate) struct Parsed<'r> {
    request: &'r Request<'r>,
    policy: &'r Policy,
    operation: &'static Operation,
    target: Target<'r>,
    call: Call,
    headers: Headers<'r>,
    call_headers: CallHeaders,
}

/// What path and query ask for.
#[derive(Debug, Clone)]
pub(crate) enum Call {
    CreatePayment {
        product: Product,
        allow_logical_duplicate: bool,
    },
    OnPayment(PaymentAct, PaymentPath),
    ReadAccounts(Information),
    StartConsent,
    IdentifyPsu,
    ListAgreements,
    CreateBasket,
    OnBasket(BasketAct, BasketPath),
    /// One of the bank's own operations, with the values of its path parameters.
    OfBank(Vec<String>),
}

/// What is done with a payment that is there.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PaymentAct {
    Read,
    ReadStatus,
    StartAuthorisation,
    Cancel,
    StartCancelling,
}

/// What is done with a signing basket that is there.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BasketAct {
    Read,
    ReadStatus,
    Delete,
    StartAuthorisation,
}

/// A payment as a path names it. `id` is `None` for what cannot be one: nobody learns more than for an
/// unknown one.
#[derive(Debug, Clone)]
pub(crate) struct PaymentPath {
    pub(crate) product: Product,
    pub(crate) id: Option<PaymentId>,
}

/// A signing basket as a path names it, in the same way.
pub(crate) type BasketPath = Option<BasketId>;

impl Call {
    /// The payment that the path names.
    pub(crate) fn payment(&self) -> Option<&PaymentId> {
        match self {
            Self::OnPayment(_, path) => path.id.as_ref(),
            _ => None,
        }
    }

    /// The payment product that the path names.
    pub(crate) fn product(&self) -> Option<Product> {
        match self {
            Self::CreatePayment { product, .. } => Some(*product),
            Self::OnPayment(_, path) => Some(path.product),
            _ => None,
        }
    }
}

impl<'r> Parsed<'r> {
    pub(crate) fn request(&self) -> &'r Request<'r> {
        self.request
    }

    /// The policy under which the whole call is answered.
    pub(crate) fn policy(&self) -> &'r Policy {
        self.policy
    }

    pub(crate) fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// The path and the query, taken apart.
    pub(crate) fn target(&self) -> &Target<'r> {
        &self.target
    }

    pub(crate) fn call(&self) -> &Call {
        &self.call
    }

    pub(crate) fn headers(&self) -> &Headers<'r> {
        &self.headers
    }

    pub(crate) fn call_headers(&self) -> &CallHeaders {
        &self.call_headers
    }
}

/// Parses everything but the body. The trace learns where the call leads as soon as that is known.
pub(crate) fn parse<'r>(
    request: &'r Request<'r>,
    unchecked: Headers<'r>,
    negotiated: Negotiated,
    policy: &'r Policy,
    of_bank: &'static [Operation],
    trace: &mut Trace,
) -> Result<Box<Parsed<'r>>, HandlerError> {
    let target = Target::parse(request.target)?;
    let segments = target.segments_below(&policy.base_path).ok_or(Reason::PathUnknown)?;
    let (operation, parameters) = match route(request.method, segments, of_bank) {
        Route::Found(operation, parameters) => (operation, parameters),
        Route::OtherMethods(methods) => {
            // The text has no argument; the header Allow of the answer is made of it.
            return Err(Violation::with(Reason::MethodNotAllowed, &[&methods.join(", ")]).into());
        }
        Route::Unknown => return Err(Reason::PathUnknown.into()),
    };
    trace.note_operation(operation);
    check_path(operation.id, &parameters)?;
    check_body_frame(request, operation, negotiated, policy)?;
    let headers = unchecked.checked()?;
    let call_headers = CallHeaders::read(&headers, operation.headers, policy.require_session_headers)?;
    let call = call(operation.id, &parameters, &target)?;
    Ok(Box::new(Parsed { request, policy, operation, target, call, headers, call_headers }))
}

/// A path that leads nowhere is refused at once; what the query makes of the call is judged after the headers.
fn check_path(operation: OperationId, parameters: &[&str]) -> Result<(), Reason> {
    match operation {
        OperationId::CreatePayment
        | OperationId::ReadPayment
        | OperationId::ReadPaymentStatus
        | OperationId::StartPaymentAuthorisation
        | OperationId::CancelPayment
        | OperationId::StartCancellationAuthorisation => payment_path(parameters).map(drop),
        _ => Ok(()),
    }
}

/// What path and query ask for.
fn call(operation: OperationId, parameters: &[&str], target: &Target<'_>) -> Result<Call, HandlerError> {
    let on_payment = |act| Ok::<_, Reason>(Call::OnPayment(act, payment_path(parameters)?));
    let on_basket = |act| Call::OnBasket(act, parameters.first().and_then(|text| BasketId::parse(text)));
    Ok(match operation {
        OperationId::CreatePayment => Call::CreatePayment {
            product: payment_path(parameters)?.product,
            allow_logical_duplicate: switch(target, "allowLogicalDuplicate")?,
        },
        OperationId::ReadPayment => on_payment(PaymentAct::Read)?,
        OperationId::ReadPaymentStatus => on_payment(PaymentAct::ReadStatus)?,
        OperationId::StartPaymentAuthorisation => on_payment(PaymentAct::StartAuthorisation)?,
        OperationId::CancelPayment => on_payment(PaymentAct::Cancel)?,
        OperationId::StartCancellationAuthorisation => on_payment(PaymentAct::StartCancelling)?,
        OperationId::CreateBasket => Call::CreateBasket,
        OperationId::ReadBasket => on_basket(BasketAct::Read),
        OperationId::ReadBasketStatus => on_basket(BasketAct::ReadStatus),
        OperationId::DeleteBasket => on_basket(BasketAct::Delete),
        OperationId::StartBasketAuthorisation => on_basket(BasketAct::StartAuthorisation),
        OperationId::ListAccounts => Call::ReadAccounts(account::accounts(target)?),
        OperationId::ReadAccount => Call::ReadAccounts(account::account(parameters, target)?),
        OperationId::ReadBalances => Call::ReadAccounts(account::balances(parameters)),
        OperationId::ListTransactions => Call::ReadAccounts(account::transactions(parameters, target)?),
        OperationId::ReadTransaction => Call::ReadAccounts(account::transaction(parameters)),
        OperationId::ListCardAccounts => Call::ReadAccounts(Information::CardAccounts),
        OperationId::ReadCardAccount => Call::ReadAccounts(account::card_account(parameters)),
        OperationId::ReadCardBalances => Call::ReadAccounts(account::card_balances(parameters)),
        OperationId::ListCardTransactions => {
            Call::ReadAccounts(account::card_transactions(parameters, target)?)
        }
        OperationId::StartConsent | OperationId::StartConsentByOldPath => Call::StartConsent,
        OperationId::IdentifyPsu => Call::IdentifyPsu,
        OperationId::ListAgreements => Call::ListAgreements,
        OperationId::OfBank => Call::OfBank(parameters.iter().copied().map(str::to_owned).collect()),
    })
}

fn payment_path(parameters: &[&str]) -> Result<PaymentPath, Reason> {
    let mut parameters = parameters.iter();
    let service = parameters.next().and_then(|name| Service::parse(name)).ok_or(Reason::PathUnknown)?;
    let name = parameters.next().ok_or(Reason::ProductUnknown)?;
    let product = Product::parse(service, name)?;
    Ok(PaymentPath { product, id: parameters.next().and_then(|text| PaymentId::parse(text)) })
}

/// Size and media types: judged before anything is spent on the body.
fn check_body_frame(
    request: &Request<'_>,
    operation: &Operation,
    negotiated: Negotiated,
    policy: &Policy,
) -> Result<(), Refusal> {
    if request.body.len() > policy.body_bytes_max {
        return Err(Refusal::new(Violation::with(Reason::BodyTooLarge, &[&policy.body_bytes_max])));
    }
    if !negotiated.accepts_json {
        return Err(Refusal::at(Reason::NotAcceptable, "Accept"));
    }
    if operation.takes_body && !negotiated.sends_json {
        return Err(Refusal::at(Reason::ContentTypeNotJson, "Content-Type"));
    }
    if operation.takes_body && negotiated.sends_compressed {
        return Err(Refusal::at(Reason::BodyEncoded, "Content-Encoding"));
    }
    Ok(())
}

pub(crate) fn switch(target: &Target<'_>, name: &str) -> Result<bool, Refusal> {
    target.switch(name).map_err(|reason| Refusal::at(reason, name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::operation::OPERATIONS;

    /// The parameters that are found to be repeated: those that are looked at.
    fn looked_at(operation: &Operation, names: &BTreeSet<&str>) -> BTreeSet<String> {
        let query: Vec<_> = names.iter().map(|name| format!("{name}=&{name}=")).collect();
        let target = format!("/?{}", query.join("&"));
        let parameters = ["payments", "norwegian-domestic-credit-transfers", "id"];
        match call(operation.id, &parameters, &Target::parse(&target).unwrap()) {
            Err(HandlerError::Refused(refusal)) => {
                refusal.findings().filter_map(|found| found.path.clone()).collect()
            }
            other => {
                assert!(other.is_ok(), "{}", operation.name);
                BTreeSet::new()
            }
        }
    }

    #[test]
    fn the_queries_that_are_listed_are_those_that_are_read() {
        let names: BTreeSet<_> = OPERATIONS.iter().flat_map(|row| row.query).map(|row| row.name).collect();
        for operation in OPERATIONS {
            let listed: BTreeSet<_> = operation.query.iter().map(|row| row.name.to_owned()).collect();
            assert_eq!(looked_at(operation, &names), listed, "{}", operation.name);
        }
    }
}
