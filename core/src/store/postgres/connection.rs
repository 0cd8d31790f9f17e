//! One connection: its settings, and its statements, prepared once.

use std::collections::HashMap;
use std::time::Duration;

use tokio_postgres::{Row, SimpleQueryMessage, SimpleQueryRow, Statement};

use super::address::Address;
use super::client::{Client, Values};
use super::failure::{Failure, Result};
use super::own_settings::own_settings;
use super::time_limits::LOCK_SECONDS_MAX;
use crate::error::Error;

/// The oldest server that has everything asked of it, as `server_version_num` counts: 13.0.
const SERVER_VERSION_MIN: i64 = 130_000;
/// The oldest server that can check during a statement whether its client is still connected: 14.0.
const NOTICES_LOST_CLIENTS: i64 = 140_000;

/// A connection.
pub(super) struct Connection {
    client: Client,
    statements: HashMap<&'static str, Statement>,
    /// Which history of the server's transactions this connection writes: a standby that takes over begins another.
    timeline: String,
}

impl Connection {
    /// A new connection, with our settings.
    pub(super) fn open(address: &Address) -> Result<Self> {
        let mut client = address.connect()?;
        let timeline = settle(&mut client)?;
        Ok(Self { client, statements: HashMap::new(), timeline })
    }

    /// How many rows a statement changed.
    pub(super) fn execute(&mut self, sql: &'static str, values: Values<'_>) -> Result<u64> {
        let statement = self.prepared(sql)?;
        self.client.execute(&statement, values)
    }

    /// The one row of a query, if there is one.
    pub(super) fn row(&mut self, sql: &'static str, values: Values<'_>) -> Result<Option<Row>> {
        let statement = self.prepared(sql)?;
        self.client.query_opt(&statement, values)
    }

    /// All rows of a query.
    pub(super) fn rows(&mut self, sql: &'static str, values: Values<'_>) -> Result<Vec<Row>> {
        let statement = self.prepared(sql)?;
        self.client.query(&statement, values)
    }

    /// Runs statements without parameters.
    pub(super) fn batch(&mut self, sql: &str) -> Result<()> {
        self.client.simple_query(sql).map(drop)
    }

    /// The first column of the last row that a batch gives; empty where there is none.
    pub(super) fn answer(&mut self, sql: &str) -> Result<String> {
        answer(&mut self.client, sql)
    }

    /// All columns of the last row that a batch gives.
    pub(super) fn columns(&mut self, sql: &str) -> Result<Vec<String>> {
        columns(&mut self.client, sql)
    }

    /// The last warning of the server that was not taken.
    pub(super) fn take_warning(&mut self) -> Option<String> {
        self.client.take_warning()
    }

    /// Which history of the server's transactions this connection writes.
    pub(super) fn timeline(&self) -> &str {
        &self.timeline
    }

    /// Work whose answers may take that long each.
    pub(super) fn with_patience<T>(
        &mut self,
        patience: Duration,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let usual = self.client.set_patience(patience);
        let done = work(self);
        self.client.set_patience(usual);
        done
    }

    /// Whether the connection is known to be gone.
    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    fn prepared(&mut self, sql: &'static str) -> Result<Statement> {
        if let Some(known) = self.statements.get(sql) {
            return Ok(known.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }
}

/// Sets what our statements rely on, and looks whether the server can serve us. Gives its timeline.
fn settle(client: &mut Client) -> Result<String> {
    let version = answer(client, "SHOW server_version_num")?.parse::<i64>().unwrap_or_default();
    if version < SERVER_VERSION_MIN {
        return Err(unfit("the PostgreSQL server is older than version 13"));
    }
    if answer(client, "SHOW server_encoding")? != "UTF8" {
        return Err(unfit("the encoding of the PostgreSQL database is not UTF8"));
    }
    if answer(client, "SELECT pg_is_in_recovery()")? != "f" {
        return Err(unfit("the PostgreSQL server is a standby, which cannot be written to"));
    }
    // A statement whose node has given it up is not to hold its rows until it is done: see `client`.
    if version >= NOTICES_LOST_CLIENTS {
        answer(client, &format!("SET client_connection_check_interval TO '{LOCK_SECONDS_MAX}s'"))?;
    }
    let settings = own_settings().map(|(name, value)| format!("SET {name} TO {value};")).concat();
    // What is acknowledged is on the disk. What is stronger than that may stay.
    answer(
        client,
        &format!(
            "{settings}
            SELECT set_config('synchronous_commit', 'on', false)
                WHERE current_setting('synchronous_commit') = 'off';
            SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)"
        ),
    )
}

fn unfit(why: &str) -> Failure {
    Failure::Said(Error::Store(why.to_owned()))
}

fn answer(client: &mut Client, sql: &str) -> Result<String> {
    Ok(columns(client, sql)?.into_iter().next().unwrap_or_default())
}

fn columns(client: &mut Client, sql: &str) -> Result<Vec<String>> {
    let rows = client.simple_query(sql)?;
    let last = rows.iter().rev().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    let text = |row: &SimpleQueryRow, column| row.get(column).unwrap_or_default().to_owned();
    Ok(last.map_or_else(Vec::new, |row| (0..row.len()).map(|column| text(row, column)).collect()))
}
