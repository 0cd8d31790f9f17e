//! Identifiers of people in logs: recognisable for a reader who knows them, useless for any other.

use std::fmt::{self, Debug, Display};

/// How many characters at the end stay readable.
const SHOWN_CHARS: usize = 4;
/// Shorter texts show nothing: four of seven characters would be most of it.
const SHOWN_FROM_CHARS: usize = 8;

/// Prints `…1959` for `91351631959`, and `…` alone for anything shorter than eight characters.
#[derive(Clone, Copy)]
pub struct Masked<'a>(pub &'a str);

impl Display for Masked<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("…")?;
        if self.0.chars().nth(SHOWN_FROM_CHARS - 1).is_none() {
            return Ok(());
        }
        let tail = self.0.char_indices().rev().nth(SHOWN_CHARS - 1).map_or(0, |(start, _)| start);
        out.write_str(self.0.get(tail..).unwrap_or_default())
    }
}

impl Debug for Masked<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_four_characters_show_from_eight_on() {
        assert_eq!(Masked("12345678").to_string(), "…5678");
        assert_eq!(Masked("1234567").to_string(), "…");
        assert_eq!(Masked("").to_string(), "…");
        assert_eq!(Masked("ææææøøøø").to_string(), "…øøøø");
    }
}
