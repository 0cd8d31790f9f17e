//! Any orders, cancelled and settled in any order: no money comes or goes but what the orders say.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;
use rust_decimal::Decimal;

use super::batch::next_run;
use super::fixture::{bulk, cross_border, in_currency, noon, on_day, order, payment_id, under, Fixture};
use super::ledger::reconcile;
use crate::bank::{Bank, Cancellation, PaymentOrder};
use crate::payment::machine::PaymentStatus;
use crate::payment::order::Order as Ordered;
use crate::payment::product::Product;
use crate::store::sqlite::sandbox::{EntryOutcome, Order};
use crate::types::date::oslo_day;
use crate::types::{Amount, Currency, Money, PaymentId};

/// Ours in NOK and EUR, a card account, and one elsewhere.
const ACCOUNTS: [&str; 6] =
    ["95360573002", "95360573010", "95360573037", "95360573045", "95360573029", "95360573290"];
/// The first so many are ordinary accounts of ours, and of ours at all.
const PAYING: usize = 4;
const OURS: usize = 5;

#[derive(Debug, Clone)]
enum Kind {
    AtOnce,
    CrossBorder,
    Sepa,
    Standing,
    /// With a date so many days ahead.
    Dated(i64),
    /// From the first account: the creditors and sums of the entries.
    Bulk(Vec<(usize, i64)>),
}

#[derive(Debug, Clone)]
struct Step {
    kind: Kind,
    debtor: usize,
    creditor: usize,
    minor_units: i64,
    currency: Currency,
    /// Which earlier order is cancelled, if there is such a one.
    cancels: Option<usize>,
    batch_follows: bool,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let currency =
        prop_oneof![Just(Currency::NOK), Just(Currency::EUR), Just(Currency::JPY), Just(Currency::KWD)];
    let kind = prop_oneof![
        Just(Kind::AtOnce),
        Just(Kind::CrossBorder),
        Just(Kind::Sepa),
        Just(Kind::Standing),
        (0..4_i64).prop_map(Kind::Dated),
        prop::collection::vec((0..ACCOUNTS.len(), 1..9_000_000_i64), 1..6).prop_map(Kind::Bulk),
    ];
    let cancels = prop::option::weighted(0.2, 0..24_usize);
    let step = (kind, 0..PAYING, 0..ACCOUNTS.len(), 1..9_000_000_i64, currency, cancels, any::<bool>());
    let step = step.prop_map(|(kind, debtor, creditor, minor_units, currency, cancels, batch_follows)| {
        Step { kind, debtor, creditor, minor_units, currency, cancels, batch_follows }
    });
    prop::collection::vec(step, 1..24)
}

fn amount(minor_units: i64, currency: Currency) -> String {
    Decimal::new(minor_units, currency.minor_units().into()).to_string()
}

fn payment(n: usize, step: &Step, now: DateTime<Utc>) -> PaymentOrder {
    let id = u8::try_from(n).unwrap();
    if let Kind::Bulk(entries) = &step.kind {
        let sums: Vec<_> = entries.iter().map(|(_, sum)| amount(*sum, Currency::NOK)).collect();
        let entries: Vec<_> = entries
            .iter()
            .zip(&sums)
            .map(|((creditor, _), sum)| (ACCOUNTS[*creditor], sum.as_str()))
            .collect();
        return bulk(id, &entries);
    }
    let plain = order(id, ACCOUNTS[step.debtor], ACCOUNTS[step.creditor], "1.00");
    let plain = in_currency(plain, &amount(step.minor_units, step.currency), step.currency);
    match &step.kind {
        Kind::AtOnce | Kind::Bulk(_) => plain,
        Kind::CrossBorder => cross_border(plain),
        Kind::Sepa => under(Product::Sepa, plain),
        Kind::Standing => under(Product::PeriodicDomestic, plain),
        Kind::Dated(days) => {
            let day = oslo_day(now + TimeDelta::days(*days)).to_string();
            on_day(&day, under(Product::Domestic, plain))
        }
    }
}

/// All balances by currency.
fn holdings(fixture: &Fixture) -> BTreeMap<&'static str, Decimal> {
    let accounts = fixture.database().read_books(|books| books.ledger_accounts()).unwrap();
    let mut sums = BTreeMap::new();
    for account in accounts {
        *sums.entry(account.currency.code()).or_default() += account.booked.value();
    }
    sums
}

fn currency_of(number: &str) -> Currency {
    if number == "95360573045" {
        Currency::EUR
    } else {
        Currency::NOK
    }
}

