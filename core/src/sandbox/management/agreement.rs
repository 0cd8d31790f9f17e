//! Mock agreements of corporate customers (contract: Sandbox agreement).

use super::agreement_view::{agreement_path, AgreementView, AgreementsView};
use super::customer;
use super::engaging::{self, EngagementBody, NewEngagement};
use super::handler_context::{created, found, gone, quiet, HandlerContext};
use super::outcome::Outcome;
use crate::bank::BankAnswer;
use crate::reason::Reason;
use crate::store::sqlite::sandbox::{Agreement, Books, Customer, CustomerNumber, CustomerType};
use crate::types::{AgreementId, Name};
use crate::wire::described::described;
use crate::wire::json::Json;
use crate::wire::reader::Reader;

described! {
    /// An agreement of a corporate customer.
    AgreementBody "agreement" {
        /// What it is called.
        name: Name = required "name";
        /// The number of the corporate customer.
        owner: CustomerNumber = required "owner";
        /// Who may do what with the owner's accounts; it may be empty.
        engagements: Vec<EngagementBody> = required "engagements";
    }
}

/// Makes an agreement with its engagements, all or none of them.
pub(super) fn create(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    context.write(|books| {
        let body: AgreementBody = context.known_body(|tree, reader| check(books, tree, reader))?;
        let owner = customer::of_number(books, &body.owner)?;
        let mut engagements = Vec::new();
        for engagement in body.engagements {
            engagements.push(NewEngagement::look_up(books, &owner, engagement)?);
        }
        let agreement = Agreement {
            id: AgreementId::from_bytes(context.fresh()?),
            owner: owner.id,
            name: body.name.into_string(),
        };
        books.insert_agreement(&agreement)?;
        for engagement in engagements {
            engagement.insert(context, books, &agreement.id)?;
        }
        let path = agreement_path(&agreement.id);
        created(&AgreementView::of(books, agreement)?, Some(path))
    })
}

/// The owner, the persons and the accounts are looked up if they can be read, independent of other errors.
fn check(books: &Books<'_>, body: &Json<'_>, reader: &mut Reader) -> Outcome<()> {
    let owner = match quiet::<CustomerNumber>(body, "owner", reader) {
        Some(number) => {
            let owner = books.customer_by_number(number.as_str())?;
            if let Some(fault) = fault_of_owner(owner.as_ref()) {
                reader.error_at("/owner", fault);
            }
            owner.filter(|owner| owner.kind == CustomerType::Corporate)
        }
        None => None,
    };
    let Some(Json::Array(engagements)) = body.member("engagements") else { return Ok(()) };
    reader.within("engagements", |reader| {
        for (index, engagement) in engagements.iter().enumerate() {
            reader.within(&index.to_string(), |reader| {
                engaging::check(books, owner.as_ref(), engagement, reader)
            })?;
        }
        Ok(())
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
pub(super) fn list(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    context.read(|books| found(&AgreementsView::of(books)?))
}

/// One agreement.
pub(super) fn show(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    let id = context.id(0, AgreementId::parse, Reason::MockAgreementUnknown)?;
    context.read(|books| {
        let agreement = books.agreement(&id)?.ok_or(Reason::MockAgreementUnknown)?;
        found(&AgreementView::of(books, agreement)?)
    })
}

/// Removes an agreement with its engagements.
pub(super) fn delete(context: &HandlerContext<'_>) -> Outcome<BankAnswer> {
    let id = context.id(0, AgreementId::parse, Reason::MockAgreementUnknown)?;
    context.write(|books| gone(books.delete_agreement(&id)?, Reason::MockAgreementUnknown))
}
