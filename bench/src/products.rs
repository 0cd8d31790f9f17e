//! What is measured of the products: the creation of each, and the validation of bodies alone.

use std::time::Duration;

use serde_json::{json, Value};
use xs2a::tools::validate_payment;

use crate::payments::NOW;
use crate::rounds::{timed, Contender};
use crate::Outcome;

/// The payments of the bulk that is validated: as many as one may have.
pub(crate) const ENTRIES: usize = 1000;

/// A product that payments are created of.
#[derive(Clone, Copy)]
pub(crate) enum Product {
    Straks,
    Domestic,
    Sepa,
    CrossBorder,
    NorwegianCrossBorder,
    Periodic,
    /// With ten payments.
    BulkOfTen,
}

impl Product {
    /// All that are set against the instant one.
    pub(crate) const OTHERS: [Self; 6] = [
        Self::Domestic,
        Self::Sepa,
        Self::CrossBorder,
        Self::NorwegianCrossBorder,
        Self::Periodic,
        Self::BulkOfTen,
    ];

    /// The name of its row.
    pub(crate) fn row(self) -> &'static str {
        match self {
            Self::Straks => "create an instant payment in memory, everything included",
            Self::Domestic => "create a domestic payment",
            Self::Sepa => "create a SEPA payment",
            Self::CrossBorder => "create a cross-border payment",
            Self::NorwegianCrossBorder => "create a cross-border payment with regulatory reporting",
            Self::Periodic => "create a periodic payment",
            Self::BulkOfTen => "create a bulk of ten payments",
        }
    }

    /// Where its payments are created.
    pub(crate) fn target(self) -> &'static str {
        match self {
            Self::Straks => "/v1/payments/instant-norwegian-domestic-credit-transfers-straks",
            Self::Domestic => "/v1/payments/norwegian-domestic-credit-transfers",
            Self::Sepa => "/v1/payments/sepa-credit-transfers",
            Self::CrossBorder => "/v1/payments/cross-border-credit-transfers",
            Self::NorwegianCrossBorder => "/v1/payments/norwegian-cross-border-credit-transfers",
            Self::Periodic => "/v1/periodic-payments/norwegian-domestic-credit-transfers",
            Self::BulkOfTen => "/v1/bulk-payments/norwegian-domestic-credit-transfers",
        }
    }

    /// A body for it.
    pub(crate) fn body(self, debtor: &str, creditor: &str, amount: &str) -> Value {
        match self {
            Self::Straks => domestic(debtor, creditor, amount),
            Self::Domestic => {
                with(domestic(debtor, creditor, amount), "requestedExecutionDate", "2026-09-02")
            }
            Self::Periodic => {
                let body = with(domestic(debtor, creditor, amount), "startDate", "2026-10-01");
                with(body, "frequency", "Monthly")
            }
            Self::BulkOfTen => bulk(debtor, creditor, amount, 10),
            Self::Sepa => abroad(debtor, amount),
            Self::CrossBorder => with(abroad(debtor, amount), "creditorAgent", "DEUTDEFF"),
            Self::NorwegianCrossBorder => {
                let body = with(abroad(debtor, amount), "creditorAgent", "DEUTDEFF");
                let body = with(body, "regulatoryReportingCode", "14");
                with(body, "regulatoryReportingInformation", "Goods")
            }
        }
    }
}

fn with(mut body: Value, name: &str, value: impl Into<Value>) -> Value {
    if let Some(members) = body.as_object_mut() {
        members.insert(name.to_owned(), value.into());
    }
    body
}

fn domestic(debtor: &str, creditor: &str, amount: &str) -> Value {
    with(entry(creditor, amount), "debtorAccount", json!({"bban": debtor, "currency": "NOK"}))
}

fn entry(creditor: &str, amount: &str) -> Value {
    json!({
        "instructedAmount": {"amount": amount, "currency": "NOK"},
        "creditorName": "Testodius To",
        "creditorAccount": {"bban": creditor, "currency": "NOK"},
        "creditorAddress": {"townName": "Oslo", "country": "NO"},
        "remittanceInformationUnstructured": "Invoice 1001",
    })
}

fn abroad(debtor: &str, amount: &str) -> Value {
    json!({
        "instructedAmount": {"amount": amount, "currency": "EUR"},
        "creditorName": "Fiktiv Handel GmbH",
        "creditorAccount": {"iban": "DE89370400440532013000", "currency": "EUR"},
        "creditorAddress": {"townName": "Berlin", "country": "DE"},
        "debtorAccount": {"bban": debtor, "currency": "NOK"},
        "remittanceInformationUnstructured": "Invoice 1001",
    })
}

fn bulk(debtor: &str, creditor: &str, amount: &str, entries: usize) -> Value {
    let payments = vec![entry(creditor, amount); entries];
    json!({"debtorAccount": {"bban": debtor, "currency": "NOK"}, "payments": payments})
}

/// The validation of as many payments as a bulk may have, in one body or each in its own.
pub(crate) struct Validation {
    service: &'static str,
    body: Vec<u8>,
    /// How many times the body is validated for one call.
    times: usize,
    calls: usize,
}

impl Validation {
    /// One bulk.
    pub(crate) fn of_a_bulk() -> Self {
        let body = bulk("95360573002", "95360573037", "250.00", ENTRIES);
        Self { service: "bulk-payments", body: body.to_string().into_bytes(), times: 1, calls: 0 }
    }

    /// The same payments, one by one.
    pub(crate) fn of_single_payments() -> Self {
        let body = domestic("95360573002", "95360573037", "250.00");
        Self { service: "payments", body: body.to_string().into_bytes(), times: ENTRIES, calls: 0 }
    }
}

impl Contender for Validation {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.calls = calls;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        const PRODUCT: &str = "norwegian-domestic-credit-transfers";
        let at = Some(NOW.parse()?);
        let (time, found) = timed(|| {
            let judge = || validate_payment(self.service, PRODUCT, &self.body, at, "sandbox", &[]);
            (0..self.calls * self.times)
                .map(|_| judge())
                .find(|found| !matches!(found, Ok(list) if list.is_empty()))
        });
        match found {
            Some(found) => Err(format!("a sound body was judged {found:?}").into()),
            None => Ok(time),
        }
    }
}
