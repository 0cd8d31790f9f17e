//! The whole state of a sandbox as JSON that people can read, keep under version control and change by hand.
//!
//! The text is canonical (RFC 8785): equal states are equal texts. Beside one array a section it has
//!
//! | member | what |
//! |---|---|
//! | `format` | `xs2a sandbox` |
//! | `version` | 1 |
//! | `clock` | the time, RFC 3339 in UTC |
//! | `entropy` | where ids come from: `seed`, `generation` and `counter`, as decimal texts |
//! | `replayWindow` | the request ids of the last 120 seconds: `tpp` (hashed), `requestId`, `usedAt` |

use std::borrow::Cow;

use uuid::Uuid;

use super::sandbox::Sandbox;
use super::snapshot::State;
use super::test_tpp::known_role;
use crate::env::clock::{from_micros, within_calendar};
use crate::env::entropy::Position;
use crate::error::{Error, Result};
use crate::pipeline::replay_window::UsedId;
use crate::reason::Language;
use crate::sandbox::population::check_document;
use crate::sandbox::{ledger, pki};
use crate::store::sqlite::document::{segment, time_of_text, time_text, Faults};
use crate::store::sqlite::sandbox::CLOCK;
use crate::store::sqlite::Database;
use crate::wire::canonical;
use crate::wire::json::Json;
use crate::wire::reader::{find, Members};

const FORMAT: &str = "xs2a sandbox";
const VERSION: i64 = 1;
/// The members beside the sections.
const HEAD: &[&str] = &["format", "version", "clock", "entropy", "replayWindow"];

/// Which rows of the state.
#[derive(Debug, Clone, Copy)]
pub struct StateRows<'r> {
    /// The member of an exported state that has them, such as `payments`.
    pub section: &'r str,
    /// A member of a row, and the text that it must have.
    pub only: Option<(&'r str, &'r str)>,
    /// How many at most.
    pub limit: u32,
}

impl Sandbox {
    /// The newest rows of one section of [`Sandbox::export_json`], as the text of a JSON array, newest first.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a section or a member that does not exist; [`Error::Store`].
    pub fn state_rows(&self, rows: &StateRows<'_>) -> Result<String> {
        self.database.newest_rows(rows.section, rows.only, rows.limit)
    }

    /// The whole state as the text of a JSON object. What [`Sandbox::import_json`] makes of it is the same sandbox,
    /// the ids that follow included. Policies and base path are not in it.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn export_json(&self) -> Result<String> {
        let _guard = self.moving.write();
        let mut members = self.database.sections()?;
        let now = self.now();
        let Position { seed, generation, counter } = self.entropy.position();
        let entropy = [("seed", seed), ("generation", generation), ("counter", counter)];
        let entropy = entropy.map(|(name, number)| (name, string(number.to_string())));
        let used: Vec<_> = self.engine.context.replay_window.used(now).iter().map(used_id).collect();
        let head = [
            ("format", string(FORMAT.to_owned())),
            ("version", Json::Integer(VERSION)),
            ("clock", string(time_text(now.timestamp_micros()))),
            ("entropy", object(entropy.to_vec())),
            ("replayWindow", Json::Array(used)),
        ];
        for (name, value) in head {
            members.push((name, canonical::write(&value)?));
        }
        Ok(canonical::object(members))
    }

    /// Takes the state in a text of [`Sandbox::export_json`], in any spelling of the same JSON, edited by hand if need
    /// be. Each value is checked; an impossible one is reported with its place, up to twenty at once. Sums and the keys
    /// of TPPs are checked if everything else is right; references between rows, if each row is right by itself. The
    /// `duplicateFingerprint` of a payment is computed again.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a text that is no such document, of another version, or with invalid values; the sandbox
    /// is unchanged then. [`Error::Store`].
    pub fn import_json(&self, text: &str) -> Result<()> {
        self.put(read(text)?)
    }
}

/// The state in a document.
fn read(text: &str) -> Result<State> {
    let refused = |what: &str| Error::Misuse(format!("this is no exported sandbox: {what}"));
    let document = Json::parse(text.as_bytes()).map_err(|fault| refused(&fault.text(Language::English)))?;
    let Json::Object(members) = &document else { return Err(refused("it is no JSON object")) };
    if find(members, "format") != Some(&string(FORMAT.to_owned())) {
        return Err(refused(&format!("its `format` is not \"{FORMAT}\"")));
    }
    match find(members, "version") {
        Some(Json::Integer(VERSION)) => {}
        Some(Json::Integer(other)) => {
            return Err(refused(&format!("its version is {other}, this library reads {VERSION}")));
        }
        _ => return Err(refused("its `version` is no number")),
    }
    let mut faults = Faults::default();
    check_names(members, &mut faults);
    let clock_micros = time(find(members, "clock"), "/clock", &mut faults);
    let position = position(find(members, "entropy"), &mut faults);
    let used = used_ids(find(members, "replayWindow"), &mut faults);
    let database = Database::of_sections(members, &mut faults)?;
    if faults.is_empty() {
        database.set_fact(CLOCK, clock_micros)?;
        check_keys(&database, &mut faults)?;
        check_balances(&database, members, &mut faults)?;
        check_document(&database, &mut faults)?;
    }
    match faults.is_empty() {
        true => Ok(State { clock_micros, position, used, database }),
        false => Err(Error::Misuse(format!("the exported sandbox has invalid values: {faults}"))),
    }
}

