//! The twelve schemes, one function for each typology. What a subject passes on is never more than what came in.

use super::super::country::PartyKind;
use super::super::kind::Kind;
use super::super::unit::UNIT;
use super::payments::{CasePayments, HOUR, SUBJECT};
use super::typology::Typology;

/// From which sum on transfers abroad are reported, in kroner.
const REPORTING_LIMIT: i64 = 100_000;
/// ISO 18245: apps and games, which cost little; electronics; mail order.
const APPS: &str = "5816";
const DEAR: [&str; 2] = ["5732", "5964"];
/// After how many minutes money is passed on, and mules forward it, in the fastest and the slowest case.
const PASSED_ON: (u32, u32) = (3, 40);
const FORWARDED: (u32, u32) = (40, 300);
/// How many minutes are between two payments from an account that was taken over, and between two tries of a card.
const APART: (u32, u32) = (2, 15);
const TRIES_APART: (u32, u32) = (0, 3);
/// Of a hundred accounts so many are taken over at night, until that time, and some at any hour.
const AT_NIGHT_PERCENT: i64 = 30;
const NIGHT_ENDS: u32 = 5 * HOUR;

/// Writes what happens in a case.
pub(super) fn write(typology: Typology, payments: &mut CasePayments) {
    match typology {
        Typology::FanIn => fan_in(payments),
        Typology::FanOut => fan_out(payments),
        Typology::Cycle => cycle(payments),
        Typology::Mule => mule(payments),
        Typology::Structuring => structuring(payments),
        Typology::RapidPassThrough => rapid_pass_through(payments),
        Typology::DormantAwakened => dormant_awakened(payments),
        Typology::InvoiceFraud => invoice_fraud(payments),
        Typology::AccountTakeover => account_takeover(payments),
        Typology::CardTesting => card_testing(payments),
        Typology::PayrollDiversion => payroll_diversion(payments),
        Typology::ShellCompany => shell_company(payments),
    }
}

/// What the subject is in such a case.
pub(super) fn role_of_subject(typology: Typology) -> &'static str {
    match typology {
        Typology::AccountTakeover | Typology::CardTesting => "victim",
        Typology::Mule | Typology::InvoiceFraud | Typology::PayrollDiversion => "mule",
        Typology::ShellCompany => "owner",
        _ => "subject",
    }
}

fn fan_in(payments: &mut CasePayments) {
    for _ in 0..payments.chance.between(5, 12) {
        let sender = payments.person("sender");
        let (when, sum) = (payments.between(0, 4), payments.sum(400, 9_000));
        payments.pay(when, sender, SUBJECT, sum);
    }
    pass_on(payments, SUBJECT, 5, 2, "beneficiary");
}

fn fan_out(payments: &mut CasePayments) {
    let source = payments.stranger("source");
    let (when, sum) = (payments.on(0), payments.sum(60_000, 250_000));
    payments.pay(when, source, SUBJECT, sum);
    let count = payments.chance.between(5, 12);
    for _ in 0..count {
        let receiver = payments.person("receiver");
        let (when, part) = (payments.between(1, 3), payments.share(sum / count, 80, 99));
        payments.pay(when, SUBJECT, receiver, part);
        if payments.chance.happens(50) {
            let (when, cash) = (payments.between(4, 6), payments.cash(part, 20, 60));
            payments.withdraw(when.day, receiver, cash);
        }
    }
}

fn cycle(payments: &mut CasePayments) {
    let source = payments.stranger("source");
    let (when, mut sum) = (payments.on(0), payments.sum(20_000, 120_000));
    payments.pay(when, source, SUBJECT, sum);
    let mut payer = SUBJECT;
    let hops = usize::try_from(payments.chance.between(2, 4)).unwrap_or(2);
    for hop in 1..=hops {
        let next = payments.person("layer");
        sum = payments.share(sum, 95, 99);
        let when = payments.on(hop);
        payments.pay(when, payer, next, sum);
        payer = next;
    }
    sum = payments.share(sum, 95, 99);
    let when = payments.between(hops + 1, hops + 2);
    payments.pay(when, payer, SUBJECT, sum);
}

fn mule(payments: &mut CasePayments) {
    for turn in 0..payments.chance.place(3).unwrap_or_default() + 2 {
        let victim = payments.person("victim");
        let (when, sum) = (payments.on(turn * 3), payments.sum(6_000, 45_000));
        payments.pay(when, victim, SUBJECT, sum);
        let (when, cash) = (payments.between(turn * 3 + 1, turn * 3 + 2), payments.cash(sum, 20, 50));
        payments.withdraw(when.day, SUBJECT, cash);
        let organiser = payments.stranger("organiser");
        let rest = payments.share(sum - cash, 80, 95);
        let when = payments.between(turn * 3 + 1, turn * 3 + 2);
        payments.pay(when, SUBJECT, organiser, rest);
    }
}

