//! Which page follows which answer.

use super::approval_prompt::{offer, prompt};
use super::page_error::PageError;
use crate::consent::record::Grant;
use crate::engine::{OpenAuthorisation, ScaOutcome};
use crate::error::Result;
use crate::sandbox::page::{
    self, ChosenRole, Form, Malformed, Offer, OfferedRole, PageContext, SignedIn, Submission,
};
use crate::sandbox_control::sandbox::Sandbox;
use crate::sca::record::Authorisation;
use crate::sca::sca_rules::check_named;
use crate::types::{AccountId, ActingPsu, AgreementId, CardAccountId, Context, PsuKey};
use crate::wire::response::Response;

/// One answer of the person at a page.
struct Walk<'w> {
    sandbox: &'w Sandbox,
    open: &'w OpenAuthorisation,
    page_context: &'w PageContext<'w>,
}

type Walked = std::result::Result<Response, PageError>;

/// The next page, or the way back to the TPP.
pub(super) fn walk(
    sandbox: &Sandbox,
    open: &OpenAuthorisation,
    page_context: &PageContext<'_>,
    submission: &Submission,
) -> Walked {
    let walk = Walk { sandbox, open, page_context };
    if !submission.goes_on {
        return walk.end(&ScaOutcome::Aborted);
    }
    match &submission.form {
        Form::Identify { typed } => walk.identified(typed),
        Form::Role { customer_number, role } => walk.role_chosen(customer_number, role.as_ref()),
        Form::Approve { customer_number, role, accounts, cards } => {
            walk.approved(customer_number, role, accounts, cards)
        }
    }
}

