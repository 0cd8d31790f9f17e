//! Tables of a population that no bank has: what is known of its transactions because they were generated.

use std::borrow::Cow;

use super::column::{has, may, Column, Definition, Kind};
use super::generated_row::{number, text, RowsOf};
use crate::store::sqlite::sandbox::Cell;

pub(super) const TRANSACTION_LABELS: Definition = Definition {
    name: "transaction_labels",
    meaning: "What a transaction is about: one row for each row of `transactions`.",
    generated: Some(RowsOf::Labels),
    columns: &[
        known("transaction_id", Kind::Text, "The transaction.")
            .joins("transactions.id")
            .of(|row| text(row.line()?.id.as_str())),
        known("category", Kind::Code, "What it is spent on, or where it comes from, such as `groceries`.")
            .of(|row| text(row.label()?.category)),
        may(
            "merchant",
            Kind::Text,
            "",
            "Who sold or sent the bill: one name for all branches of a chain; null for another transaction.",
        )
        .of(|row| text(row.label()?.merchant.as_ref()?)),
        may(
            "series",
            Kind::Text,
            "",
            "What recurs, such as wages, a bill or a loan, by the first of its transactions; null for what does not.",
        )
        .joins("transactions.id")
        .of(|row| text(row.label()?.series.as_ref()?.as_str())),
    ],
    ..OF_A_POPULATION
};

pub(super) const CASES: Definition = Definition {
    name: "cases",
    meaning:
        "A case of fraud or money laundering. A part of a population has the cases whose subject is in it.",
    generated: Some(RowsOf::Cases),
    columns: &[
        known("id", Kind::Text, "The id of the case, the same in all parts of a population.")
            .of(|row| Some(case_id(row.case()?.number))),
        known("typology", Kind::Code, "What kind of case it is, such as `fan_in`.")
            .of(|row| text(row.case()?.typology.as_str())),
        known("customer_number", Kind::Text, "Whom the case is about, as culprit or as victim.")
            .joins("customers.customer_number")
            .of(|row| text(row.customer().customer.number.as_str())),
        known("first_date", Kind::Day, "The day of its first payment, also of one outside of the bank.")
            .of(|row| Some(Cell::Day(row.case()?.first))),
        known(
            "last_date",
            Kind::Day,
            "The day of its last payment, also of one outside of the bank; of a card the day of use.",
        )
        .of(|row| Some(Cell::Day(row.case()?.last))),
    ],
    ..OF_A_POPULATION
};

pub(super) const CASE_TRANSACTIONS: Definition = Definition {
    name: "case_transactions",
    meaning: "A booked transaction that belongs to a case. Both sides of a payment between two accounts have a row.",
    generated: Some(RowsOf::CaseTransactions),
    columns: &[
        known("case_id", Kind::Text, "The case, which may be a row of another part of the population.")
            .joins("cases.id")
            .of(|row| Some(case_id(row.mark()?.case))),
        known("transaction_id", Kind::Text, "The transaction.")
            .joins("transactions.id")
            .of(|row| text(row.line()?.id.as_str())),
        known(
            "role",
            Kind::Code,
            "What the owner of the account is in the case, such as `mule` or `victim`.",
        )
        .of(|row| text(row.mark()?.role)),
        known("step", Kind::Number, "Which payment of the case it is, from 1.")
            .of(|row| number(row.mark()?.step)),
    ],
    ..OF_A_POPULATION
};

pub(super) const LIFE_EVENTS: Definition = Definition {
    name: "life_events",
    meaning: "An event in the life of a person, of a population that has events: with `events=True` beside the labels.",
    generated: Some(RowsOf::LifeEvents),
    columns: &[
        known("id", Kind::Text, "The id of the event.").of(|row| {
            let (person, nth) = row.event()?.number;
            Some(Cell::Text(Cow::Owned(format!("EVENT-{person:06}-{nth}"))))
        }),
        known("customer_number", Kind::Text, "Whose life it is.")
            .joins("customers.customer_number")
            .of(|row| text(row.customer().customer.number.as_str())),
        known("kind", Kind::Code, "`new_job`, `move`, `child`, `retirement` or `death`.")
            .of(|row| text(row.event()?.what.as_str())),
        known("date", Kind::Day, "The first day on which it makes a difference; of a child the day of birth.")
            .of(|row| Some(Cell::Day(row.event()?.date))),
        may(
            "partner_customer_number",
            Kind::Text,
            "",
            "The other one of a couple, who has an event of the same kind and date; otherwise null.",
        )
        .joins("customers.customer_number")
        .of(|row| text(row.partner()?.customer.number.as_str())),
        may("town", Kind::Code, "", "Of a move the town in which the person lives from then on; otherwise null.")
            .of(|row| text(row.event()?.town?)),
    ],
    ..OF_A_POPULATION
};

/// A table that no sandbox has.
const OF_A_POPULATION: Definition =
    Definition { name: "", meaning: "", from: "", key: "", generated: None, columns: &[] };

/// A column that no sandbox has.
const fn known(name: &'static str, kind: Kind, meaning: &'static str) -> Column {
    has(name, kind, "", meaning)
}

fn case_id(number: u64) -> Cell<'static> {
    Cell::Text(Cow::Owned(format!("CASE-{number:06}")))
}
