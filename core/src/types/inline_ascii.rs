//! A short ASCII text kept in place, so that the identifiers of a payment are read without allocating.

/// At most `MAX` ASCII bytes; unused bytes are zero, so that equality and order are those of the text.
///
/// Aligned as machine words are, by which the standard library looks for what is not UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(align(8))]
pub(super) struct InlineAscii<const MAX: usize> {
    bytes: [u8; MAX],
    length: u8,
}

impl<const MAX: usize> InlineAscii<MAX> {
    /// The bytes in their order; `None` where they are more than `MAX` or one is not ASCII. Stops at the
    /// first byte that does not fit, however many follow.
    pub(super) fn collect(bytes: impl IntoIterator<Item = u8>) -> Option<Self> {
        const { assert!(MAX <= u8::MAX as usize) };
        let mut text = Self::default();
        for byte in bytes {
            let place = text.bytes.get_mut(usize::from(text.length))?;
            if !byte.is_ascii() {
                return None;
            }
            *place = byte;
            text.length += 1;
        }
        Some(text)
    }

    /// The text; `None` where it is longer than `MAX` or not ASCII.
    pub(super) fn copy(text: &str) -> Option<Self> {
        const { assert!(MAX <= u8::MAX as usize) };
        let mut bytes = [0; MAX];
        bytes.get_mut(..text.len()).filter(|_| text.is_ascii())?.copy_from_slice(text.as_bytes());
        Some(Self { bytes, length: u8::try_from(text.len()).ok()? })
    }

    /// Adds more text behind; `None`, and nothing added, where both are longer than `MAX` or one is not ASCII.
    pub(super) fn append(&mut self, text: &str) -> Option<()> {
        let length = usize::from(self.length);
        let to = length.checked_add(text.len())?;
        self.bytes.get_mut(length..to).filter(|_| text.is_ascii())?.copy_from_slice(text.as_bytes());
        self.length = u8::try_from(to).ok()?;
        Some(())
    }

    /// The text's bytes.
    pub(super) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.length)).unwrap_or_default()
    }

    /// The text.
    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

impl<const MAX: usize> Default for InlineAscii<MAX> {
    fn default() -> Self {
        Self { bytes: [0; MAX], length: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_max_bytes_fit_and_one_more_does_not() {
        assert_eq!(InlineAscii::<3>::collect(*b"abc").unwrap().as_str(), "abc");
        assert!(InlineAscii::<3>::collect(*b"abcd").is_none());
        assert_eq!(InlineAscii::<3>::collect([]).unwrap().as_str(), "");
        assert!(InlineAscii::<3>::copy("abc") == InlineAscii::collect(*b"abc"));
        assert!(InlineAscii::<3>::copy("abcd").is_none());
        assert!(InlineAscii::<3>::copy("") == Some(InlineAscii::default()));
    }

    #[test]
    fn what_does_not_fit_behind_is_not_added() {
        let mut text = InlineAscii::<3>::copy("a").unwrap();
        assert!(text.append("é").is_none() && text.append("bcd").is_none());
        assert_eq!(text.as_str(), "a");
        assert!(text.append("").is_some() && text.append("bc").is_some());
        assert!(text == InlineAscii::copy("abc").unwrap());
        assert!(text.append("d").is_none());
    }

    #[test]
    fn a_byte_outside_ascii_is_refused() {
        assert!(InlineAscii::<9>::collect("é".bytes()).is_none());
        assert!(InlineAscii::<9>::copy("é").is_none());
        assert!(InlineAscii::<9>::collect([0x7F]).is_some());
    }

    #[test]
    fn the_order_is_that_of_the_text() {
        let of = |text: &str| InlineAscii::<4>::collect(text.bytes()).unwrap();
        assert!(of("B") > of("AAA"));
        assert!(of("AA") > of("A"));
    }
}
