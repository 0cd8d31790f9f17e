//! Payments of honest customers that look like parts of a case.

use super::super::country::PartyKind;
use super::super::kind::Kind;
use super::super::unit::UNIT;
use super::payments::{CasePayments, SUBJECT};

const APPS: &str = "5816";
const TRAVEL: &str = "4722";
/// How many minutes are between two purchases in a game.
const APART: (u32, u32) = (0, 9);
/// How often each of them is drawn: friends at other banks most of all.
const LOOK_ALIKES: [fn(&mut CasePayments); 16] = [
    friends_elsewhere,
    friends_elsewhere,
    friends_elsewhere,
    friends_elsewhere,
    sale,
    sale,
    collection,
    bank_elsewhere,
    bank_elsewhere,
    bank_elsewhere,
    cash,
    apps,
    fee,
    company_pays,
    company_pays,
    wages,
];

/// Writes one of them.
pub(super) fn write(payments: &mut CasePayments) {
    let drawn = payments.chance.pick(&LOOK_ALIKES).copied();
    if let Some(write) = drawn {
        write(payments);
    }
}

/// Small sums to and from persons with accounts at other banks.
fn friends_elsewhere(payments: &mut CasePayments) {
    for _ in 0..payments.chance.between(1, 4) {
        let friend = payments.stranger("friend");
        let (when, sum) = (payments.between(0, 13), payments.sum(50, 3_000));
        match payments.chance.happens(50) {
            true => payments.pay(when, friend, SUBJECT, sum),
            false => payments.pay(when, SUBJECT, friend, sum),
        }
    }
}

/// A car or a boat is sold, and another one is bought or not.
fn sale(payments: &mut CasePayments) {
    let buyer = payments.person("buyer");
    let (when, sum) = (payments.on(0), payments.sum(9_000, 180_000));
    payments.pay(when, buyer, SUBJECT, sum);
    if payments.chance.happens(40) {
        let seller = payments.person("seller");
        let (when, price) = (payments.between(0, 6), payments.share(sum, 60, 100));
        payments.pay(when, SUBJECT, seller, price);
    }
}

/// Many pay one for a journey, who pays the agency.
fn collection(payments: &mut CasePayments) {
    for _ in 0..payments.chance.between(4, 10) {
        let friend = payments.person("friend");
        let (when, sum) = (payments.between(0, 5), payments.sum(400, 6_000));
        payments.pay(when, friend, SUBJECT, sum);
    }
    let price = payments.held(SUBJECT);
    let (when, price) = (payments.between(6, 8), payments.share(price, 90, 100));
    payments.shop(when.day, SUBJECT, price, TRAVEL);
}

/// An inheritance or savings of another bank come in, and go to an account there.
fn bank_elsewhere(payments: &mut CasePayments) {
    let other = payments.stranger("other account");
    let (when, sum) = (payments.on(0), payments.sum(20_000, 300_000));
    payments.pay(when, other, SUBJECT, sum);
    if payments.chance.happens(60) {
        let savings = payments.stranger("other account");
        let (when, rest) = (payments.between(0, 2), payments.share(sum, 50, 100));
        payments.pay(when, SUBJECT, savings, rest);
    }
}

/// Cash is paid in, or withdrawn for something dear.
fn cash(payments: &mut CasePayments) {
    for turn in 0..payments.chance.place(3).unwrap_or_default() + 1 {
        let (when, most) = (payments.between(turn, turn + 2), payments.sum(1_000, 20_000));
        let sum = payments.cash(most, 20, 60);
        match payments.chance.happens(50) {
            true => payments.deposit(when.day, SUBJECT, sum),
            false => payments.withdraw(when.day, SUBJECT, sum),
        }
    }
}

/// A child buys in a game.
fn apps(payments: &mut CasePayments) {
    let count = payments.chance.day(4, 12);
    let mut when = payments.before(0, count * APART.1);
    for _ in 0..count {
        let sum = payments.chance.between(1, 60) * UNIT;
        payments.buy(when, SUBJECT, sum, APPS);
        when = when.later(payments.chance.day(APART.0, APART.1));
    }
}

/// Work for a company abroad or at home is paid by transfer, and a supplier there is paid.
fn fee(payments: &mut CasePayments) {
    let client = payments.outsider(PartyKind::Abroad, "client");
    let (when, sum) = (payments.on(0), payments.fee(10_000, 120_000));
    payments.transfer(when, client, SUBJECT, sum, Kind::Transfer, "Konsulenthonorar");
    if payments.chance.happens(50) {
        let supplier = payments.outsider(PartyKind::Abroad, "supplier");
        let (when, price) = (payments.between(1, 6), payments.share(sum, 10, 95));
        payments.transfer(when, SUBJECT, supplier, price, Kind::Transfer, "Faktura");
    }
}

/// A company pays a person for work by transfer, and a supplier abroad.
fn company_pays(payments: &mut CasePayments) {
    let client = payments.company("client");
    for _ in 0..payments.chance.between(1, 3) {
        let (when, sum) = (payments.between(0, 13), payments.fee(5_000, 250_000));
        let text = payments.chance.word(&["Konsulenthonorar", "Faktura"]);
        payments.transfer(when, client, SUBJECT, sum, Kind::Transfer, text);
    }
    if payments.chance.happens(50) {
        let supplier = payments.outsider(PartyKind::Abroad, "supplier");
        let (when, price) = (payments.between(0, 13), payments.fee(5_000, 150_000));
        payments.transfer(when, client, supplier, price, Kind::Transfer, "Faktura");
    }
}

/// Work for another employer is paid once.
fn wages(payments: &mut CasePayments) {
    let employer = payments.employer("employer");
    payments.wages(employer, SUBJECT);
    if payments.chance.happens(60) {
        let friend = payments.stranger("other account");
        let wages = payments.held(SUBJECT);
        let (when, sum) = (payments.between(1, 4), payments.share(wages, 30, 95));
        payments.pay(when, SUBJECT, friend, sum);
    }
}
