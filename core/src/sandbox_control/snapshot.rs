//! Snapshot, restore, fork: the whole state of a sandbox as bytes, or as a second sandbox.
//!
//! An image is a head of fixed size, the request ids of the replay window, the database, and a SHA-256 over
//! all of it. Numbers are big-endian.

use std::sync::Arc;

use uuid::Uuid;

use super::open::{assemble, trust};
use super::sandbox::Sandbox;
use crate::crypto::sha256;
use crate::env::clock::{from_micros, within_calendar, ManualClock};
use crate::env::entropy::{Position, SeededEntropy};
use crate::error::{Error, Result};
use crate::pipeline::replay_window::UsedId;
use crate::pipeline::write_waiting::write_waiting;
use crate::policy::Policy;
use crate::sandbox::journal::Step;
use crate::store::sqlite::Database;

const MAGIC: &[u8; 8] = b"XS2ASNAP";
const VERSION: u32 = 1;
const HASH_BYTES: usize = 32;

impl Sandbox {
    /// The whole state as bytes.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn snapshot(&self) -> Result<Vec<u8>> {
        let _guard = self.moving.write();
        let now = self.now();
        write_waiting(&self.engine.context, now)?;
        let database = self.database.image()?;
        let position = self.entropy.position();
        let used = self.engine.context.replay_window.used(now);
        let mut image = Vec::with_capacity(database.len() + 64 + used.len() * 40 + HASH_BYTES);
        image.extend_from_slice(MAGIC);
        image.extend_from_slice(&VERSION.to_be_bytes());
        image.extend_from_slice(&now.timestamp_micros().to_be_bytes());
        for number in [position.seed, position.generation, position.counter, used.len() as u64] {
            image.extend_from_slice(&number.to_be_bytes());
        }
        for id in &used {
            image.extend_from_slice(&id.tpp);
            image.extend_from_slice(id.request_id.as_bytes());
            image.extend_from_slice(&id.used_micros.to_be_bytes());
        }
        image.extend_from_slice(&database);
        image.extend_from_slice(&sha256(&image));
        Ok(image)
    }

    /// Restores a snapshot of this sandbox or another.
    ///
    /// # Errors
    /// [`Error::Misuse`] for bytes that are not a complete snapshot of this version; the sandbox is unchanged.
    pub fn restore(&self, image: &[u8]) -> Result<()> {
        let image = Image::read(image)?;
        let database = Database::from_image(image.database)?;
        let state =
            State { clock_micros: image.clock_micros, position: image.position, used: image.used, database };
        self.put(state)
    }

    /// Puts another state in place of the present one, or fails and changes nothing.
    pub(super) fn put(&self, state: State) -> Result<()> {
        let begun = self.begin();
        // What can be wrong with it is found out before anything is changed.
        let cannot_be_taken = |error| match error {
            Error::Store(fault) | Error::Record(fault) => {
                Error::Misuse(format!("this state cannot be taken: {}", fault.text()))
            }
            other => other,
        };
        let trust = trust(&state.database).map_err(cannot_be_taken)?;
        self.database.keep_generation_in(&state.database).map_err(cannot_be_taken)?;
        let now = within_calendar(from_micros(state.clock_micros))?;
        let _guard = self.moving.write();
        self.database.replace_by(state.database)?;
        self.clock.restore(now);
        self.entropy.restore(state.position);
        self.engine.context.replay_window.replace(&state.used);
        self.engine.context.waiting_writes.clear();
        self.engine.context.replace_trust(trust);
        self.registry.forget();
        self.faults.restart();
        self.note(begun, Step::Restore);
        Ok(())
    }

    /// A second sandbox in memory with the same state and policy; later changes of one do not affect the
    /// other.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn fork(&self) -> Result<Self> {
        let _guard = self.moving.write();
        write_waiting(&self.engine.context, self.now())?;
        let database = Arc::new(self.database.fork()?);
        let now = self.now();
        let clock = Arc::new(ManualClock::new(now));
        let entropy = Arc::new(SeededEntropy::at(self.entropy.position()));
        let policy = Policy::clone(&self.engine.policy());
        let twin = assemble(policy, database, clock, entropy, self.notes.fork())?;
        twin.engine.context.replay_window.replace(&self.engine.context.replay_window.used(now));
        twin.note_other_origin(self);
        Ok(twin)
    }
}

/// The whole state of a sandbox.
pub(super) struct State {
    pub(super) clock_micros: i64,
    pub(super) position: Position,
    pub(super) used: Vec<UsedId>,
    pub(super) database: Database,
}

/// A snapshot taken apart.
pub(super) struct Image<'i> {
    pub(super) clock_micros: i64,
    pub(super) position: Position,
    pub(super) used: Vec<UsedId>,
    pub(super) database: &'i [u8],
}

impl<'i> Image<'i> {
    pub(super) fn read(bytes: &'i [u8]) -> Result<Self> {
        let broken = |what: &str| Error::Misuse(format!("this is not a snapshot of a sandbox: {what}"));
        let body_length = bytes.len().checked_sub(HASH_BYTES).ok_or_else(|| broken("it is too short"))?;
        let (body, hash) = bytes.split_at_checked(body_length).ok_or_else(|| broken("it is too short"))?;
        let mut rest = body;
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at_checked(count)?;
            rest = left;
            Some(taken)
        };
        let short = || broken("it is truncated");
        if take(MAGIC.len()) != Some(MAGIC) {
            return Err(broken("it does not begin as one"));
        }
        let version = take(4).map(number).ok_or_else(short)?;
        if version != u64::from(VERSION) {
            return Err(broken(&format!("its version is {version}, this library reads {VERSION}")));
        }
        if sha256(body) != *hash {
            return Err(broken("it is truncated or was changed"));
        }
        let clock_micros = take(8).map(number).ok_or_else(short)? as i64;
        let mut next = || take(8).map(number).ok_or_else(short);
        let position = Position { seed: next()?, generation: next()?, counter: next()? };
        let count = next()?;
        let mut used = Vec::new();
        for _ in 0..count {
            let tpp = take(16).and_then(|bytes| bytes.try_into().ok()).ok_or_else(short)?;
            let request_id = take(16).and_then(|bytes| Uuid::from_slice(bytes).ok()).ok_or_else(short)?;
            let used_micros = take(8).map(number).ok_or_else(short)? as i64;
            used.push(UsedId { tpp, request_id, used_micros });
        }
        Ok(Self { clock_micros, position, used, database: rest })
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| (number << 8) | u64::from(*byte))
}