fn check_names(members: &Members<'_>, faults: &mut Faults) {
    for (index, (name, _)) in members.iter().enumerate() {
        let is_known =
            HEAD.contains(&name.as_ref()) || Database::section_names().any(|section| section == name);
        if !is_known {
            faults.add(&format!("/{}", segment(name)), "is not known");
        } else if members.iter().take(index).any(|(earlier, _)| earlier == name) {
            faults.add(&format!("/{name}"), "is there twice");
        }
    }
}

/// Each TPP signs with one of the keys that ship with this library, that of its certificate.
fn check_keys(database: &Database, faults: &mut Faults) -> Result<()> {
    for (index, tpp) in database.read_books(|books| books.tpps())?.iter().enumerate() {
        let key_index = usize::try_from(tpp.key_index).unwrap_or(usize::MAX);
        if !pki::IssuedTpp::reissue(&tpp.certificate, key_index).is_ok_and(|issued| issued.fits()) {
            faults.add(&format!("/tpps/{index}/keyIndex"), "is not the key of the certificate");
        }
        if tpp.roles.iter().any(|role| known_role(role).is_err()) {
            faults.add(&format!("/tpps/{index}/roles"), "must be roles, such as PISP");
        }
    }
    Ok(())
}

/// The books must balance.
fn check_balances(database: &Database, members: &Members<'_>, faults: &mut Faults) -> Result<()> {
    for (account, _) in ledger::unproven(database)? {
        let id = string(account.key.as_str().to_owned());
        let accounts = match find(members, "accounts") {
            Some(Json::Array(accounts)) => accounts.as_slice(),
            _ => &[],
        };
        let index = accounts.iter().position(|account| account.member("id") == Some(&id)).unwrap_or_default();
        let what = "is not the opening balance and what was booked and set since";
        faults.add(&format!("/accounts/{index}/booked"), what);
    }
    Ok(())
}

fn time(shown: Option<&Json<'_>>, pointer: &str, faults: &mut Faults) -> i64 {
    let micros = match shown {
        Some(Json::String(text)) => time_of_text(text),
        _ => None,
    };
    // The sandbox's clock stays within the calendar.
    micros.filter(|micros| within_calendar(from_micros(*micros)).is_ok()).unwrap_or_else(|| {
        faults.add(pointer, "must be a time by RFC 3339, to the microsecond");
        0
    })
}

/// The stream of ids must not come to its end.
const COUNTER_MAX: u64 = 1 << 63;

fn position(shown: Option<&Json<'_>>, faults: &mut Faults) -> Position {
    let mut number = |name: &str| {
        let digits = match shown.and_then(|entropy| entropy.member(name)) {
            Some(Json::String(digits)) => digits.parse().ok(),
            _ => None,
        };
        digits.unwrap_or_else(|| {
            faults.add(&format!("/entropy/{name}"), "must be a whole number as a text");
            0
        })
    };
    let position =
        Position { seed: number("seed"), generation: number("generation"), counter: number("counter") };
    if position.counter > COUNTER_MAX {
        faults.add("/entropy/counter", "leaves no ids to come");
    }
    position
}

fn used_id(id: &UsedId) -> Json<'static> {
    object(vec![
        ("tpp", string(Uuid::from_bytes(id.tpp).simple().to_string())),
        ("requestId", string(id.request_id.to_string())),
        ("usedAt", string(time_text(id.used_micros))),
    ])
}

fn used_ids(shown: Option<&Json<'_>>, faults: &mut Faults) -> Vec<UsedId> {
    let Some(Json::Array(items)) = shown else {
        faults.add("/replayWindow", "must be an array");
        return Vec::new();
    };
    let mut used = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let uuid = |name: &str| match item.member(name) {
            Some(Json::String(text)) => Uuid::parse_str(text).ok(),
            _ => None,
        };
        let pointer = format!("/replayWindow/{index}");
        match (uuid("tpp"), uuid("requestId")) {
            (Some(tpp), Some(request_id)) => {
                let used_micros = time(item.member("usedAt"), &format!("{pointer}/usedAt"), faults);
                used.push(UsedId { tpp: tpp.into_bytes(), request_id, used_micros });
            }
            _ => faults.add(&pointer, "must have `tpp` and `requestId` of 32 hexadecimal digits"),
        }
    }
    used
}

fn string(text: String) -> Json<'static> {
    Json::String(Cow::Owned(text))
}

fn object(members: Vec<(&'static str, Json<'static>)>) -> Json<'static> {
    Json::Object(members.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect())
}
