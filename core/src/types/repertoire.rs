//! Which characters the bank's systems downstream can carry.

use super::visible::{first_hidden, is_hidden};

/// A repertoire of characters; policy `repertoire` chooses one.
///
/// None of them holds a control character, CR, LF and TAB included: a payment message is one line, and a
/// line break in it would forge one in a statement. None holds a hidden character ([`is_hidden`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Repertoire {
    /// ISO-8859-1: Western European letters. The no-break space and the soft hyphen are hidden. The default.
    #[default]
    Latin1,
    /// The SWIFT character set X: ASCII letters and digits, space and `/-?:().,'+`.
    SwiftX,
    /// The Unicode Basic Multilingual Plane. Joiners are carried within words ([`first_outside`]).
    Bmp,
}

impl Repertoire {
    /// Whether the character can be carried.
    pub fn carries(self, character: char) -> bool {
        match self {
            Self::Latin1 => matches!(character, ' '..='~' | '\u{A1}'..='\u{AC}' | '\u{AE}'..='\u{FF}'),
            Self::SwiftX => character.is_ascii_alphanumeric() || " /-?:().,'+".contains(character),
            Self::Bmp => character <= '\u{FFFF}' && (!is_hidden(character) || is_joiner(character)),
        }
    }
}

fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200C}' | '\u{200D}')
}

/// The first character that cannot be carried, and its position, counted in characters from 1. A joiner is carried
/// within a word of a script that is written with joiners. A text that is read back has no repertoire: the one that it
/// was read by may be another today, but none ever carried a control character, nor one beyond the first plane.
pub fn first_outside(repertoire: impl Into<Option<Repertoire>>, text: &str) -> Option<(usize, char)> {
    let repertoire = repertoire.into();
    let is_carried = |character: char| match repertoire {
        Some(repertoire) => repertoire.carries(character),
        None => character <= '\u{FFFF}' && !character.is_control(),
    };
    let outside = (1..).zip(text.chars()).find(|(_, character)| !is_carried(*character));
    match repertoire {
        Some(Repertoire::Bmp) => [outside, first_hidden(text)].into_iter().flatten().min(),
        _ => outside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many characters of the first plane and beyond a repertoire carries.
    fn size(repertoire: Repertoire) -> usize {
        (char::MIN..=char::MAX).filter(|character| repertoire.carries(*character)).count()
    }

    #[test]
    fn latin_1_has_its_189_visible_characters() {
        assert_eq!(size(Repertoire::Latin1), 95 + 94);
        for character in '\u{A0}'..='\u{FF}' {
            assert_eq!(Repertoire::Latin1.carries(character), !is_hidden(character), "{character:?}");
        }
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
    fn marks_that_turn_direction_or_show_nothing_are_not_carried() {
        for mark in
            ['\u{61C}', '\u{200E}', '\u{200F}', '\u{202E}', '\u{2066}', '\u{2069}', '\u{2028}', '\u{2029}']
        {
            assert!(!Repertoire::Bmp.carries(mark), "{mark:?}");
        }
        for mark in
            ['\u{200B}', '\u{2060}', '\u{206F}', '\u{FEFF}', '\u{FFFE}', '\u{FFFF}', '\u{FDD0}', '\u{3164}']
        {
            assert!(!Repertoire::Bmp.carries(mark), "{mark:?}");
        }
    }

    #[test]
    fn what_a_script_needs_is_carried() {
        // Persian and Sinhala are not spelt right without the non-joiner and the joiner.
        assert_eq!(first_outside(Repertoire::Bmp, "می\u{200C}خواهم ශ්\u{200D}රී"), None);
        assert_eq!(first_outside(Repertoire::Bmp, "K\u{200D}ari 😀"), Some((2, '\u{200D}')));
        assert_eq!(first_outside(Repertoire::Bmp, "😀 K\u{200D}ari"), Some((1, '😀')));
        for neighbour in ['\u{61B}', '\u{61D}', '\u{2010}', '\u{2027}', '\u{2030}', '\u{2070}'] {
            assert!(Repertoire::Bmp.carries(neighbour), "{neighbour:?}");
        }
    }
}
