//! Engagements under a mock agreement (contract: Sandbox agreement).

use super::agreement::fault_of_owner;
use super::agreement_view::EngagementView;
use super::desk::{created, gone, Desk};
use super::engaging::{EngagementBody, NewEngagement};
use super::halt::{unless_found, Outcome};
use crate::bank::BankAnswer;
use crate::reason::Reason;
use crate::types::{AgreementId, EngagementId};

/// Adds an engagement to the agreement of a corporate customer.
pub(super) fn create(desk: &Desk<'_>) -> Outcome<BankAnswer> {
    let agreement = desk.id(0, AgreementId::parse, Reason::MockAgreementUnknown)?;
    let body: EngagementBody = desk.body()?;
    desk.write(|books| {
        let agreement = books.agreement(&agreement)?.ok_or(Reason::MockAgreementUnknown)?;
        let owner = books.customer(&agreement.owner)?;
        if let Some(fault) = fault_of_owner(owner.as_ref()) {
            return Err(fault.into());
        }
        let mut findings = Vec::new();
        let new = NewEngagement::look_up(books, owner.as_ref(), body, "", &mut findings)?;
        unless_found(findings)?;
        let engagement = new.ok_or(Reason::Internal)?.insert(desk, books, &agreement.id)?;
        created(&EngagementView::of(books, engagement)?, None)
    })
}

/// Removes an engagement.
pub(super) fn delete(desk: &Desk<'_>) -> Outcome<BankAnswer> {
    let agreement = desk.id(0, AgreementId::parse, Reason::MockAgreementUnknown)?;
    let engagement = desk.id(1, EngagementId::parse, Reason::MockEngagementUnknown);
    desk.write(|books| {
        books.agreement(&agreement)?.ok_or(Reason::MockAgreementUnknown)?;
        gone(books.delete_engagement(&agreement, &engagement?)?, Reason::MockEngagementUnknown)
    })
}