impl Walk<'_> {
    fn identified(&self, typed: &str) -> Walked {
        let Some(customer_number) = page::read_customer_number(typed) else {
            let customers = self.sandbox.test_customers(&self.open.authorisation)?;
            return Ok(page::identify(self.page_context, &customers, Some(typed.trim())));
        };
        let Some((psu, person)) = self.sandbox.signed_in(&customer_number)? else {
            return self.end(&ScaOutcome::PsuUnknown);
        };
        if self.is_someone_else(&psu)? {
            return self.end(&ScaOutcome::OtherPsu);
        }
        let roles = self.sandbox.roles(&self.open.authorisation, &psu)?;
        match roles.as_slice() {
            [] => Ok(page::no_role(self.page_context, &person)),
            [only] => self.ask(&person, &psu, only, false),
            several => Ok(page::choose_role(self.page_context, &person, several, false)),
        }
    }

    fn role_chosen(&self, customer_number: &str, role: Option<&ChosenRole>) -> Walked {
        let (psu, person) = self.person(customer_number)?;
        match role {
            None => {
                let roles = self.sandbox.roles(&self.open.authorisation, &psu)?;
                Ok(page::choose_role(self.page_context, &person, &roles, true))
            }
            Some(role) => self.ask(&person, &psu, &self.offered(&psu, role)?, false),
        }
    }

    fn approved(
        &self,
        customer_number: &str,
        role: &ChosenRole,
        accounts: &[AccountId],
        cards: &[CardAccountId],
    ) -> Walked {
        let (psu, person) = self.person(customer_number)?;
        let role = self.offered(&psu, role)?;
        let acting = acting(&psu, &role);
        let grant = match offer(self.sandbox, &self.open.subject, &acting, agreement(&role))? {
            Some(_) if accounts.is_empty() && cards.is_empty() => {
                return self.ask(&person, &psu, &role, true);
            }
            Some(offer) => granted(&offer, accounts, cards)?,
            None if accounts.is_empty() && cards.is_empty() => Grant::Everything,
            None if accounts.is_empty() => return Err(Malformed::Foreign("card".to_owned()).into()),
            None => return Err(Malformed::Foreign("account".to_owned()).into()),
        };
        self.end(&ScaOutcome::Approved { psu: acting, grant })
    }

    /// The page with the question.
    fn ask(&self, person: &SignedIn, psu: &PsuKey, role: &OfferedRole, nothing_was_chosen: bool) -> Walked {
        let offer = offer(self.sandbox, &self.open.subject, &acting(psu, role), agreement(role))?;
        let prompt = prompt(&self.open.subject, offer.as_ref())?;
        Ok(page::approve(self.page_context, person, role, &prompt, nothing_was_chosen))
    }

    /// The end of the authorisation, and the way back. Of two browsers with one link the second comes too late.
    fn end(&self, outcome: &ScaOutcome) -> Walked {
        let id = self.open.authorisation.id.as_str();
        match self.sandbox.complete(id, outcome) {
            Ok(redirect) => Ok(page::leave(self.page_context.language, &redirect.url)),
            Err(error) if error.is_of_caller() && self.sandbox.engine.authorisation(id)?.is_none() => {
                Err(self.sandbox.closed(id)?.into())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The person with a number that was checked on an earlier page; the customer may have been deleted since.
    fn person(&self, customer_number: &str) -> std::result::Result<(PsuKey, SignedIn), PageError> {
        let person = self.sandbox.signed_in(customer_number)?;
        person.ok_or_else(|| Malformed::Value("customerNumber").into())
    }

    /// Whether the call named another person, whose authorisation must not be shown to this one.
    fn is_someone_else(&self, psu: &PsuKey) -> Result<bool> {
        let by_number = self.sandbox.by_number(&self.open.authorisation)?;
        Ok(is_someone_else(&self.open.authorisation, psu, by_number.as_ref()))
    }

    /// The role that a form names, if it is one of those offered.
    fn offered(&self, psu: &PsuKey, chosen: &ChosenRole) -> std::result::Result<OfferedRole, PageError> {
        let roles = self.sandbox.roles(&self.open.authorisation, psu)?;
        let role = roles.into_iter().find(|role| role.choice == *chosen);
        role.ok_or_else(|| Malformed::Value("role").into())
    }
}

impl Sandbox {
    /// For whom a person may act who follows a link.
    pub(super) fn roles(&self, authorisation: &Authorisation, psu: &PsuKey) -> Result<Vec<OfferedRole>> {
        let agreements = self.bank.open_agreements(psu)?;
        let companies = agreements.into_iter().map(OfferedRole::under);
        let private = OfferedRole { choice: ChosenRole::Private, company: None };
        let all = std::iter::once(private).chain(companies);
        Ok(all.filter(|role| is_left_open(authorisation, role)).collect())
    }
}

/// Whether the call that made the link leaves a role open.
fn is_left_open(authorisation: &Authorisation, role: &OfferedRole) -> bool {
    let context = context(role);
    let corporate = role.company.as_ref().map(|(corporate, _)| corporate);
    authorisation.context.is_none_or(|named| named == context)
        && authorisation.corporate.as_ref().is_none_or(|named| corporate == Some(named))
}

fn context(role: &OfferedRole) -> Context {
    match role.company {
        Some(_) => Context::Corporate,
        None => Context::Private,
    }
}

fn agreement(role: &OfferedRole) -> Option<&AgreementId> {
    match &role.choice {
        ChosenRole::Agreement(id) => Some(id),
        ChosenRole::Private => None,
    }
}

fn acting(psu: &PsuKey, role: &OfferedRole) -> ActingPsu {
    let corporate = role.company.as_ref().map(|(corporate, _)| corporate.clone());
    ActingPsu { psu: psu.clone(), context: context(role), corporate }
}

/// The accounts chosen, each of which must have been offered.
fn granted(
    offer: &Offer,
    accounts: &[AccountId],
    cards: &[CardAccountId],
) -> std::result::Result<Grant, PageError> {
    let offered: std::collections::BTreeSet<_> = offer.accounts.iter().map(|account| &account.id).collect();
    if !accounts.iter().all(|id| offered.contains(id)) {
        return Err(Malformed::Value("account").into());
    }
    let offered: std::collections::BTreeSet<_> = offer.cards.iter().map(|card| &card.id).collect();
    if !cards.iter().all(|id| offered.contains(id)) {
        return Err(Malformed::Value("card").into());
    }
    Ok(Grant::Only { accounts: accounts.to_vec(), card_accounts: cards.to_vec() })
}

/// Whether the call named another person, whose authorisation must not be shown to this one. `by_number` is the person
/// behind X-PSU-IDENTITY.
pub(super) fn is_someone_else(
    authorisation: &Authorisation,
    psu: &PsuKey,
    by_number: Option<&Option<PsuKey>>,
) -> bool {
    // The role is not chosen yet, and only what the call leaves open will be offered.
    let acting = ActingPsu {
        psu: psu.clone(),
        context: authorisation.context.unwrap_or(Context::Private),
        corporate: authorisation.corporate.clone(),
    };
    check_named(authorisation, &acting, by_number).is_err()
}
