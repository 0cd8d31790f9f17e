//! Stage 4: the TPP is registered and not blocked, its certificate has the role the operation needs, and the register
//! allows the service.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::authenticate::Authentic;
use super::parse::Parsed;
use crate::env::interference::ObservedCall;
use crate::env::registry::Registration;
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
    registered_name: Option<Arc<str>>,
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

    /// The name of the TPP: that of the register, which an authority keeps, or else that of its certificate.
    pub(crate) fn tpp_name(&self) -> Option<String> {
        let registered = self.registered_name.clone();
        let name = registered.or_else(|| self.authentic.certificate().shared_organisation_name());
        name.as_deref().map(str::to_owned)
    }

    /// From when on the request id of the call counts as used.
    pub(crate) fn used_at(&self) -> DateTime<Utc> {
        self.authentic.used_at()
    }
}

/// Asks the register and the store, and looks at the roles.
pub(crate) fn authorise(authentic: Authentic<'_>) -> Result<Authorised<'_>, HandlerError> {
    let registry = &authentic.parsed().context().engine.registry;
    let registration = registry.registration(&authentic.applicant())?;
    let registration = registration.ok_or(Reason::TppUnknown)?;
    refuse_blocked(&authentic)?;
    check_roles(&authentic, &registration)?;
    Ok(Authorised { authentic, registered_name: registration.name })
}

/// Refuses a TPP whose certificate lacks the role that the operation needs, and one whose register does not allow the
/// service of a role that the certificate has.
fn check_roles(authentic: &Authentic<'_>, registration: &Registration) -> Result<(), HandlerError> {
    let sufficient = sufficient(authentic.parsed().operation().role);
    if sufficient.is_empty() {
        return Ok(());
    }
    let certified = authentic.certificate().roles();
    let certified = || sufficient.iter().filter(|role| certified.contains(**role));
    let reason = match certified().next() {
        None => Reason::TppRoleMissing,
        Some(_) if certified().any(|role| allows(registration, *role)) => return Ok(()),
        Some(_) => Reason::TppServiceMissing,
    };
    let names: Vec<_> = sufficient.iter().map(|role| role.as_str()).collect();
    Err(Refusal::new(Violation::with(reason, &[&names.join(" / ")])).into())
}

/// Whether the register allows the service of a role.
fn allows(registration: &Registration, role: Role) -> bool {
    match role {
        Role::AccountInformation => registration.account_information,
        Role::PaymentInitiation => registration.payment_initiation,
        _ => false,
    }
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
