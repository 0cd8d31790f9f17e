//! The seeded generator of the corpus: splitmix64. The same seed gives the same requests in every process.

/// A sequence of pseudo-random numbers.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).unwrap()).unwrap()
    }

    /// True in one of `of` cases.
    pub(crate) fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    pub(crate) fn pick<'v, T: ?Sized>(&mut self, values: &[&'v T]) -> &'v T {
        values[self.below(values.len())]
    }

    pub(crate) fn choose<'v, T>(&mut self, values: &'v [T]) -> Option<&'v T> {
        match values.len() {
            0 => None,
            count => values.get(self.below(count)),
        }
    }

    pub(crate) fn uuid(&mut self) -> String {
        let bits = (u128::from(self.next()) << 64) | u128::from(self.next());
        uuid::Builder::from_u128(bits).with_version(uuid::Version::Random).into_uuid().to_string()
    }
}
