//! Which characters the bank's systems downstream can carry.

/// A repertoire of characters; policy `repertoire` chooses one.
///
/// None of them holds a control character, CR, LF and TAB included: a payment message is one line, and a
/// line break in it would forge one in a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Repertoire {
    /// ISO-8859-1: Western European letters. The default.
    #[default]
    Latin1,
    /// The SWIFT character set X: ASCII letters and digits, space and `/-?:().,'+`.
    SwiftX,
    /// The Unicode Basic Multilingual Plane, less what is no text: noncharacters, line and paragraph
    /// separators, and the marks that turn the direction of what follows (they can dress up a payee's name).
    Bmp,
}

impl Repertoire {
    /// Whether the character can be carried.
    pub fn carries(self, character: char) -> bool {
        match self {
            Self::Latin1 => matches!(character, ' '..='~' | '\u{A0}'..='\u{FF}'),
            Self::SwiftX => character.is_ascii_alphanumeric() || " /-?:().,'+".contains(character),
            Self::Bmp => character <= '\u{FFFF}' && !character.is_control() && !is_no_text(character),
        }
    }
}

fn is_no_text(character: char) -> bool {
    matches!(character,
        '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FDD0}'..='\u{FDEF}' | '\u{FFFE}' | '\u{FFFF}')
}

/// The first character that cannot be carried, and its position, counted in characters from 1.
pub fn first_outside(repertoire: Repertoire, text: &str) -> Option<(usize, char)> {
    (1..).zip(text.chars()).find(|(_, character)| !repertoire.carries(*character))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many characters of the first plane and beyond a repertoire carries.
    fn size(repertoire: Repertoire) -> usize {
        (char::MIN..=char::MAX).filter(|character| repertoire.carries(*character)).count()
    }

    #[test]
    fn latin_1_has_its_191_printable_characters() {
        assert_eq!(size(Repertoire::Latin1), 95 + 96);
        assert_eq!(first_outside(Repertoire::Latin1, "Blåbær à la ÿ"), None);
        assert_eq!(first_outside(Repertoire::Latin1, "kr 5 = €"), Some((8, '€')));
    }

    #[test]
    fn swift_x_has_its_73_characters() {
        assert_eq!(size(Repertoire::SwiftX), 26 + 26 + 10 + 11);
        assert_eq!(first_outside(Repertoire::SwiftX, "RE: 1/2 (3) + 4, '5'?-."), None);
        for (text, character) in [("a_", '_'), ("a{", '{'), ("aå", 'å'), ("a&", '&')] {
            assert_eq!(first_outside(Repertoire::SwiftX, text), Some((2, character)));
        }
    }

    #[test]
    fn the_first_plane_ends_before_emoji() {
        assert_eq!(first_outside(Repertoire::Bmp, "Łódź Ωmega 日本"), None);
        assert_eq!(first_outside(Repertoire::Bmp, "hei 😀"), Some((5, '😀')));
        assert!(Repertoire::Bmp.carries('\u{FFFD}') && !Repertoire::Bmp.carries('\u{10000}'));
    }

    #[test]
    fn control_characters_are_carried_by_none() {
        for repertoire in [Repertoire::Latin1, Repertoire::SwiftX, Repertoire::Bmp] {
            for control in ('\0'..='\u{1F}').chain('\u{7F}'..='\u{9F}') {
                assert!(!repertoire.carries(control), "{repertoire:?} {control:?}");
            }
            assert!(repertoire.carries(' '));
        }
    }

    #[test]
    fn marks_that_turn_direction_are_not_carried() {
        for mark in ['\u{202E}', '\u{2066}', '\u{2028}', '\u{FFFE}', '\u{FDD0}'] {
            assert!(!Repertoire::Bmp.carries(mark), "{mark:?}");
        }
    }
}
