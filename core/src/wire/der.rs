//! The few pieces of DER (ITU-T X.690) that are read by hand: certificate statements whose nesting is wrong
//! in the field, `#hex` values of distinguished names, the outer shell of keys. Whole certificates are
//! read by `x509-parser`.

/// Tag of a BIT STRING.
pub const BIT_STRING: u8 = 0x03;
/// Tag of an INTEGER.
pub const INTEGER: u8 = 0x02;
/// Tag of an OCTET STRING.
pub const OCTET_STRING: u8 = 0x04;
/// Tag of an OBJECT IDENTIFIER.
pub const OBJECT_IDENTIFIER: u8 = 0x06;
/// Tag of a UTF8String.
pub const UTF8_STRING: u8 = 0x0c;
/// Tag of a SEQUENCE.
pub const SEQUENCE: u8 = 0x30;
/// Tag of a SET.
pub const SET: u8 = 0x31;
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

/// As [`read`], but with lengths in non-minimal form. For statements of certificates, because the issuer has signed
/// these bytes.
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

/// As [`elements`], with `None` at the end where something cannot be read.
pub fn each(input: &[u8]) -> impl Iterator<Item = Option<Element<'_>>> {
    let mut rest = input;
    std::iter::from_fn(move || {
        (!rest.is_empty()).then(|| {
            let (element, after) =
                read_loose(rest).map_or((None, &[][..]), |(element, after)| (Some(element), after));
            rest = after;
            element
        })
    })
}

/// The content of an OBJECT IDENTIFIER as numbers with dots between (X.690 section 8.19). `None` where it is none: a
/// number that is cut off, has a byte too many, or more than 128 bits.
pub fn dotted(content: &[u8]) -> Option<String> {
    let mut numbers = content.split_inclusive(|byte| byte & 0x80 == 0).map(base_128);
    // The first two are written as one.
    let (first, second) = match numbers.next()?? {
        both @ 0..40 => (0, both),
        both @ 40..80 => (1, both - 40),
        both => (2, both - 80),
    };
    let mut text = format!("{first}.{second}");
    for number in numbers {
        text.push('.');
        text.push_str(&number?.to_string());
    }
    Some(text)
}

/// A number of seven bits a byte, of which the last alone lacks the eighth.
fn base_128(digits: &[u8]) -> Option<u128> {
    let (last, before) = digits.split_last()?;
    let is_whole = last & 0x80 == 0 && digits.first() != Some(&0x80);
    let number = |number: u128, digit: &u8| Some(number.checked_mul(0x80)? | u128::from(digit & 0x7f));
    before.iter().chain([last]).try_fold(0, number).filter(|_| is_whole)
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
    fn an_identifier_is_numbers_with_dots() {
        let uuid =
            [&[0x69][..], &[0x83, 0xf0, 0x9d, 0xa7, 0xeb, 0xcf, 0xde, 0xe0, 0xc7, 0xa1, 0xa7]].concat();
        let uuid = [&uuid[..], &[0xb2, 0xc0, 0x94, 0x8c, 0xc8, 0xf9, 0xd7, 0x76]].concat();
        for (content, text) in [
            (&[0x55, 4, 97][..], Some("2.5.4.97")),
            (&[0x27], Some("0.39")),
            (&[0x28], Some("1.0")),
            (&[0x4f], Some("1.39")),
            (&[0x50], Some("2.0")),
            (&[0x78, 1], Some("2.40.1")),
            (&[0x88, 0x37, 1], Some("2.999.1")),
            (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11], Some("1.2.840.113549.1.1.11")),
            (&uuid, Some("2.25.329800735698586629295641978511506172918")),
            (&[], None),
            (&[0x55, 0x84], None),
            (&[0x55, 0x80, 4, 3], None),
            (&[0x80, 1], None),
        ] {
            assert_eq!(dotted(content).as_deref(), text, "{content:02x?}");
        }
        let widest = |first: u8| [&[0x69, first][..], &[0xff; 17], &[0x7f]].concat();
        assert_eq!(dotted(&widest(0x83)), Some(format!("2.25.{}", u128::MAX)));
        assert_eq!(dotted(&widest(0x84)), None);
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
