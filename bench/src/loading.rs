//! Transactions in large numbers, loaded by the sandbox's own route and invented as the history of a population,
//! against bare inserts of the same rows.

use std::time::Duration;

use rusqlite::{params, Connection};
use serde_json::{json, Value};
use xs2a::{PopulationPlan, Sandbox};

use crate::payments::{Payer, Signed};
use crate::report::Figure;
use crate::rounds::{timed, Contender, Rounds};
use crate::Outcome;

/// Rows of one call.
const ROWS: usize = 1000;
/// A million rows in all, in rounds of ten calls.
const LOADING: Rounds = Rounds { warm_up: 0, count: 100, calls: 10 };

/// Some ten thousand rows.
const POPULATION: PopulationPlan =
    PopulationPlan { persons: 24, companies: 1, months: 12, ..PopulationPlan::DEFAULT };

/// Measures the rows.
pub(crate) fn measure() -> Outcome<Vec<Figure>> {
    let (mut by_route, mut invented, mut bare) =
        (ByRoute::open()?, Invented::default(), BareInserts::open()?);
    let medians = LOADING.measure(&mut [&mut by_route, &mut invented, &mut bare])?;
    let rate = |contender| format!("{:.0} rows/s", ROWS as f64 / medians.seconds_of(contender));
    let figure = |name, contender| Figure {
        name,
        measured: rate(contender),
        against: format!("bare inserts of as many rows: {}", rate(2)),
        ratio: medians.ratio(contender, 2),
        aim: None,
    };
    Ok(vec![
        figure("load a million transactions by the API, in arrays of 1000", 0),
        figure("invent a population and book its history, a million transactions in all", 1),
    ])
}

/// A transaction of one krone on a day of August.
fn item(number: usize) -> Value {
    json!({
        "amount": 1,
        "currency": "NOK",
        "valueDate": date(number),
        "bookingDate": date(number),
        "remittanceInformationUnstructured": format!("Kaffe {number}"),
        "creditorName": "Kaffebar",
        "creditorAccount": {"bban": "95360573037"},
        "creditorId": "Kaffebar 1",
        "ultimateCreditor": "Kaffe AS",
        "debtorAccount": {"bban": "95360573002"},
        "debtorName": "Testodius En",
        "ultimateDebtor": "Testodius En",
        "purposeCode": "GDDS",
        "bankTransactionCode": "PMNT-CCRD-POSD",
    })
}

fn date(number: usize) -> String {
    format!("2026-08-{:02}", 1 + number % 31)
}

/// Signed calls of the sandbox's own route.
struct ByRoute {
    payer: Payer,
    target: String,
    made: usize,
    prepared: Vec<Signed>,
}

impl ByRoute {
    fn open() -> Outcome<Self> {
        let payer = Payer::open(None)?;
        let ledger: Value = serde_json::from_str(&payer.sandbox.ledger("95360573002")?)?;
        let id = ledger.pointer("/account/resourceId").and_then(Value::as_str).ok_or("no account")?;
        let target = format!("/v1/sandbox/accounts/{id}/transactions");
        Ok(Self { payer, target, made: 0, prepared: Vec::new() })
    }
}

impl Contender for ByRoute {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.prepared.clear();
        for _ in 0..calls {
            let items: Vec<_> = (self.made..self.made + ROWS).map(item).collect();
            self.made += ROWS;
            let body = Value::Array(items).to_string().into_bytes();
            let fields = [("Content-Type", "application/json")];
            self.prepared.push(self.payer.sign("POST", self.target.clone(), &fields, body)?);
        }
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let sandbox = &self.payer.sandbox;
        let (time, wrong) =
            timed(|| self.prepared.iter().map(|signed| signed.send(sandbox)).find(|status| *status != 201));
        wrong.map_or(Ok(time), |status| Err(format!("answered {status} where 201 is right").into()))
    }
}

/// Populations, each in a fresh sandbox.
#[derive(Default)]
struct Invented {
    sandbox: Option<Sandbox>,
    rows: usize,
}

impl Contender for Invented {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.sandbox = Some(Payer::open(None)?.sandbox);
        self.rows = calls * ROWS;
        Ok(())
    }

    /// The time per requested number of rows: the number of rows of a population is random.
    fn run(&mut self) -> Outcome<Duration> {
        let sandbox = self.sandbox.as_ref().ok_or("nothing was prepared")?;
        let (time, counts) = timed(|| sandbox.populate(POPULATION));
        let counts: Value = serde_json::from_str(&counts?)?;
        let count =
            |name: &str| counts.get(name).and_then(Value::as_u64).ok_or("the report has no such count");
        let booked = count("transactions")? + count("cardTransactions")?;
        Ok(time.mul_f64(self.rows as f64 / booked as f64))
    }
}

/// The same columns in one table, without an index beside it: a transaction for each thousand.
struct BareInserts {
    connection: Connection,
    made: usize,
    calls: usize,
}

impl BareInserts {
    fn open() -> Outcome<Self> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(
            "CREATE TABLE line (number INTEGER PRIMARY KEY, id TEXT NOT NULL, account TEXT NOT NULL, \
             booking_date TEXT NOT NULL, value_date TEXT NOT NULL, currency TEXT NOT NULL, amount TEXT NOT NULL, \
             counterpart_name TEXT, counterpart_bban TEXT, remittance TEXT, bank_transaction_code TEXT NOT NULL, \
             created_at INTEGER NOT NULL) STRICT",
        )?;
        Ok(Self { connection, made: 0, calls: 0 })
    }

    fn insert(&mut self) -> rusqlite::Result<()> {
        for _ in 0..self.calls {
            let transaction = self.connection.transaction()?;
            {
                let mut insert = transaction.prepare_cached(
                    "INSERT INTO line (id, account, booking_date, value_date, currency, amount, counterpart_name, \
                     counterpart_bban, remittance, bank_transaction_code, created_at) \
                     VALUES (?, ?, ?, ?, 'NOK', '-1.00', 'Kaffebar', '95360573037', ?, 'PMNT-CCRD-POSD', 0)",
                )?;
                for number in self.made..self.made + ROWS {
                    let (id, day) = (format!("enc!!{number:024}"), date(number));
                    let remittance = format!("Kaffe {number}");
                    insert.execute(params![id, "enc!!53ZlSSbsdjA6KHoHk0ZbZUNz", day, day, remittance])?;
                }
            }
            self.made += ROWS;
            transaction.commit()?;
        }
        Ok(())
    }
}

impl Contender for BareInserts {
    fn prepare(&mut self, calls: usize) -> Outcome<()> {
        self.calls = calls;
        Ok(())
    }

    fn run(&mut self) -> Outcome<Duration> {
        let (time, done) = timed(|| self.insert());
        done?;
        Ok(time)
    }
}
