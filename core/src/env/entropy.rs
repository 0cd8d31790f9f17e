//! Randomness: the system's for production, a seeded stream for reproducible sandboxes.

use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, Utc};

use crate::crypto::sha256;
use crate::error::{Error, Result};
use crate::types::{put_rank, ID_BYTES};

/// Where an engine takes its randomness from.
pub trait Entropy: Send + Sync {
    /// Fills the buffer with unpredictable bytes.
    ///
    /// # Errors
    /// [`Error::Internal`] where the system has none to give.
    fn fill(&self, out: &mut [u8]) -> Result<()>;

    /// What the ids made now are sorted by: the time, in microseconds since 1970.
    fn rank(&self, now: DateTime<Utc>) -> u64 {
        u64::try_from(now.timestamp_micros()).unwrap_or_default()
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

    /// The bytes of a new resource id, which sorts behind those made before.
    ///
    /// # Errors
    /// As [`Entropy::fill`].
    pub fn id_bytes(&self, now: DateTime<Utc>) -> Result<[u8; ID_BYTES]> {
        let rank = self.rank(now);
        let mut bytes = self.bytes()?;
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
/// For sandboxes only: who knows the seed knows every id.
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

    /// Where it stands, to go on from later.
    pub fn position(&self) -> Position {
        Position {
            seed: self.seed.load(Ordering::Acquire),
            generation: self.generation.load(Ordering::Acquire),
            counter: self.counter.load(Ordering::Acquire),
        }
    }

    /// Goes on from an earlier place: only restoring a snapshot does that.
    pub(crate) fn restore(&self, position: Position) {
        self.seed.store(position.seed, Ordering::Release);
        self.generation.store(position.generation, Ordering::Release);
        self.counter.store(position.counter, Ordering::Release);
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, out: &mut [u8]) -> Result<()> {
        let Position { seed, generation, .. } = self.position();
        for chunk in out.chunks_mut(32) {
            let mut block = [0; 44];
            let counter = self.counter.fetch_add(1, Ordering::AcqRel);
            let label = b"xs2a sandbox entropy".iter().copied();
            let numbers = [seed, generation, counter].into_iter().flat_map(u64::to_be_bytes);
            block.iter_mut().zip(label.chain(numbers)).for_each(|(to, from)| *to = from);
            chunk.iter_mut().zip(sha256(&block)).for_each(|(to, from)| *to = from);
        }
        Ok(())
    }

    /// Its place in the stream, so that the same calls at another time make the same ids.
    fn rank(&self, _now: DateTime<Utc>) -> u64 {
        let Position { generation, counter, .. } = self.position();
        generation << u32::BITS | counter & u64::from(u32::MAX)
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
    fn ids_of_a_stream_sort_by_their_place_in_it_whatever_the_time() {
        let (first, second) = (SeededEntropy::new(7, 1, 0), SeededEntropy::new(7, 2, 0));
        let ids: Vec<String> = (0..100).map(|number| id(&first, 1_000_000 - number)).collect();
        assert!(ids.is_sorted(), "{ids:?}");
        assert!(ids[99] < id(&second, 0), "a file that was opened again goes on behind");
        assert_eq!(id(&SeededEntropy::new(7, 1, 0), 5), ids[0]);
    }

    #[test]
    fn the_system_gives_bytes() {
        let entropy: &dyn Entropy = &SystemEntropy;
        assert_ne!(entropy.uuid().unwrap(), entropy.uuid().unwrap());
    }
}
