//! Randomness: the system's for production, a seeded stream for reproducible sandboxes.

use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, Utc};

use crate::crypto::sha256;
use crate::error::{Error, Result};
use crate::types::{put_rank, ID_BYTES};

/// What one SHA-256 gives.
const BLOCK_BYTES: usize = 32;
const _: () = assert!(ID_BYTES <= BLOCK_BYTES, "an id is one block");

/// Where an engine takes its randomness from.
pub trait Entropy: Send + Sync {
    /// Fills the buffer with unpredictable bytes.
    ///
    /// # Errors
    /// [`Error::Internal`] if the system has no randomness.
    fn fill(&self, out: &mut [u8]) -> Result<()>;

    /// Fills the bytes of an id as [`Entropy::fill`] does, and returns its sort key: the time, in microseconds since
    /// 1970, or a position in a stream. The lowest 54 bits count; beyond them the order is lost and nothing else.
    ///
    /// # Errors
    /// As [`Entropy::fill`].
    fn fill_in_order(&self, now: DateTime<Utc>, out: &mut [u8; ID_BYTES]) -> Result<u64> {
        self.fill(out)?;
        Ok(u64::try_from(now.timestamp_micros()).unwrap_or_default())
    }
}

impl dyn Entropy + '_ {
    /// An array of random bytes.
    ///
    /// # Errors
    /// As [`Entropy::fill`].
    pub fn bytes<const N: usize>(&self) -> Result<[u8; N]> {
        let mut out = [0; N];
        self.fill(&mut out)?;
        Ok(out)
    }

    /// The bytes of a new resource id, which sorts behind those of earlier moments. How ids of one moment sort among
    /// each other is left to chance.
    ///
    /// # Errors
    /// As [`Entropy::fill`].
    pub fn id_bytes(&self, now: DateTime<Utc>) -> Result<[u8; ID_BYTES]> {
        let mut bytes = [0; ID_BYTES];
        let rank = self.fill_in_order(now, &mut bytes)?;
        put_rank(rank, &mut bytes);
        Ok(bytes)
    }

    /// A random UUID (version 4).
    ///
    /// # Errors
    /// As [`Entropy::fill`].
    pub fn uuid(&self) -> Result<uuid::Uuid> {
        Ok(uuid::Builder::from_random_bytes(self.bytes()?).into_uuid())
    }
}

/// The operating system's randomness.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, out: &mut [u8]) -> Result<()> {
        getrandom::fill(out).map_err(|error| Error::Internal(format!("no entropy: {error}")))
    }
}

/// A place in a reproducible stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The seed.
    pub seed: u64,
    /// How often the file was opened.
    pub generation: u64,
    /// How many blocks were drawn.
    pub counter: u64,
}

/// A reproducible stream: SHA-256 over seed, generation and a counter.
///
/// The generation counts how often a file was opened, so that no two processes draw the same ids.
/// For sandboxes only: every id can be computed from the seed.
#[derive(Debug)]
pub struct SeededEntropy {
    seed: AtomicU64,
    generation: AtomicU64,
    counter: AtomicU64,
}

impl SeededEntropy {
    /// The stream of that seed and generation, `counter` blocks in.
    pub fn new(seed: u64, generation: u64, counter: u64) -> Self {
        Self::at(Position { seed, generation, counter })
    }

    /// The stream from a place on.
    pub fn at(position: Position) -> Self {
        Self {
            seed: AtomicU64::new(position.seed),
            generation: AtomicU64::new(position.generation),
            counter: AtomicU64::new(position.counter),
        }
    }

    /// The current position, from which the stream can continue later.
    pub fn position(&self) -> Position {
        Position {
            seed: self.seed.load(Ordering::Acquire),
            generation: self.generation.load(Ordering::Acquire),
            counter: self.counter.load(Ordering::Acquire),
        }
    }

    /// The place of the next block, which is taken.
    fn next(&self) -> Position {
        Position { counter: self.counter.fetch_add(1, Ordering::AcqRel), ..self.position() }
    }

    /// Goes on from an earlier place: only restoring a snapshot does that.
    pub(crate) fn restore(&self, position: Position) {
        self.seed.store(position.seed, Ordering::Release);
        self.generation.store(position.generation, Ordering::Release);
        self.counter.store(position.counter, Ordering::Release);
    }
}

