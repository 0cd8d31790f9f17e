//! Where a person was when they made a call.

use std::fmt::{self, Debug};

use rust_decimal::Decimal;

use crate::reason::Reason;

/// A degree is written with at most this many fraction digits: the sixth is a decimetre.
const FRACTION_DIGITS_MAX: usize = 15;

/// A position on earth in decimal degrees, as `PSU-Geo-Location` carries it: `GEO:59.9139,10.7522`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct GeoLocation {
    latitude: Decimal,
    longitude: Decimal,
}

impl GeoLocation {
    /// Reads `GEO:latitude,longitude`: plain decimals with an optional minus, within 90 and 180 degrees.
    ///
    /// # Errors
    /// [`Reason::HeaderNotGeoLocation`].
    pub fn parse(text: &str) -> Result<Self, Reason> {
        let read = || {
            let (latitude, longitude) = text.strip_prefix("GEO:")?.split_once(',')?;
            Some(Self { latitude: degrees(latitude, 90)?, longitude: degrees(longitude, 180)? })
        };
        read().ok_or(Reason::HeaderNotGeoLocation)
    }

    /// The position in the form of the header, for the bank.
    pub fn to_header(self) -> String {
        format!("GEO:{},{}", self.latitude, self.longitude)
    }
}

fn degrees(text: &str, most: u32) -> Option<Decimal> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let has_lengths = (1..=3).contains(&whole.len()) && (1..=FRACTION_DIGITS_MAX).contains(&fraction.len());
    let has_form =
        has_lengths && [whole, fraction].iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    let value: Decimal = has_form.then_some(text)?.parse().ok()?;
    (value.abs() <= Decimal::from(most)).then_some(value)
}

/// Log-safe: where a person was is theirs.
impl Debug for GeoLocation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("GeoLocation(…)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_read(text: &str) -> bool {
        GeoLocation::parse(text).is_ok()
    }

    #[test]
    fn a_position_is_read_and_written_alike() {
        for text in ["GEO:59.9139,10.7522", "GEO:-33.86,151.2", "GEO:0,0", "GEO:52.506931,-13.144558"] {
            assert_eq!(GeoLocation::parse(text).unwrap().to_header(), text);
        }
    }

    #[test]
    fn the_poles_and_the_date_line_pass_and_beyond_them_nothing_does() {
        assert!(is_read("GEO:90,180") && is_read("GEO:-90.000,-180.000"));
        for text in ["GEO:90.000001,0", "GEO:-91,0", "GEO:0,180.1", "GEO:0,-181", "GEO:0,999"] {
            assert!(!is_read(text), "{text}");
        }
    }

    #[test]
    fn another_spelling_is_refused() {
        let separators =
            ["", "GEO:", "GEO:1", "GEO:1;2", "GEO:1,2,3", "GEO: 1,2", "GEO:1, 2", "geo:1,2", "1,2"];
        let numbers = [
            "GEO:.5,1",
            "GEO:5.,1",
            "GEO:+5,1",
            "GEO:5e1,1",
            "GEO:--5,1",
            "GEO:0005,1",
            "GEO:1_0,1",
            "GEO:NaN,1",
        ];
        for text in separators.into_iter().chain(numbers) {
            assert!(!is_read(text), "{text}");
        }
    }

    #[test]
    fn a_position_without_end_is_refused() {
        assert!(is_read(&format!("GEO:1.{},1", "1".repeat(15))));
        assert!(!is_read(&format!("GEO:1.{},1", "1".repeat(16))));
    }

    #[test]
    fn debug_does_not_show_the_place() {
        assert_eq!(format!("{:?}", GeoLocation::parse("GEO:59.9139,10.7522").unwrap()), "GeoLocation(…)");
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "(GEO:)?\\PC{0,30}") {
            let _ = GeoLocation::parse(&text);
        }
    }
}
