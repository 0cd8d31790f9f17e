//! What one person may do with one account: as it is sent, and as it is kept.

use super::account_number::AccountNumbers;
use super::handler_context::{quiet, HandlerContext};
use super::members::{Int, Switch};
use super::outcome::Outcome;
use crate::reason::Reason;
use crate::sandbox::access;
use crate::sandbox::default_set::{ENGAGEMENT_LIMIT, OWNER_ROLES, PRIVATE_AGREEMENT};
use crate::store::sqlite::sandbox::{
    AccountKey, Agreement, Books, Customer, CustomerNumber, CustomerType, Engagement, Role,
};
use crate::types::{AgreementId, CustomerId, EngagementId, Name};
use crate::wire::described::described;
use crate::wire::json::Json;
use crate::wire::reader::Reader;

described! {
    /// What one person may do with one account (contract: Sandbox agreement).
    EngagementBody "engagement" {
        /// The number of the person, a private customer.
        customer: CustomerNumber = required "customer";
        /// The account, one of the owner's. A card account goes by its account number.
        account: AccountNumbers = required "account";
        /// What it is called.
        name: Name = optional "name";
        /// The roles. REGISTER and VIEW, both of them, open the account at SCA.
        roles: Vec<Role> = required "roles";
        /// Whether the person may see the account; true where it is not said.
        access_rights: Switch = optional "accessRights";
        /// Whether the person may pay from it; true where it is not said.
        payment_rights: Switch = optional "paymentRights";
        /// Whether the person may move money within the company; true where it is not said. Kept and shown; the sandbox
        /// holds no payment to it.
        transfer_rights: Switch = optional "transferRights";
        /// The largest payment the person registers. Kept and shown; the sandbox holds no payment to it. Without
        /// one there is no limit.
        register_limit: Int<0> = optional "registerLimit";
        /// The largest payment the person approves. Kept and shown; the sandbox holds no payment to it. Without
        /// one there is no limit.
        approval_limit: Int<0> = optional "approvalLimit";
    }
}

/// An engagement whose person and account the bank has.
pub(super) struct NewEngagement {
    person: CustomerId,
    account: AccountKey,
    body: EngagementBody,
}

/// Checks person and account of an engagement as sent, if they can be read. Accounts are not checked without an owner.
pub(super) fn check(
    books: &Books<'_>,
    owner: Option<&Customer>,
    engagement: &Json<'_>,
    reader: &mut Reader,
) -> Outcome<()> {
    if let Some(number) = quiet::<CustomerNumber>(engagement, "customer", reader) {
        match books.customer_by_number(number.as_str())?.map(|person| person.kind) {
            None => reader.error_at("/customer", Reason::CustomerNumberUnknown),
            Some(CustomerType::Corporate) => {
                reader.error_at("/customer", Reason::EngagedCustomerCorporate);
            }
            Some(CustomerType::Private) => {}
        }
    }
    let numbers = quiet::<AccountNumbers>(engagement, "account", reader);
    if let Some((owner, numbers)) = owner.zip(numbers) {
        if account_of(books, &owner.id, &numbers)?.is_none() {
            reader.error_at("/account", Reason::EngagedAccountUnknown);
        }
    }
    Ok(())
}

impl NewEngagement {
    /// Person and account of an engagement that [`check`] has nothing against.
    pub(super) fn look_up(books: &Books<'_>, owner: &Customer, body: EngagementBody) -> Outcome<Self> {
        let person =
            books.customer_by_number(body.customer.as_str())?.ok_or(Reason::CustomerNumberUnknown)?;
        let account = account_of(books, &owner.id, &body.account)?.ok_or(Reason::EngagedAccountUnknown)?;
        Ok(Self { person: person.id, account, body })
    }

    /// Writes it.
    pub(super) fn insert(
        self,
        context: &HandlerContext<'_>,
        books: &Books<'_>,
        agreement: &AgreementId,
    ) -> Outcome<Engagement> {
        let Self { person, account, body } = self;
        // No limit is answered as the largest number that the contract's type has.
        let limit = |sent: Option<Int<0>>| sent.map_or(i32::MAX, |limit| limit.0);
        let is_on = |switch: Option<Switch>| switch.is_none_or(|switch| switch.0);
        let mut roles = Vec::new();
        for role in body.roles {
            if !roles.contains(&role) {
                roles.push(role);
            }
        }
        let engagement = Engagement {
            id: EngagementId::from_bytes(context.fresh()?),
            agreement: agreement.clone(),
            person,
            account,
            name: body.name.map(Name::into_string),
            roles,
            access_rights: is_on(body.access_rights),
            payment_rights: is_on(body.payment_rights),
            transfer_rights: is_on(body.transfer_rights),
            register_limit: limit(body.register_limit),
            approval_limit: limit(body.approval_limit),
        };
        books.insert_engagement(&engagement)?;
        Ok(engagement)
    }
}

/// The owner's account of that number, in either form; not a card account that was deleted, whose number another may
/// have. A card account is found by its account number alone, because no BBAN contains the digits that a masked PAN
/// hides.
fn account_of(
    books: &Books<'_>,
    owner: &CustomerId,
    numbers: &AccountNumbers,
) -> Outcome<Option<AccountKey>> {
    let AccountNumbers { bban, iban } = numbers.completed();
    let mut accounts = Vec::new();
    if let Some(bban) = bban {
        accounts.extend(books.ledger_account_by_bban(&bban)?);
        accounts.extend(books.card_ledger_accounts_by_account_number(bban.as_str())?);
    }
    if let Some(iban) = iban {
        accounts.extend(books.ledger_account_by_iban(&iban)?);
    }
    for account in accounts {
        if account.owner == *owner && !access::is_deleted(books, &account)? {
            return Ok(Some(account.key));
        }
    }
    Ok(None)
}

/// The agreement that a private customer has by itself, made where it is not there.
pub(super) fn own_agreement(
    context: &HandlerContext<'_>,
    books: &Books<'_>,
    owner: &CustomerId,
) -> Outcome<AgreementId> {
    if let Some(agreement) = books.agreements_of(owner)?.into_iter().next() {
        return Ok(agreement.id);
    }
    let agreement = Agreement {
        id: AgreementId::from_bytes(context.fresh()?),
        owner: owner.clone(),
        name: PRIVATE_AGREEMENT.to_owned(),
    };
    books.insert_agreement(&agreement)?;
    Ok(agreement.id)
}

/// A private customer may do everything with a new account at once (contract: Create sandbox card accounts).
/// A corporate one's is engaged by hand.
pub(super) fn engage_owner(
    context: &HandlerContext<'_>,
    books: &Books<'_>,
    owner: &Customer,
    account: AccountKey,
) -> Outcome<()> {
    if owner.kind == CustomerType::Corporate {
        return Ok(());
    }
    let engagement = Engagement {
        id: EngagementId::from_bytes(context.fresh()?),
        agreement: own_agreement(context, books, &owner.id)?,
        person: owner.id.clone(),
        account,
        name: None,
        roles: OWNER_ROLES.to_vec(),
        access_rights: true,
        payment_rights: true,
        transfer_rights: true,
        register_limit: ENGAGEMENT_LIMIT,
        approval_limit: ENGAGEMENT_LIMIT,
    };
    Ok(books.insert_engagement(&engagement)?)
}
