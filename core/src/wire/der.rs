//! The few pieces of DER (ITU-T X.690) that are read by hand: certificate statements whose nesting is wrong
//! in the field, `#hex` values of distinguished names, the outer shell of keys. Whole certificates are
//! read by `x509-parser`.

/// Tag of a BIT STRING.
pub const BIT_STRING: u8 = 0x03;
/// Tag of an INTEGER.
pub const INTEGER: u8 = 0x02;
/// Tag of an OBJECT IDENTIFIER.
pub const OBJECT_IDENTIFIER: u8 = 0x06;
/// Tag of a UTF8String.
pub const UTF8_STRING: u8 = 0x0c;
/// Tag of a SEQUENCE.
pub const SEQUENCE: u8 = 0x30;
/// The bit that says an element holds elements.
pub const CONSTRUCTED: u8 = 0x20;

/// One element: a one-byte tag, and the bytes inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element<'a> {
    /// The identifier octet, class and constructed bit included.
    pub tag: u8,
    /// What the length covers.
    pub content: &'a [u8],
}

/// Reads the first element and gives what follows it. `None` for anything but a one-byte tag with a definite
/// length that fits the input and has no byte too many (X.690 section 10.1): one element has one encoding.
pub fn read(input: &[u8]) -> Option<(Element<'_>, &[u8])> {
    read_with(input, |digits| !matches!(digits, [0, ..] | [0..=0x7f]))
}

/// As [`read`], with lengths as long as they like. For statements of certificates: whoever certified signed them.
pub fn read_loose(input: &[u8]) -> Option<(Element<'_>, &[u8])> {
    read_with(input, |_| true)
}

fn read_with(input: &[u8], is_length: fn(&[u8]) -> bool) -> Option<(Element<'_>, &[u8])> {
    let (&tag, rest) = input.split_first()?;
    if tag & 0x1f == 0x1f {
        return None;
    }
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = if first < 0x80 {
        (usize::from(first), rest)
    } else {
        let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
        if digits.is_empty() || digits.len() > 4 || !is_length(digits) {
            return None;
        }
        (digits.iter().fold(0usize, |length, &digit| length << 8 | usize::from(digit)), rest)
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((Element { tag, content }, rest))
}

/// Reads an element that must fill the whole input.
pub fn read_all(input: &[u8]) -> Option<Element<'_>> {
    read(input).and_then(|(element, rest)| rest.is_empty().then_some(element))
}

/// Reads an element of the given tag and gives its content and what follows.
pub fn read_tagged(input: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    read(input).filter(|(element, _)| element.tag == tag).map(|(element, rest)| (element.content, rest))
}

/// As [`read_tagged`], by [`read_loose`].
pub fn read_tagged_loose(input: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    read_loose(input).filter(|(element, _)| element.tag == tag).map(|(element, rest)| (element.content, rest))
}

/// The elements one after the other, by [`read_loose`], up to the first that cannot be read.
pub fn elements(input: &[u8]) -> impl Iterator<Item = Element<'_>> {
    let mut rest = input;
    std::iter::from_fn(move || {
        let (element, after) = read_loose(rest)?;
        rest = after;
        Some(element)
    })
}

/// An element of the given tag around the given parts.
pub fn encode(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut out = Vec::with_capacity(length + 6);
    out.push(tag);
    match u8::try_from(length) {
        Ok(short @ 0..=0x7f) => out.push(short),
        _ => {
            let digits = length.to_be_bytes();
            let digits = digits.iter().copied().skip_while(|&digit| digit == 0).collect::<Vec<u8>>();
            out.push(0x80 | u8::try_from(digits.len()).unwrap_or_default());
            out.extend(digits);
        }
    }
    parts.iter().for_each(|part| out.extend_from_slice(part));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_encoded_is_read_back(content in proptest::collection::vec(any::<u8>(), 0..70_000)) {
            let der = encode(SEQUENCE, &[&content]);
            prop_assert_eq!(read_all(&der), Some(Element { tag: SEQUENCE, content: &content }));
        }

        #[test]
        fn no_input_panics(input in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = elements(&input).count();
        }
    }

    #[test]
    fn a_length_beyond_the_input_is_refused() {
        assert!(read(&[SEQUENCE, 2, 0]).is_none());
        assert!(read(&[SEQUENCE, 0x84, 0xff, 0xff, 0xff, 0xff, 0]).is_none());
        assert!(read(&[SEQUENCE, 0x80, 0, 0]).is_none(), "the indefinite length of BER");
    }

    #[test]
    fn a_length_with_a_byte_too_many_is_refused() {
        let length_of = |length: &[u8]| {
            let input = [&[SEQUENCE], length, &[0; 1 << 16]].concat();
            read(&input).map(|(element, _)| element.content.len())
        };
        for (short, long) in [
            (&[0x7f][..], &[0x81, 0x7f][..]),
            (&[0x81, 0x80], &[0x82, 0, 0x80]),
            (&[0x81, 0xff], &[0x82, 0, 0xff]),
            (&[0x82, 1, 0], &[0x83, 0, 1, 0]),
            (&[0x83, 1, 0, 0], &[0x84, 0, 1, 0, 0]),
            (&[0], &[0x81, 0]),
        ] {
            assert!(length_of(short).is_some(), "{short:02x?}");
            assert_eq!(length_of(long), None, "{long:02x?}");
            let loose = [&[SEQUENCE], long, &[0; 1 << 16]].concat();
            assert_eq!(read_loose(&loose).map(|(element, _)| element.content.len()), length_of(short));
        }
        assert_eq!(length_of(&[0x85, 0, 0, 0, 0, 1]), None);
    }
}
