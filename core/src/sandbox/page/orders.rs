//! What is paid, to whom: the PSU sees it before approving (contract: Authentication, dynamic linking).

use std::collections::BTreeMap;

use maud::{html, Markup};
use rust_decimal::Decimal;

use super::row::row;
use super::texts::{self, Phrase};
use super::{schedule, spelling};
use crate::payment::order::{CreditTransfer, Order};
use crate::reason::Language;
use crate::types::{Currency, Money};

/// Orders to be approved or stopped.
pub(crate) struct Ordered<'e> {
    /// One, or those of a basket.
    pub(crate) orders: Vec<&'e Order>,
    /// What the bank charges for each of them.
    pub(crate) fees: Vec<Money>,
}

/// The whole of it.
pub(super) fn summary(ordered: &Ordered<'_>, language: Language) -> Markup {
    match ordered.orders.as_slice() {
        [order] => match order.transfers() {
            [transfer] => html! { dl {
                (transfer_rows(transfer, language))
                (payer_rows(order, language))
                (fee_row(&ordered.fees, language))
            } },
            _ => several(ordered, language),
        },
        _ => several(ordered, language),
    }
}

/// The sums first, then every payment. What is the same for all of them is said once.
fn several(ordered: &Ordered<'_>, language: Language) -> Markup {
    let transfers = ordered.orders.iter().flat_map(|order| order.transfers());
    let totals = totals(
        transfers.map(|transfer| (transfer.instructed_amount.currency(), transfer.instructed_amount.value())),
    );
    let common = match ordered.orders.as_slice() {
        [bulk] => Some(bulk),
        _ => None,
    };
    html! {
        dl {
            (row_of_sum(texts::TOTAL, &totals, language))
            @if let Some(bulk) = common { (payer_rows(bulk, language)) }
            (fee_row(&ordered.fees, language))
        }
        h2 { (texts::THE_PAYMENTS.text(language)) }
        ol {
            @for order in &ordered.orders {
                @for transfer in order.transfers() {
                    li { dl {
                        (transfer_rows(transfer, language))
                        @if common.is_none() { (payer_rows(order, language)) }
                    } }
                }
            }
        }
    }
}

fn transfer_rows(transfer: &CreditTransfer, language: Language) -> Markup {
    let amount = transfer.instructed_amount;
    html! {
        (row_of_sum(texts::AMOUNT, &[(amount.currency(), amount.value())], language))
        (row(texts::PAYEE, transfer.creditor_name.as_str(), language))
        (row(texts::PAYEE_ACCOUNT, &spelling::account(&transfer.creditor_account.identification), language))
        @if let Some(agent) = &transfer.creditor_agent {
            (row(texts::PAYEE_BANK, agent.as_str(), language))
        }
        @if let Some(name) = &transfer.ultimate_debtor {
            (row(texts::ON_BEHALF_OF, name.as_str(), language))
        }
        @if let Some(remittance) = &transfer.remittance {
            @let is_message = remittance.references().next().is_none();
            @let label = if is_message { texts::MESSAGE } else { texts::REFERENCE };
            @for text in remittance.texts() { (row(label, text, language)) }
        }
    }
}

fn payer_rows(order: &Order, language: Language) -> Markup {
    html! {
        (row(texts::PAYER_ACCOUNT, &spelling::account(&order.debtor_account().identification), language))
        (schedule::rows(order, language))
    }
}

fn fee_row(fees: &[Money], language: Language) -> Markup {
    let fees = totals(fees.iter().map(|fee| (fee.currency(), fee.value())));
    html! {
        @for (currency, fee) in fees {
            (row(texts::FEE, &spelling::sum(fee, currency, language), language))
        }
    }
}

fn row_of_sum(label: Phrase, sums: &[(Currency, Decimal)], language: Language) -> Markup {
    html! {
        dt { (label.text(language)) }
        dd.sum { @for (index, (currency, value)) in sums.iter().enumerate() {
            @if index > 0 { br; }
            (spelling::sum(*value, *currency, language))
        } }
    }
}

/// The sum of each currency, by its code. Amounts have 13 digits before the point and come in thousands at
/// most: their sum stays within a decimal.
fn totals(sums: impl Iterator<Item = (Currency, Decimal)>) -> Vec<(Currency, Decimal)> {
    let mut totals = BTreeMap::new();
    for (currency, value) in sums {
        let total = totals.entry(currency).or_insert(Decimal::ZERO);
        debug_assert!(total.checked_add(value).is_some(), "the sum of the entries fits a decimal");
        *total = total.saturating_add(value);
    }
    totals.into_iter().collect()
}
