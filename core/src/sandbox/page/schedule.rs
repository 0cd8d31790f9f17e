//! When a payment is carried out, and how often.

use maud::{html, Markup};

use super::row::row;
use super::spelling;
use super::texts::{self, Phrase};
use crate::payment::order::{Order, Schedule};
use crate::reason::Language;
use crate::types::{ExecutionRule, Frequency};

/// The rows that say when.
pub(super) fn rows(order: &Order, language: Language) -> Markup {
    match order {
        Order::Periodic(periodic) => repeated(&periodic.schedule, language),
        Order::Single(_) | Order::Bulk(_) => {
            let day = match order.requested_execution_date() {
                Some(date) => spelling::day(date, language),
                None => texts::AT_ONCE.text(language).to_owned(),
            };
            row(texts::EXECUTION_DATE, &day, language)
        }
    }
}

fn repeated(schedule: &Schedule, language: Language) -> Markup {
    let last = match schedule.end_date {
        Some(date) => spelling::day(date, language),
        None => texts::UNTIL_STOPPED.text(language).to_owned(),
    };
    html! {
        (row(texts::FREQUENCY, frequency(schedule.frequency).text(language), language))
        (row(texts::FIRST_DATE, &spelling::day(schedule.start_date, language), language))
        (row(texts::LAST_DATE, &last, language))
        @if let Some(day) = schedule.day_of_execution {
            (row(texts::DAY_OF_MONTH, &day.number().to_string(), language))
        }
        @if let Some(rule) = schedule.execution_rule {
            (row(texts::NO_BANKING_DAY, moved(rule).text(language), language))
        }
    }
}

fn frequency(frequency: Frequency) -> Phrase {
    match frequency {
        Frequency::Annual => texts::ANNUAL,
        Frequency::Daily => texts::DAILY,
        Frequency::EveryTwoMonths => texts::EVERY_TWO_MONTHS,
        Frequency::EveryTwoWeeks => texts::EVERY_TWO_WEEKS,
        Frequency::Monthly => texts::MONTHLY,
        Frequency::MonthlyVariable => texts::MONTHLY_VARIABLE,
        Frequency::Quarterly => texts::QUARTERLY,
        Frequency::SemiAnnual => texts::SEMI_ANNUAL,
        Frequency::Weekly => texts::WEEKLY,
    }
}

fn moved(rule: ExecutionRule) -> Phrase {
    match rule {
        ExecutionRule::Following => texts::FOLLOWING,
        ExecutionRule::Preceding => texts::PRECEDING,
    }
}
