//! What must hold of the money when everything is settled.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use serde_json::Value;

use super::{Walk, ACCOUNTS};

/// Days after which every batch of the walk ran.
const DAYS: i64 = 7;

impl Walk {
    /// Lets time pass until everything is settled. Then the books balance, a payment was booked only if it was
    /// executed, and what it was booked for is what it says.
    pub(super) fn settle(&mut self) {
        self.sandbox.advance(TimeDelta::days(DAYS)).expect("time passes");
        assert_eq!(self.sandbox.reconcile_json().expect("the books"), "[]", "books that do not balance");
        let (left, came) = self.bookings();
        let state: Value = serde_json::from_str(&self.sandbox.export_json().expect("a state")).expect("JSON");
        let rows = state["payments"].as_array().expect("payments");
        for (id, sent) in &self.payments {
            let row = rows.iter().find(|row| row["id"] == **id).expect("a payment that was created");
            let status = row["status"].as_str().expect("a status");
            let paid = left.get(id).copied().unwrap_or_default();
            let repeats = sent.get("frequency").is_some();
            let is_executed = matches!(status, "ACSC" | "ACCC" | "PART");
            assert!(is_executed || repeats || paid == 0, "{status}, but {paid} left an account: {sent}");
            if status == "ACSC" && !repeats && row["feeCurrency"] == "NOK" {
                let fee = hundredths(row["fee"].as_str().expect("a fee"));
                check_sums(sent, paid, came.get(id).copied().unwrap_or_default(), fee);
            }
        }
    }

    /// What left the accounts for each payment, and what came, in hundredths.
    fn bookings(&self) -> (BTreeMap<String, i64>, BTreeMap<String, i64>) {
        let (mut left, mut came) = (BTreeMap::new(), BTreeMap::new());
        for account in ACCOUNTS {
            let ledger: Value =
                serde_json::from_str(&self.sandbox.ledger(account).expect("an account")).expect("JSON");
            for booking in ledger["bookings"].as_array().expect("bookings") {
                let Some(id) = booking["paymentId"].as_str() else { continue };
                let sum = hundredths(booking["amount"].as_str().expect("a sum"));
                let side = if sum < 0 { &mut left } else { &mut came };
                *side.entry(id.to_owned()).or_default() += sum;
            }
        }
        (left, came)
    }
}

/// A payment in NOK that was executed, from one of the accounts: its sum and its fee left, and the sum came whole, if
/// the payee is another of the accounts.
fn check_sums(sent: &Value, left: i64, came: i64, fee: i64) {
    let amount = sent.pointer("/instructedAmount/amount").and_then(Value::as_str);
    let is_plain = sent.pointer("/instructedAmount/currency").is_some_and(|currency| currency == "NOK");
    let Some(amount) = amount.filter(|_| is_plain).map(hundredths) else { return };
    assert_eq!(-left, amount + fee, "what left: {sent}");
    assert!(came == 0 || came == amount, "{came} came: {sent}");
}

fn hundredths(text: &str) -> i64 {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let fraction: i64 =
        format!("{fraction:0<2}").get(..2).and_then(|two| two.parse().ok()).unwrap_or_default();
    let magnitude = whole.trim_start_matches('-').parse::<i64>().unwrap_or_default() * 100 + fraction;
    if whole.starts_with('-') {
        -magnitude
    } else {
        magnitude
    }
}
