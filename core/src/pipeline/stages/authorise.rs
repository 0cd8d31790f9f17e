//! Stage 4: the TPP is registered and not blocked, and its certificate has the role the operation needs.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::authenticate::Authentic;
use super::parse::Parsed;
use crate::env::interference::ObservedCall;
use crate::handler_error::HandlerError;
use crate::operation::RoleNeeded;
use crate::payment::product::Product;
use crate::pipeline::call_context::CallContext;
use crate::reason::{Reason, Refusal, Violation};
use crate::store::BlockedKind;
use crate::tpp::role::Role;

/// A call of a TPP that may make it.
pub(crate) struct Authorised<'r> {
    authentic: Authentic<'r>,
}

impl<'r> Authorised<'r> {
    pub(crate) fn parsed(&self) -> &Parsed<'r> {
        self.authentic.parsed()
    }

    /// The request, and what is fixed for the whole call.
    pub(crate) fn context(&self) -> &'r CallContext<'r> {
        self.parsed().context()
    }

    /// The call as a sandbox's interference sees it.
    pub(crate) fn observed(&self) -> ObservedCall<'_> {
        let parsed = self.parsed();
        ObservedCall {
            operation: parsed.operation(),
            tpp: self.tpp(),
            product: parsed.call().product().map(Product::as_str),
            request: parsed.context().request,
        }
    }

    /// The organisation identifier of the TPP.
    pub(crate) fn tpp(&self) -> &Arc<str> {
        self.authentic.tpp()
    }

    /// The name of the TPP.
    pub(crate) fn tpp_name(&self) -> Option<String> {
        self.authentic.certificate().shared_organisation_name().as_deref().map(str::to_owned)
    }

    /// From when on the request id of the call counts as used.
    pub(crate) fn used_at(&self) -> DateTime<Utc> {
        self.authentic.used_at()
    }
}

/// Asks the register and the store, and looks at the roles.
pub(crate) fn authorise(authentic: Authentic<'_>) -> Result<Authorised<'_>, HandlerError> {
    let registry = &authentic.parsed().context().engine.registry;
    if !registry.is_registered(&authentic.applicant())? {
        return Err(Reason::TppUnknown.into());
    }
    refuse_blocked(&authentic)?;
    let sufficient = sufficient(authentic.parsed().operation().role);
    if !sufficient.is_empty()
        && !sufficient.iter().any(|role| authentic.certificate().roles().contains(*role))
    {
        let names: Vec<_> = sufficient.iter().map(|role| role.as_str()).collect();
        return Err(Refusal::new(Violation::with(Reason::TppRoleMissing, &[&names.join(" / ")])).into());
    }
    Ok(Authorised { authentic })
}

/// Refuses a TPP or a certificate that the operator has blocked. The store is asked on every call, so that a block
/// counts on every node at once.
fn refuse_blocked(authentic: &Authentic<'_>) -> Result<(), HandlerError> {
    let context = authentic.parsed().context();
    let blocks = context.store().blocks();
    match blocks.find_block(authentic.tpp(), authentic.certificate_hash(), context.now)? {
        None => Ok(()),
        Some(BlockedKind::Tpp) => Err(Reason::TppBlocked.into()),
        Some(BlockedKind::Certificate) => Err(Reason::CertificateBlocked.into()),
    }
}

/// The roles any one of which will do; none of them is asked for where there are none.
fn sufficient(needed: RoleNeeded) -> &'static [Role] {
    match needed {
        RoleNeeded::AccountInformation => &[Role::AccountInformation],
        RoleNeeded::PaymentInitiation => &[Role::PaymentInitiation],
        RoleNeeded::Either => &[Role::AccountInformation, Role::PaymentInitiation],
        RoleNeeded::Any => &[],
    }
}
