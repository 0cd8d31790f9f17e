//! The body of a payment initiation, read and judged: every fault in one answer.
//!
//! [`super::draft`] defines the members, [`super::checks`] the rules between them.

use super::body_context::Rules;
use super::checks;
use super::draft::{is_member, Draft, Form};
use super::misplaced;
use super::order::{Bulk, CreditTransfer, Order};
use super::product::Product;
use crate::error::Result;
use crate::limits::TPP_MESSAGES_MAX;
use crate::reason::{Category, Finding, Reason, Refusal};
use crate::types::AccountReference;
use crate::wire::json::Json;
use crate::wire::reader::{find, Members, Reader};

/// A body read: the order, or all that is wrong with it. Warnings come with either.
pub(crate) struct Reading {
    /// The order, where there is no error.
    order: Option<Order>,
    /// The account that is to pay, where it could be read though something else could not.
    debtor: Option<AccountReference>,
    /// Errors, then warnings.
    pub(crate) findings: Vec<Finding>,
}

impl Reading {
    /// The account that is to pay, where it could be read.
    pub(crate) fn debtor_account(&self) -> Option<&AccountReference> {
        self.order.as_ref().map(Order::debtor_account).or(self.debtor.as_ref())
    }

    /// Adds warnings about what is beside the body.
    pub(crate) fn warn(&mut self, warnings: Vec<Finding>) {
        self.findings.extend(warnings);
    }

    /// Adds an error that was found after the body was read.
    pub(crate) fn refuse(&mut self, fault: Finding) {
        self.order = None;
        let errors = self.findings.partition_point(|finding| finding.category == Category::Error);
        self.findings.insert(errors, fault);
        self.findings.truncate(TPP_MESSAGES_MAX);
    }

    /// The order with its warnings, or the refusal.
    pub(crate) fn into_result(self) -> Result<(Order, Vec<Finding>), Refusal> {
        match self.order {
            Some(order) => Ok((order, self.findings)),
            None => Err(Refusal::from_findings(self.findings).unwrap_or_else(|| Reason::Internal.into())),
        }
    }
}

/// Reads the body of a product and judges it, all faults at once.
///
/// # Errors
/// Only those of the bank: the faults of the body are in the result.
pub(crate) fn read(product: Product, body: &[u8], rules: &Rules<'_>) -> Result<Reading> {
    let json = match Json::parse(body) {
        Ok(json) => json,
        Err(violation) => {
            let finding = Finding { category: Category::Error, violation, path: None, joined: None };
            return Ok(Reading { order: None, debtor: None, findings: vec![finding] });
        }
    };
    let mut reader = Reader::new(rules.policy.repertoire);
    let form = Form::of(product);
    let (mut order, mut debtor) = (None, None);
    if let Some(members) = reader.members(&json, |name| is_known(name, form)) {
        let draft = Draft::read(members, form, &mut reader);
        misplaced::of_a_payment(form, members, &mut reader);
        checks::execution_dates(&draft, rules, &mut reader);
        let entries = match form {
            Form::BulkHead => Some(entries(product, &draft, members, rules, &mut reader)?),
            _ => {
                checks::transfer(product, &draft, draft.debtor_currency(), members, rules, &mut reader)?;
                None
            }
        };
        if reader.has_errors() {
            debtor = draft.debtor_account();
        } else {
            order = match entries {
                Some(entries) => bulk_order(&draft, entries),
                None => draft.into_order(),
            };
        }
    }
    Ok(Reading { order, debtor, findings: reader.into_findings() })
}

/// Whether a member of that name is read, or judged because it is misplaced.
fn is_known(name: &str, form: Form) -> bool {
    is_member(name, form) || misplaced::is_judged(name, form)
}

/// Reads the payments of a bulk, each in its own place.
fn entries(
    product: Product,
    draft: &Draft,
    members: &Members<'_>,
    rules: &Rules<'_>,
    reader: &mut Reader,
) -> Result<Vec<Option<CreditTransfer>>> {
    checks::domestic_accounts(product, draft, rules, reader);
    let (debtor, debtor_currency) = (draft.debtor_account(), draft.debtor_currency());
    read_entries(draft, members, reader, |item, reader| {
        let Some(members) = reader.members(item, |name| is_known(name, Form::BulkEntry)) else {
            return Ok(None);
        };
        let entry = Draft::read(members, Form::BulkEntry, reader);
        misplaced::of_a_payment(Form::BulkEntry, members, reader);
        misplaced::of_the_whole(draft, rules.today, members, reader);
        checks::transfer(product, &entry, debtor_currency, members, rules, reader)?;
        Ok(debtor.clone().and_then(|debtor| entry.into_transfer(debtor)))
    })
}

/// Reads each payment of a bulk at its pointer. Empty where their number is not one a bulk can have.
fn read_entries(
    draft: &Draft,
    members: &Members<'_>,
    reader: &mut Reader,
    read: impl Fn(&Json<'_>, &mut Reader) -> Result<Option<CreditTransfer>>,
) -> Result<Vec<Option<CreditTransfer>>> {
    const ENTRIES: &str = "payments";
    let (Some(_), Some(Json::Array(items))) = (&draft.entries, find(members, ENTRIES)) else {
        return Ok(Vec::new());
    };
    reader.within(ENTRIES, |reader| {
        let entries = items.iter().enumerate();
        entries.map(|(index, item)| reader.within(&index.to_string(), |reader| read(item, reader))).collect()
    })
}

fn bulk_order(draft: &Draft, entries: Vec<Option<CreditTransfer>>) -> Option<Order> {
    let entries: Option<Vec<CreditTransfer>> = entries.into_iter().collect();
    Some(Order::Bulk(Bulk {
        payment_information_id: draft.payment_information_id.clone(),
        debtor_account: draft.debtor_account()?,
        requested_execution_date: draft.requested_execution_date,
        entries: entries.filter(|entries| !entries.is_empty())?,
    }))
}

/// Reads what [`super::view`] wrote to the store. `None`: it was not written by this library.
pub(crate) fn read_stored(body: &[u8]) -> Option<Order> {
    let json = Json::parse(body).ok()?;
    let mut reader = Reader::new(None);
    let members = reader.members(&json, |name| is_member(name, Form::Stored))?;
    let draft = Draft::read(members, Form::Stored, &mut reader);
    let order = match draft.entries {
        Some(_) => stored_bulk(&draft, members, &mut reader),
        None => draft.into_order(),
    };
    order.filter(|_| !reader.has_errors())
}

fn stored_bulk(draft: &Draft, members: &Members<'_>, reader: &mut Reader) -> Option<Order> {
    let debtor = draft.debtor_account()?;
    let entries = read_entries(draft, members, reader, |item, reader| {
        let members = reader.members(item, |name| is_member(name, Form::Stored));
        let entry = members.map(|members| Draft::read(members, Form::Stored, reader));
        Ok(entry.and_then(|entry| entry.into_transfer(debtor.clone())))
    });
    bulk_order(draft, entries.ok()?)
}
