//! The form of each country's number within an IBAN.

/// The IBAN registry (SWIFT, release 101, after ISO 13616): country and the structure of its BBAN, in the
/// registry's notation: a length, `!` for "exactly", and `n` digits, `a` upper-case letters or `c` either.
/// BR is as published since: bank codes have letters from 2026 on.
/// Territories that use their motherland's code (AX, GG, GP, …) have no row.
#[rustfmt::skip] // a table
const STRUCTURES: &[(&str, &str)] = &[
    ("AD", "4!n4!n12!c"), ("AE", "3!n16!n"), ("AL", "8!n16!c"), ("AT", "5!n11!n"), ("AZ", "4!a20!c"),
    ("BA", "3!n3!n8!n2!n"), ("BE", "3!n7!n2!n"), ("BG", "4!a4!n2!n8!c"), ("BH", "4!a14!c"),
    ("BI", "5!n5!n11!n2!n"), ("BR", "8!c5!n10!n1!c1!c"), ("BY", "4!c4!n16!c"), ("CH", "5!n12!c"),
    ("CR", "4!n14!n"), ("CY", "3!n5!n16!c"), ("CZ", "4!n16!n"), ("DE", "8!n10!n"),
    ("DJ", "5!n5!n11!n2!n"), ("DK", "4!n9!n1!n"), ("DO", "4!c20!n"), ("EE", "2!n14!n"),
    ("EG", "4!n4!n17!n"), ("ES", "4!n4!n1!n1!n10!n"), ("FI", "3!n11!n"), ("FK", "2!a12!n"),
    ("FO", "4!n9!n1!n"), ("FR", "5!n5!n11!c2!n"), ("GB", "4!a6!n8!n"), ("GE", "2!a16!n"),
    ("GI", "4!a15!c"), ("GL", "4!n9!n1!n"), ("GR", "3!n4!n16!c"), ("GT", "4!c20!c"), ("HN", "4!a20!n"),
    ("HR", "7!n10!n"), ("HU", "3!n4!n1!n15!n1!n"), ("IE", "4!a6!n8!n"), ("IL", "3!n3!n13!n"),
    ("IQ", "4!a3!n12!n"), ("IS", "4!n2!n6!n10!n"), ("IT", "1!a5!n5!n12!c"), ("JO", "4!a4!n18!c"),
    ("KW", "4!a22!c"), ("KZ", "3!n13!c"), ("LB", "4!n20!c"), ("LC", "4!a24!c"), ("LI", "5!n12!c"),
    ("LT", "5!n11!n"), ("LU", "3!n13!c"), ("LV", "4!a13!c"), ("LY", "3!n3!n15!n"),
    ("MC", "5!n5!n11!c2!n"), ("MD", "2!c18!c"), ("ME", "3!n13!n2!n"), ("MK", "3!n10!c2!n"),
    ("MN", "4!n12!n"), ("MR", "5!n5!n11!n2!n"), ("MT", "4!a5!n18!c"), ("MU", "4!a2!n2!n12!n3!n3!a"),
    ("NI", "4!a20!n"), ("NL", "4!a10!n"), ("NO", "4!n6!n1!n"), ("OM", "3!n16!c"), ("PK", "4!a16!c"),
    ("PL", "8!n16!n"), ("PS", "4!a21!c"), ("PT", "4!n4!n11!n2!n"), ("QA", "4!a21!c"),
    ("RO", "4!a16!c"), ("RS", "3!n13!n2!n"), ("RU", "9!n5!n15!c"), ("SA", "2!n18!c"),
    ("SC", "4!a2!n2!n16!n3!a"), ("SD", "2!n12!n"), ("SE", "3!n16!n1!n"), ("SI", "5!n8!n2!n"),
    ("SK", "4!n6!n10!n"), ("SM", "1!a5!n5!n12!c"), ("SO", "4!n3!n12!n"), ("ST", "4!n4!n11!n2!n"),
    ("SV", "4!a20!n"), ("TL", "3!n14!n2!n"), ("TN", "2!n3!n13!n2!n"), ("TR", "5!n1!n16!c"),
    ("UA", "6!n19!c"), ("VA", "3!n15!n"), ("VG", "4!a16!n"), ("XK", "4!n10!n2!n"),
    ("YE", "4!a4!n18!c"),
];

/// Whether a country, two upper-case letters, has IBANs and its number may look like this.
pub(super) fn admits(country: &str, number: &str) -> bool {
    STRUCTURES
        .binary_search_by(|(row, _)| row.cmp(&country))
        .ok()
        .and_then(|place| STRUCTURES.get(place))
        .is_some_and(|(_, structure)| conforms(structure, number.as_bytes()))
}

fn conforms(structure: &str, number: &[u8]) -> bool {
    let mut rest = number;
    for segment in structure.split_inclusive(['n', 'a', 'c']) {
        let Some((length, kind)) = segment.split_once('!') else { return false };
        let Some((part, others)) = length.parse().ok().and_then(|length| rest.split_at_checked(length))
        else {
            return false;
        };
        if !part.iter().all(|byte| is_of(kind, *byte)) {
            return false;
        }
        rest = others;
    }
    rest.is_empty()
}

fn is_of(kind: &str, byte: u8) -> bool {
    match kind {
        "n" => byte.is_ascii_digit(),
        "a" => byte.is_ascii_uppercase(),
        _ => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::IBAN_CHARS_MAX;

    #[test]
    fn the_table_is_ascending() {
        assert!(STRUCTURES.is_sorted_by(|(a, _), (b, _)| a < b));
    }

    #[test]
    fn every_structure_is_well_formed_and_fits_an_iban() {
        for (country, structure) in STRUCTURES {
            let lengths = structure.split_inclusive(['n', 'a', 'c']).map(|segment| {
                let (length, kind) = segment.split_once('!').unwrap();
                assert!(["n", "a", "c"].contains(&kind), "{country}");
                length.parse::<usize>().unwrap()
            });
            assert!(4 + lengths.sum::<usize>() <= IBAN_CHARS_MAX, "{country}");
        }
    }

    #[test]
    fn one_character_more_less_or_of_another_kind_is_refused() {
        assert!(admits("GB", "WEST12345698765432"));
        for number in ["WEST1234569876543", "WEST123456987654321", "WES112345698765432", "WEST1234569876543A"]
        {
            assert!(!admits("GB", number), "{number}");
        }
        assert!(!admits("GG", "WEST12345698765432"));
        assert!(!admits("", ""));
    }
}