impl Position {
    /// Fills the buffer from the block there.
    fn fill(self, out: &mut [u8]) {
        let [seed, generation, counter] = [self.seed, self.generation, self.counter].map(u64::to_be_bytes);
        let hashed = [b"xs2a sandbox entropy".as_slice(), &seed, &generation, &counter].concat();
        out.iter_mut().zip(sha256(&hashed)).for_each(|(to, from)| *to = from);
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, out: &mut [u8]) -> Result<()> {
        out.chunks_mut(BLOCK_BYTES).for_each(|chunk| self.next().fill(chunk));
        Ok(())
    }

    /// By the place in the stream, so that the same calls at another time make the same ids. An id is one block.
    fn fill_in_order(&self, _now: DateTime<Utc>, out: &mut [u8; ID_BYTES]) -> Result<u64> {
        let position = self.next();
        position.fill(out);
        Ok(position.generation << u32::BITS | position.counter & u64::from(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::clock::from_micros;
    use crate::types::PaymentId;

    fn draw(entropy: &dyn Entropy) -> [u8; 18] {
        entropy.bytes().unwrap()
    }

    #[test]
    fn the_same_seed_and_position_give_the_same_bytes() {
        let first = SeededEntropy::new(7, 1, 0);
        let second = SeededEntropy::new(7, 1, 0);
        assert_eq!(draw(&first), draw(&second));
        let third = SeededEntropy::at(first.position());
        assert_eq!(draw(&first), draw(&third));
    }

    #[test]
    fn seed_generation_and_counter_each_change_the_bytes() {
        let base = draw(&SeededEntropy::new(7, 1, 0));
        for other in [SeededEntropy::new(8, 1, 0), SeededEntropy::new(7, 2, 0), SeededEntropy::new(7, 1, 1)] {
            assert_ne!(base, draw(&other));
        }
    }

    #[test]
    fn long_draws_do_not_repeat_a_block() {
        let bytes: [u8; 96] = (&SeededEntropy::new(0, 0, 0) as &dyn Entropy).bytes().unwrap();
        assert_ne!(bytes[..32], bytes[32..64]);
        assert_ne!(bytes[32..64], bytes[64..]);
    }

    fn id(entropy: &dyn Entropy, micros: i64) -> String {
        PaymentId::from_bytes(entropy.id_bytes(from_micros(micros)).unwrap()).to_string()
    }

    #[test]
    fn ids_of_the_system_sort_by_the_time() {
        let ids: Vec<String> =
            (0..100).map(|micros| id(&SystemEntropy, 1_780_000_000_000_000 + micros)).collect();
        assert!(ids.is_sorted(), "{ids:?}");
        assert_ne!(id(&SystemEntropy, 1), id(&SystemEntropy, 1));
    }

    #[test]
    fn ids_of_a_stream_sort_by_their_place_at_any_time() {
        let (first, second) = (SeededEntropy::new(7, 1, 0), SeededEntropy::new(7, 2, 0));
        let ids: Vec<String> = (0..100).map(|number| id(&first, 1_000_000 - number)).collect();
        assert!(ids.is_sorted(), "{ids:?}");
        assert!(ids[99] < id(&second, 0), "a file that was opened again goes on behind");
        assert_eq!(id(&SeededEntropy::new(7, 1, 0), 5), ids[0]);
    }

    #[test]
    fn ids_differ_beyond_the_highest_rank() {
        assert!(id(&SystemEntropy, -1) < id(&SystemEntropy, 1), "before 1970 is the beginning");
        let edge = u64::from(u32::MAX);
        for (generation, counter) in [(1, edge), (1, edge + 1), ((1 << 22) - 1, 0), (1 << 22, 0)] {
            let entropy = SeededEntropy::new(7, generation, counter);
            assert_ne!(id(&entropy, 0), id(&entropy, 0), "{generation} {counter}");
        }
        let wrapped = |counter| id(&SeededEntropy::new(7, 1, counter), 0);
        assert!(wrapped(edge - 1) < wrapped(edge) && wrapped(edge + 1) < wrapped(edge));
        let reopened = |generation| id(&SeededEntropy::new(7, generation, 0), 0);
        assert!(reopened((1 << 22) - 1) > reopened(1 << 22));
    }

    #[test]
    fn the_system_gives_bytes() {
        let entropy: &dyn Entropy = &SystemEntropy;
        assert_ne!(entropy.uuid().unwrap(), entropy.uuid().unwrap());
    }
}
