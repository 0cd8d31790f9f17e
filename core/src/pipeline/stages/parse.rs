//! Stage 1: routes by the operation table, checks header presence and form, reads query values.

use crate::handler_error::HandlerError;
use crate::operation::{route, Operation, OperationId, Route};
use crate::pipeline::call::{Call, PaymentPath};
use crate::pipeline::call_context::CallContext;
use crate::pipeline::trace::Trace;
use crate::policy::{Policy, RequestIdForm};
use crate::reason::{Reason, Refusal, Violation};
use crate::wire::call_headers::{CallHeaders, HeaderRules};
use crate::wire::headers::Headers;
use crate::wire::target::Target;

/// A request whose route, headers and query are well formed. It is large: the stages hand it on in a box.
pub(crate) struct Parsed<'r> {
    context: &'r CallContext<'r>,
    operation: &'static Operation,
    target: Target<'r>,
    call: Call,
    headers: Headers<'r>,
    call_headers: CallHeaders,
}

impl<'r> Parsed<'r> {
    /// The request, and what is fixed for the whole call.
    pub(crate) fn context(&self) -> &'r CallContext<'r> {
        self.context
    }

    pub(crate) fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// The path and the query, taken apart.
    pub(crate) fn target(&self) -> &Target<'r> {
        &self.target
    }

    /// What the path and the query ask for.
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

/// Parses everything but the body. The trace has the operation as soon as that is known.
pub(crate) fn parse<'r>(
    context: &'r CallContext<'r>,
    trace: &mut Trace,
) -> Result<Box<Parsed<'r>>, HandlerError> {
    let CallContext { request, policy, .. } = *context;
    let target = Target::parse(request.target)?;
    let segments = target.segments_below(&policy.base_path).ok_or(Reason::PathUnknown)?;
    let (operation, parameters) =
        match route(request.method, segments, context.bank().own_operations().operations()) {
            Route::Found(operation, parameters) => (operation, parameters),
            Route::OtherMethods(methods) => {
                // The text has no argument; the header Allow of the answer is made of it.
                return Err(Violation::with(Reason::MethodNotAllowed, &[&methods.join(", ")]).into());
            }
            Route::Unknown => return Err(Reason::PathUnknown.into()),
        };
    trace.note_operation(operation);
    check_path(operation.id, &parameters)?;
    check_body_frame(operation, context)?;
    let headers = context.unchecked_headers.checked()?;
    let call_headers = CallHeaders::read(&headers, operation.headers, rules(policy))?;
    let call = Call::read(operation.id, &parameters, &target)?;
    Ok(Box::new(Parsed { context, operation, target, call, headers, call_headers }))
}

fn rules(policy: &Policy) -> HeaderRules<'_> {
    HeaderRules {
        require_session: policy.require_session_headers,
        needs_uuid: policy.request_id == RequestIdForm::Uuid,
        redirect_schemes: &policy.redirect_schemes,
    }
}

/// A path that leads nowhere is refused at once; what the query asks for is judged after the headers.
fn check_path(operation: OperationId, parameters: &[&str]) -> Result<(), Reason> {
    match operation {
        OperationId::CreatePayment
        | OperationId::ReadPayment
        | OperationId::ReadPaymentStatus
        | OperationId::StartPaymentAuthorisation
        | OperationId::CancelPayment
        | OperationId::StartCancellationAuthorisation => PaymentPath::read(parameters).map(drop),
        _ => Ok(()),
    }
}

/// Size and media types: judged before anything is spent on the body.
fn check_body_frame(operation: &Operation, context: &CallContext<'_>) -> Result<(), Refusal> {
    let CallContext { request, policy, negotiated, .. } = *context;
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
