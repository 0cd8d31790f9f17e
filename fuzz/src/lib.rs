//! The fuzz targets, and what they share: how an input is split into parts, the certificates of the vectors, and a walk
//! through a sandbox.

mod targets;
mod trust;
mod walk;

pub use targets::{check, TARGETS};

/// Splits an input at its first line breaks into `N` parts. The last one has the rest, line breaks included; an input
/// with fewer line breaks has empty parts at its end.
pub(crate) fn parts<const N: usize>(input: &[u8]) -> [&[u8]; N] {
    let mut rest = input.splitn(N, |byte| *byte == b'\n');
    std::array::from_fn(|_| rest.next().unwrap_or_default())
}

/// The texts of parts that are UTF-8; `None` if one is not.
pub(crate) fn texts<const N: usize>(input: &[u8]) -> Option<[&str; N]> {
    let parts: [&[u8]; N] = parts(input);
    let mut texts = [""; N];
    for (text, part) in texts.iter_mut().zip(parts) {
        *text = std::str::from_utf8(part).ok()?;
    }
    Some(texts)
}

/// Splits an input into chunks, each preceded by its length in two bytes, most significant first. The last chunk may be
/// cut short.
pub(crate) fn chunks(mut input: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, rest) = input.split_first_chunk::<2>()?;
        let length = usize::from(u16::from_be_bytes(*length)).min(rest.len());
        let (chunk, rest) = rest.split_at(length);
        input = rest;
        Some(chunk)
    })
}
