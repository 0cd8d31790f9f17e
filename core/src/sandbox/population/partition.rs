//! A part of a population.

use std::ops::Range;

#[cfg(any(test, feature = "arrow"))]
use crate::error::{Error, Result};

/// One of several parts of a population, which are generated independently of each other. Together they are the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Partition {
    number: u64,
    of: u64,
}

/// All of it.
impl Default for Partition {
    fn default() -> Self {
        Self { number: 0, of: 1 }
    }
}

impl Partition {
    /// The part of that number, counted from 0, of so many. A sandbox adds the whole; its tables alone come in parts.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a number that is not below `of`.
    #[cfg(any(test, feature = "arrow"))]
    pub(crate) fn new(number: u64, of: u64) -> Result<Self> {
        if number < of {
            return Ok(Self { number, of });
        }
        Err(Error::Misuse(format!("partition {number} of {of}: a number from 0 to `of` less one is meant")))
    }

    /// Whether it is all of the population.
    #[cfg(feature = "arrow")]
    pub(crate) fn is_whole(self) -> bool {
        self.of == 1
    }

    /// Which of so many things are in it. Parts follow each other.
    pub(super) fn range(self, count: u64) -> Range<u64> {
        let until = |parts: u64| {
            let until = u128::from(count) * u128::from(parts) / u128::from(self.of);
            u64::try_from(until).unwrap_or(count)
        };
        until(self.number)..until(self.number + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_parts_is_the_whole() {
        for count in [0, 1, 7, 2_500] {
            for of in [1, 2, 3, 8, 2_501, u64::MAX] {
                let parts =
                    [0, 1, 2, of / 2, of - 1].map(|number| Partition::new(number.min(of - 1), of).unwrap());
                assert_eq!((parts[0].range(count).start, parts[4].range(count).end), (0, count));
                if of < 3_000 {
                    let all = (0..of).flat_map(|number| Partition::new(number, of).unwrap().range(count));
                    assert!(all.eq(0..count), "{count} in {of}");
                }
            }
        }
    }

    #[test]
    fn a_part_beyond_the_last_is_refused() {
        assert!(Partition::new(7, 8).is_ok());
        for (number, of) in [(8, 8), (0, 0), (1, 1)] {
            let refused = Partition::new(number, of).unwrap_err();
            assert!(matches!(refused, Error::Misuse(text) if text.contains(&format!("{number} of {of}"))));
        }
    }
}
