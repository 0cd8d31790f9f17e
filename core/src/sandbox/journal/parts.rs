//! Texts and bytes in one piece of memory, one behind the other, each behind its length.

/// The length of a part that is kept elsewhere.
const ELSEWHERE: u32 = u32::MAX;
/// Of a longer part the beginning is kept. No journal holds so much.
const PART_BYTES_MAX: usize = ELSEWHERE as usize - 1;

/// What was pushed, in that order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parts(Vec<u8>);

impl Parts {
    /// None yet, with capacity for so many parts of so many bytes in all.
    pub(super) fn with_capacity(parts: usize, bytes: usize) -> Self {
        Self(Vec::with_capacity(parts * size_of::<u32>() + bytes))
    }

    pub(super) fn push(&mut self, part: &[u8]) {
        let part = part.get(..PART_BYTES_MAX).unwrap_or(part);
        self.push_number(u32::try_from(part.len()).unwrap_or_default());
        self.0.extend_from_slice(part);
    }

    /// Notes that there is a part, and that it is kept elsewhere.
    pub(super) fn push_elsewhere(&mut self) {
        self.push_number(ELSEWHERE);
    }

    fn push_number(&mut self, number: u32) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub(super) fn reader(&self) -> PartsReader<'_> {
        PartsReader(&self.0)
    }

    /// Their size in bytes.
    pub(super) fn weight(&self) -> usize {
        self.0.capacity()
    }

    /// How many bytes are used.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.0.len()
    }
}

/// Reads what was pushed, in that order; behind the last there are empty parts.
pub(super) struct PartsReader<'p>(&'p [u8]);

impl<'p> PartsReader<'p> {
    /// The next part; `None` where it is kept elsewhere.
    pub(super) fn part(&mut self) -> Option<&'p [u8]> {
        let (length, rest) = self.0.split_first_chunk().unwrap_or((&[0; 4], &[]));
        let length = u32::from_le_bytes(*length);
        let kept = (length != ELSEWHERE).then_some(length).and_then(|length| usize::try_from(length).ok());
        let (part, rest) = rest.split_at_checked(kept.unwrap_or_default()).unwrap_or_default();
        self.0 = rest;
        kept.map(|_| part)
    }

    /// The next part, which is kept here and was pushed as text.
    pub(super) fn text(&mut self) -> String {
        std::str::from_utf8(self.part().unwrap_or_default()).unwrap_or_default().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_in_their_order() {
        let mut parts = Parts::with_capacity(4, 300);
        let long = [7; 300];
        parts.push(b"");
        parts.push("blåbær".as_bytes());
        parts.push_elsewhere();
        parts.push(&long);
        let mut reader = parts.reader();
        assert_eq!((reader.part(), reader.text().as_str()), (Some(&b""[..]), "blåbær"));
        assert_eq!((reader.part(), reader.part()), (None, Some(&long[..])));
        assert_eq!((reader.part(), reader.text().as_str()), (Some(&b""[..]), ""), "behind the last");
    }

    #[test]
    fn memory_is_taken_once() {
        let mut parts = Parts::with_capacity(3, 11);
        let bytes_held = parts.weight();
        assert!(bytes_held >= 23);
        parts.push(b"hello ");
        parts.push_elsewhere();
        parts.push(b"world");
        assert_eq!(parts.weight(), bytes_held);
    }
}
