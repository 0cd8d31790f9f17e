//! Mock agreements of corporate customers (contract: Sandbox agreement).

use super::agreement_view::{agreement_path, AgreementView, AgreementsView};
use super::desk::{created, found, gone, Desk};
use super::engaging::{EngagementBody, NewEngagement};
use super::halt::{unless_found, Outcome};
use crate::bank::BankAnswer;
use crate::reason::{Finding, Reason};
use crate::store::sqlite::sandbox::{Agreement, Customer, CustomerNumber, CustomerType};
use crate::types::{AgreementId, Name};
use crate::wire::reader::body;

body! {
    /// An agreement as sent.
    AgreementBody {
        /// What it is called.
        name: Name = required "name";
        /// The number of the corporate customer.
        owner: CustomerNumber = required "owner";
        /// Who may do what with its accounts.
        engagements: Vec<EngagementBody> = required "engagements";
    }
}

/// Makes an agreement with its engagements, all or none of them.
pub(super) fn create(desk: &Desk<'_>) -> Outcome<BankAnswer> {
    let body: AgreementBody = desk.body()?;
    desk.write(|books| {
        let mut findings = Vec::new();
        let owner = books.customer_by_number(body.owner.as_str())?;
        findings.extend(fault_of_owner(owner.as_ref()).map(|reason| Finding::error(reason, "/owner")));
        let mut engagements = Vec::new();
        for (index, engagement) in body.engagements.into_iter().enumerate() {
            let place = format!("/engagements/{index}");
            let corporate = owner.as_ref().filter(|owner| owner.kind == CustomerType::Corporate);
            engagements.extend(NewEngagement::look_up(books, corporate, engagement, &place, &mut findings)?);
        }
        unless_found(findings)?;
        let owner = owner.ok_or(Reason::CustomerNumberUnknown)?;
        let agreement = Agreement {
            id: AgreementId::from_bytes(desk.fresh()?),
            owner: owner.id,
            name: body.name.into_string(),
        };
        books.insert_agreement(&agreement)?;
        for engagement in engagements {
            engagement.insert(desk, books, &agreement.id)?;
        }
        let path = agreement_path(&agreement.id);
        created(&AgreementView::of(books, agreement)?, Some(path))
    })
}

/// Why agreements are not made for this customer.
pub(super) fn fault_of_owner(owner: Option<&Customer>) -> Option<Reason> {
    match owner.map(|owner| owner.kind) {
        None => Some(Reason::CustomerNumberUnknown),
        Some(CustomerType::Private) => Some(Reason::AgreementOwnerPrivate),
        Some(CustomerType::Corporate) => None,
    }
}

/// Every agreement, private and corporate.
pub(super) fn list(desk: &Desk<'_>) -> Outcome<BankAnswer> {
    desk.read(|books| found(&AgreementsView::of(books)?))
}

/// One agreement.
pub(super) fn show(desk: &Desk<'_>) -> Outcome<BankAnswer> {
    let id = desk.id(0, AgreementId::parse, Reason::MockAgreementUnknown)?;
    desk.read(|books| {
        let agreement = books.agreement(&id)?.ok_or(Reason::MockAgreementUnknown)?;
        found(&AgreementView::of(books, agreement)?)
    })
}

/// Removes an agreement with its engagements.
pub(super) fn delete(desk: &Desk<'_>) -> Outcome<BankAnswer> {
    let id = desk.id(0, AgreementId::parse, Reason::MockAgreementUnknown)?;
    desk.write(|books| gone(books.delete_agreement(&id)?, Reason::MockAgreementUnknown))
}
