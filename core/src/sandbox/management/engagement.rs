//! Engagements under a mock agreement (contract: Sandbox agreement).

use super::agreement::fault_of_owner;
use super::agreement_view::EngagementView;
use super::desk::{created, gone, Desk};
use super::engaging::{self, EngagementBody, NewEngagement};
use super::outcome::Outcome;
use crate::bank::BankAnswer;
use crate::reason::Reason;
use crate::types::{AgreementId, EngagementId};

/// Adds an engagement to the agreement of a corporate customer.
pub(super) fn create(desk: &Desk<'_>) -> Outcome<BankAnswer> {
    let agreement = desk.id(0, AgreementId::parse, Reason::MockAgreementUnknown)?;
    desk.write(|books| {
        // The agreement comes first: without one there are no accounts to hold the body against.
        let agreement = books.agreement(&agreement)?.ok_or(Reason::MockAgreementUnknown)?;
        let owner = books.customer(&agreement.owner)?.ok_or(Reason::MockAgreementUnknown)?;
        if let Some(fault) = fault_of_owner(Some(&owner)) {
            return Err(fault.into());
        }
        let body: EngagementBody =
            desk.known_body(|tree, reader| engaging::check(books, Some(&owner), tree, reader))?;
        let engagement = NewEngagement::look_up(books, &owner, body)?.insert(desk, books, &agreement.id)?;
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
