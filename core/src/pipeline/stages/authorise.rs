//! Stage 4: the TPP is registered, and its certificate has the role the operation needs.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::authenticate::Authentic;
use super::parse::Parsed;
use crate::env::registry::TppRegistry;
use crate::handler_error::HandlerError;
use crate::operation::RoleNeeded;
use crate::reason::{Reason, Refusal, Violation};
use crate::tpp::role::Role;

/// A call of a TPP that may make it.
pub(crate) struct Authorised<'r> {
    authentic: Authentic<'r>,
}

impl<'r> Authorised<'r> {
    pub(crate) fn parsed(&self) -> &Parsed<'r> {
        self.authentic.parsed()
    }

    /// The organisation identifier of the TPP.
    pub(crate) fn tpp(&self) -> &Arc<str> {
        self.authentic.tpp()
    }

    /// From when on the request id of the call counts as used.
    pub(crate) fn used_at(&self) -> DateTime<Utc> {
        self.authentic.used_at()
    }
}

/// Asks the register and looks at the roles.
pub(crate) fn authorise<'r>(
    authentic: Authentic<'r>,
    registry: &dyn TppRegistry,
) -> Result<Authorised<'r>, HandlerError> {
    if !registry.is_registered(&authentic.applicant())? {
        return Err(Reason::TppUnknown.into());
    }
    let sufficient = sufficient(authentic.parsed().operation().role);
    if !sufficient.is_empty()
        && !sufficient.iter().any(|role| authentic.certificate().roles().contains(*role))
    {
        let names: Vec<_> = sufficient.iter().map(|role| role.as_str()).collect();
        return Err(Refusal::new(Violation::with(Reason::TppRoleMissing, &[&names.join(" / ")])).into());
    }
    Ok(Authorised { authentic })
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
