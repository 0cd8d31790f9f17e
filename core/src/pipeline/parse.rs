//! Stage 1: routes by the operation table, checks header presence and form, reads query values.

use crate::operation::{route, Operation, OperationId, Route};
use crate::payment::product::Product;
use crate::pipeline::stop::Stop;
use crate::policy::Policy;
use crate::reason::{Reason, Refusal, Violation};
use crate::types::PaymentId;
use crate::wire::call_headers::CallHeaders;
use crate::wire::headers::Headers;
use crate::wire::negotiation::Negotiated;
use crate::wire::request::Request;
use crate::wire::target::Target;

/// A request whose route, headers and query are well formed.
pub(crate) struct Parsed<'r> {
    request: &'r Request<'r>,
    operation: &'static Operation,
    call: Call,
    headers: Headers<'r>,
    call_headers: CallHeaders,
}

/// What path and query ask for.
#[derive(Debug, Clone)]
pub(crate) enum Call {
    CreatePayment { product: Product, allow_logical_duplicate: bool },
    ReadPayment(PaymentPath),
    ReadPaymentStatus(PaymentPath),
    StartPaymentAuthorisation(PaymentPath),
}

/// A payment as a path names it. `id` is `None` for what cannot be one: nobody learns more than for an
/// unknown one.
#[derive(Debug, Clone)]
pub(crate) struct PaymentPath {
    pub(crate) product: Product,
    pub(crate) id: Option<PaymentId>,
}

impl<'r> Parsed<'r> {
    pub(crate) fn request(&self) -> &'r Request<'r> {
        self.request
    }

    pub(crate) fn operation(&self) -> &'static Operation {
        self.operation
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

/// Parses everything but the body.
pub(crate) fn parse<'r>(
    request: &'r Request<'r>,
    negotiated: Negotiated,
    policy: &Policy,
) -> Result<Parsed<'r>, Stop> {
    let target = Target::parse(request.target)?;
    let segments = target.segments_below(&policy.base_path).ok_or(Reason::PathUnknown)?;
    let (operation, parameters) = match route(request.method, segments) {
        Route::Found(operation, parameters) => (operation, parameters),
        Route::OtherMethods(methods) => return Err(Stop::MethodNotAllowed(methods)),
        Route::Unknown => return Err(Reason::PathUnknown.into()),
    };
    let path = payment_path(&parameters)?;
    check_body_frame(request, operation, negotiated, policy)?;
    let headers = Headers::parse(request.headers)?;
    let call_headers = CallHeaders::read(&headers, operation.headers, policy.require_session_headers)?;
    let call = match operation.id {
        OperationId::CreatePayment => Call::CreatePayment {
            product: path.product,
            allow_logical_duplicate: switch(&target, "allowLogicalDuplicate")?,
        },
        OperationId::ReadPayment => Call::ReadPayment(path),
        OperationId::ReadPaymentStatus => Call::ReadPaymentStatus(path),
        OperationId::StartPaymentAuthorisation => Call::StartPaymentAuthorisation(path),
    };
    Ok(Parsed { request, operation, call, headers, call_headers })
}

fn payment_path(parameters: &[String]) -> Result<PaymentPath, Reason> {
    let mut parameters = parameters.iter();
    let product = parameters.next().and_then(|name| Product::parse(name)).ok_or(Reason::ProductUnknown)?;
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
    Ok(())
}

fn switch(target: &Target<'_>, name: &str) -> Result<bool, Refusal> {
    target.switch(name).map_err(|reason| Refusal::at(reason, name))
}
