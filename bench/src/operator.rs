//! What an operator asks: the consents of a person, and pages of payments among a million.

use std::path::Path;

use rusqlite::{params, Connection};
use xs2a::Engine;

use crate::payments::Payer;
use crate::report::Figure;
use crate::rounds::{median, timed};
use crate::rows::{against_fixed, millis, progress, Folder};
use crate::Outcome;

const MILLION: i64 = 1_000_000;
/// How many rows each answer has.
const ROWS: usize = 200;
const CALLS: usize = 51;
/// What one answer may take.
const ANSWER_MS_AIM: f64 = 5.0;

/// Measures the rows, in a file.
pub(crate) fn measure() -> Outcome<Vec<Figure>> {
    let folder = Folder::make()?;
    let file = folder.path().join("operator.db");
    let mut payer = Payer::open(Some(file.clone()))?;
    let created = payer.creation()?.send(&payer.sandbox);
    if created != 201 {
        return Err(format!("a creation was answered {created}").into());
    }
    progress("writing a million payments");
    let deep = fill(&file)?;
    let engine = payer.sandbox.engine();
    let row = |name, ask: &dyn Fn(&Engine) -> xs2a::Result<String>| -> Outcome<Figure> {
        Ok(against_fixed(name, median_ms(engine, ask)?, ANSWER_MS_AIM, "ms"))
    };
    let status = format!(r#"{{"status":"RCVD","after":"{deep}"}}"#);
    Ok(vec![
        row("list the 200 consents of a person", &|engine| engine.consents_json(r#"{"psu":"person-7"}"#))?,
        row("the first 200 of a million payments", &|engine| engine.payments_json(""))?,
        row("200 of a million payments of one status, after half a million", &|engine| {
            engine.payments_json(&status)
        })?,
        row("the 200 payments of a person among a million", &|engine| {
            engine.payments_json(r#"{"psu":"person-7"}"#)
        })?,
    ])
}

fn median_ms(engine: &Engine, ask: &dyn Fn(&Engine) -> xs2a::Result<String>) -> Outcome<f64> {
    let mut times = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let (time, answered) = timed(|| ask(engine));
        if answered?.matches(r#"{"id":"#).count() != ROWS {
            return Err("an answer has not 200 rows".into());
        }
        times.push(millis(time));
    }
    Ok(median(times))
}

/// Writes the rows past the engine: as many payments as a million, of five thousand persons, and two hundred consents
/// of each of ten persons. Returns the id of the payment in the middle.
fn fill(file: &Path) -> Outcome<String> {
    let mut connection = Connection::open(file)?;
    connection.pragma_update(None, "synchronous", "OFF")?;
    let transaction = connection.transaction()?;
    transaction.execute(
        "INSERT INTO payment (id, version, tpp, product, psu, context, transfer, fee, fee_currency, status, \
         created_at, duplicate_fingerprint) \
         WITH RECURSIVE line (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM line WHERE n + 1 < ?1) \
         SELECT printf('enc!!%024d', n), 1, tpp, product, 'person-' || (n % 5000), 'PRIVATE', transfer, fee, \
         fee_currency, status, created_at + n, randomblob(32) FROM line, payment WHERE number = 1",
        params![MILLION],
    )?;
    transaction.execute_batch(
        "WITH RECURSIVE line (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM line WHERE n + 1 < 2000)
         INSERT INTO consent (tpp, tpp_name, psu, context, corporate, granted_at, ended_at, ended_why)
         SELECT 'PSDNO-FSA-' || (n / 10), 'Acme Read', 'person-' || (n % 10), 'PRIVATE', '', n, n + 1, 'revoked'
         FROM line;
         INSERT INTO consent_account (consent, kind, account)
         SELECT number, 'account', 'enc!!' || printf('%024d', account)
         FROM consent, (SELECT 1 AS account UNION ALL SELECT 2 UNION ALL SELECT 3);",
    )?;
    transaction.commit()?;
    connection.pragma_update(None, "wal_checkpoint", "TRUNCATE")?;
    Ok(connection.query_row("SELECT id FROM payment WHERE number = ?1", [MILLION / 2], |row| row.get(0))?)
}