/// What the booked entries of an order move out of this bank's accounts by currency, counted from the order as
/// it was given.
fn outflow(fixture: &Fixture, payment: &PaymentOrder, kept: &Order) -> Vec<(&'static str, Decimal)> {
    let rates = fixture.bank.rates();
    let debtor = currency_of(payment.order.debtor_account().identification.as_str());
    let worth = |sum: Amount, in_currency| rates.convert(Money::from(sum), in_currency).unwrap().value();
    let mut flows = Vec::new();
    for (transfer, entry) in payment.order.transfers().iter().zip(&kept.entries) {
        if entry.outcome != Some(EntryOutcome::Booked) {
            continue;
        }
        if flows.is_empty() {
            flows.push((debtor.code(), rates.convert(payment.fee, debtor).unwrap().value()));
        }
        flows.push((debtor.code(), worth(transfer.instructed_amount, debtor).max(Decimal::new(1, 2))));
        let creditor = transfer.creditor_account.identification.as_str();
        if ACCOUNTS[..OURS].contains(&creditor) {
            let currency = currency_of(creditor);
            flows.push((currency.code(), -worth(transfer.instructed_amount, currency)));
        }
    }
    flows
}

/// The final statuses reported for orders, by payment: none twice.
#[derive(Default)]
struct Ends(BTreeMap<String, PaymentStatus>);

impl Ends {
    fn note(&mut self, id: &PaymentId, status: PaymentStatus) {
        assert_eq!(self.0.insert(id.as_str().to_owned(), status), None, "{id} ended twice");
    }

    fn run(&mut self, fixture: &Fixture, at: DateTime<Utc>) {
        for (id, statuses) in fixture.bank.run(at).unwrap() {
            self.note(&id, statuses.last().unwrap().status);
            fixture.bank.mark_reported(&id).unwrap();
        }
        assert_eq!(reconcile(fixture.database()).unwrap(), []);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_money_comes_or_goes_but_what_the_orders_say(steps in steps()) {
        let fixture = Fixture::new();
        let before = holdings(&fixture);
        let (mut now, mut ends, mut payments) = (noon(), Ends::default(), Vec::new());
        for (n, step) in steps.iter().enumerate() {
            let payment = payment(n, step, now);
            let known_before = ends.0.contains_key(payment.payment_id.as_str());
            let status = fixture.bank.payments().submit_payment(&payment, now).unwrap();
            prop_assert_eq!(status, fixture.bank.payments().submit_payment(&payment, now).unwrap());
            if status.status != PaymentStatus::Pdng && !known_before {
                ends.note(&payment.payment_id, status.status);
            }
            payments.push(payment);
            // One that is still to come, too: its order will find itself cancelled.
            if let Some(cancelled) = step.cancels.and_then(|n| u8::try_from(n).ok()).map(payment_id) {
                let known = ends.0.get(cancelled.as_str()).copied();
                match fixture.bank.payments().cancel_payment(&cancelled, now).unwrap() {
                    Cancellation::Cancelled if known.is_none() => ends.note(&cancelled, PaymentStatus::Canc),
                    Cancellation::Cancelled => prop_assert_eq!(known, Some(PaymentStatus::Canc)),
                    Cancellation::TooLate(at_bank) => prop_assert_eq!(known, Some(at_bank.status)),
                }
            }
            if step.batch_follows {
                now = next_run(now);
                ends.run(&fixture, now);
            }
        }
        while let Some(run) = fixture.bank.next_batch_needed().unwrap() {
            now = run;
            ends.run(&fixture, now);
        }
        let mut expected = before;
        for payment in &payments {
            let kept = fixture.database().read_books(|books| books.order(&payment.payment_id)).unwrap();
            let booked = kept.map(|kept| outflow(&fixture, payment, &kept)).unwrap_or_default();
            let end = ends.0.get(payment.payment_id.as_str()).copied();
            let pays = matches!(end, Some(PaymentStatus::Acsc | PaymentStatus::Part));
            prop_assert_eq!(!booked.is_empty(), pays, "{:?}", end);
            let at_bank = payment.product == Product::PeriodicDomestic && end.is_none();
            prop_assert!(end.is_some() || at_bank, "{} has no end", payment.payment_id);
            prop_assert!(end != Some(PaymentStatus::Part) || matches!(payment.order, Ordered::Bulk(_)));
            for (currency, flow) in booked {
                *expected.entry(currency).or_default() -= flow;
            }
        }
        prop_assert_eq!(holdings(&fixture), expected);
        for account in fixture.database().read_books(|books| books.ledger_accounts()).unwrap() {
            prop_assert!(!account.booked.checked_add(account.credit_line).unwrap().is_negative());
        }
    }
}
