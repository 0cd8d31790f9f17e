//! Engagements under a mock agreement (contract: Sandbox agreement).

use super::agreement::fault_of_owner;
use super::agreement_view::EngagementView;
use super::engaging::{self, EngagementBody, NewEngagement};
use super::handler_context::{created, gone, HandlerContext};
use super::outcome::Outcome;
use crate::bank::BankAnswer;
use crate::reason::Reason;
use crate::types::{AgreementId, EngagementId};

/// Adds an engagement to the agreement of a corporate customer.
pub(super) fn create(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    let agreement = context.id(0, AgreementId::parse, Reason::MockAgreementUnknown)?;
    context.write(|books| {
        // The agreement comes first: without one there are no accounts to hold the body against.
        let agreement = books.agreement(&agreement)?.ok_or(Reason::MockAgreementUnknown)?;
        let owner = books.customer(&agreement.owner)?.ok_or(Reason::MockAgreementUnknown)?;
        if let Some(fault) = fault_of_owner(Some(&owner)) {
            return Err(fault.into());
        }
        let body: EngagementBody =
            context.known_body(|tree, reader| engaging::check(books, Some(&owner), tree, reader))?;
        let engagement =
            NewEngagement::look_up(books, &owner, body)?.insert(context, books, &agreement.id)?;
        created(&EngagementView::of(books, engagement)?, None)
    })
}

/// Removes an engagement.
pub(super) fn delete(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    let agreement = context.id(0, AgreementId::parse, Reason::MockAgreementUnknown)?;
    let engagement = context.id(1, EngagementId::parse, Reason::MockEngagementUnknown);
    context.write(|books| {
        books.agreement(&agreement)?.ok_or(Reason::MockAgreementUnknown)?;
        gone(books.delete_engagement(&agreement, &engagement?)?, Reason::MockEngagementUnknown)
    })
}