fn structuring(payments: &mut CasePayments) {
    let count = payments.chance.place(4).unwrap_or_default() + 3;
    for nth in 0..count {
        let source = payments.person("source");
        let (when, sum) = (payments.between(0, 2), payments.sum(REPORTING_LIMIT, REPORTING_LIMIT + 15_000));
        payments.pay(when, source, SUBJECT, sum);
        let abroad = payments.outsider(PartyKind::Abroad, "beneficiary");
        let part = payments.chance.between(REPORTING_LIMIT - 8_000, REPORTING_LIMIT - 50) * UNIT;
        let when = payments.on(3 + nth * 2);
        payments.transfer(when, SUBJECT, abroad, part, Kind::Transfer, "Faktura");
    }
}

fn rapid_pass_through(payments: &mut CasePayments) {
    for turn in 0..payments.chance.place(3).unwrap_or_default() + 1 {
        let source = payments.person("source");
        let (when, sum) = (payments.before(turn * 2, PASSED_ON.1), payments.sum(15_000, 180_000));
        payments.pay(when, source, SUBJECT, sum);
        let receiver = payments.person("receiver");
        let (minutes, rest) = (payments.chance.day(PASSED_ON.0, PASSED_ON.1), payments.share(sum, 97, 100));
        payments.pay(when.later(minutes), SUBJECT, receiver, rest);
    }
}

fn dormant_awakened(payments: &mut CasePayments) {
    for turn in 0..payments.chance.place(3).unwrap_or_default() + 2 {
        let source = payments.person("source");
        let (when, sum) = (payments.on(turn * 3), payments.sum(8_000, 70_000));
        payments.pay(when, source, SUBJECT, sum);
        let cash = payments.cash(sum, 20, 60);
        payments.withdraw(turn * 3 + 1, SUBJECT, cash);
    }
    pass_on(payments, SUBJECT, 10, 2, "beneficiary");
}

fn invoice_fraud(payments: &mut CasePayments) {
    let victim = payments.company("victim");
    let (when, sum) = (payments.on(0), payments.fee(30_000, 250_000));
    payments.transfer(when, victim, SUBJECT, sum, Kind::Transfer, "Faktura");
    pass_on(payments, SUBJECT, 1, 3, "organiser");
}

fn account_takeover(payments: &mut CasePayments) {
    let count = payments.chance.day(2, 5);
    let mut when = payments.before(1, count * APART.1 + FORWARDED.1);
    if payments.chance.happens(AT_NIGHT_PERCENT) {
        when.time = payments.chance.day(0, NIGHT_ENDS);
    }
    for _ in 0..count {
        let mule = payments.person("mule");
        let sum = payments.sum(4_900, 25_000);
        payments.pay(when, SUBJECT, mule, sum);
        let (minutes, rest) = (payments.chance.day(FORWARDED.0, FORWARDED.1), payments.share(sum, 85, 95));
        let organiser = payments.stranger("organiser");
        payments.pay(when.later(minutes), mule, organiser, rest);
        when = when.later(payments.chance.day(APART.0, APART.1));
    }
}

fn card_testing(payments: &mut CasePayments) {
    let count = payments.chance.day(6, 15);
    let mut when = payments.before(0, count * TRIES_APART.1);
    for _ in 0..count {
        let sum = payments.chance.between(1, 15) * UNIT;
        payments.buy(when, SUBJECT, sum, APPS);
        when = when.later(payments.chance.day(TRIES_APART.0, TRIES_APART.1));
    }
    for _ in 0..payments.chance.between(1, 3) {
        let category = payments.chance.word(&DEAR);
        let (when, sum) = (payments.between(1, 2), payments.sum(1_500, 9_000));
        payments.shop(when.day, SUBJECT, sum, category);
    }
}

fn payroll_diversion(payments: &mut CasePayments) {
    let employer = payments.employer("employer");
    payments.wages(employer, SUBJECT);
    pass_on(payments, SUBJECT, 1, 2, "organiser");
}

fn shell_company(payments: &mut CasePayments) {
    let shell = payments.company("shell");
    for turn in 0..payments.chance.place(4).unwrap_or_default() + 3 {
        let client = payments.outsider(PartyKind::Client, "client");
        let sum = payments.chance.between(30_000 * UNIT, 200_000 * UNIT);
        payments.invoice(turn * 2, client, shell, sum);
        let own = payments.share(sum, 40, 70);
        let when = payments.on(turn * 2 + 1);
        payments.transfer(when, shell, SUBJECT, own, Kind::Transfer, "Konsulenthonorar");
        let abroad = payments.outsider(PartyKind::Abroad, "beneficiary");
        let rest = payments.share(sum - own, 90, 99);
        let when = payments.on(turn * 2 + 1);
        payments.transfer(when, shell, abroad, rest, Kind::Transfer, "Faktura");
    }
    pass_on(payments, SUBJECT, 12, 2, "organiser");
}

/// Most of what a party holds goes to strangers, in so many parts from that day on.
fn pass_on(payments: &mut CasePayments, party: usize, day: usize, parts: usize, role: &'static str) {
    let parts_count = i64::try_from(parts).unwrap_or(1).max(1);
    let held = payments.held(party);
    for part in 0..parts {
        let stranger = payments.stranger(role);
        let (when, sum) = (payments.on(day + part), payments.share(held / parts_count, 88, 99));
        payments.pay(when, party, stranger, sum);
    }
}
