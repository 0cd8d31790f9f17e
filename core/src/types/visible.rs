//! Which characters a person sees: a payee's name that cannot be seen, or that differs from another by nothing that can
//! be seen, misleads the PSU who approves a payment to it.

use std::sync::{Arc, LazyLock};

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind};

use crate::limits::TPP_NAME_CHARS_MAX;

/// Characters that show nothing or change the direction of their neighbours, by Unicode's tables. The space is the one
/// blank that a text may have. Format characters of Prepended_Concatenation_Mark, such as the Arabic number sign, are
/// seen.
const HIDDEN: &str = concat!(
    r"[[\p{Control}\p{Format}\p{Line_Separator}\p{Paragraph_Separator}\p{Noncharacter_Code_Point}",
    r"\p{Default_Ignorable_Code_Point}\p{White_Space}",
    // Symbols and letters by category, whose glyph is blank: no property of Unicode names them.
    r"\x{2800}",           // BRAILLE PATTERN BLANK
    r"\x{FFFC}",           // OBJECT REPLACEMENT CHARACTER: the place of an object, which a text has not
    r"\x{13441}\x{13442}", // EGYPTIAN HIEROGLYPH FULL BLANK, HALF BLANK
    r"\x{16FE4}",          // KHITAN SMALL SCRIPT FILLER
    r"\x{1D159}",          // MUSICAL SYMBOL NULL NOTEHEAD
    r"]--[\x20\p{Prepended_Concatenation_Mark}]]",
);

/// Marks are drawn on the character before them.
const MARKS: &str = r"\p{Mark}";

/// What words of the scripts in [`has_joiners`] consist of.
const WORDS: &str = r"[\p{Letter}\p{Mark}]";

static HIDDEN_CLASS: LazyLock<ClassUnicode> = LazyLock::new(|| class(HIDDEN));
static MARK_CLASS: LazyLock<ClassUnicode> = LazyLock::new(|| class(MARKS));
static WORD_CLASS: LazyLock<ClassUnicode> = LazyLock::new(|| class(WORDS));

/// The characters of a class. Every class of this file can be read; of one that cannot, every character is a member,
/// so that no hidden one passes.
fn class(pattern: &str) -> ClassUnicode {
    match regex_syntax::parse(pattern).map(Hir::into_kind) {
        Ok(HirKind::Class(Class::Unicode(class))) => class,
        _ => ClassUnicode::new([ClassUnicodeRange::new(char::MIN, char::MAX)]),
    }
}

fn is_in(class: &ClassUnicode, character: char) -> bool {
    let ranges = class.ranges();
    let at = ranges.partition_point(|range| range.end() < character);
    ranges.get(at).is_some_and(|range| range.start() <= character)
}

/// Returns true if the character shows nothing, or changes the direction of its neighbours. Joiners are among them.
pub fn is_hidden(character: char) -> bool {
    !matches!(character, ' '..='~') && is_in(&HIDDEN_CLASS, character)
}

/// Returns true for a mark that combines with the character before it.
pub(super) fn is_mark(character: char) -> bool {
    !character.is_ascii() && is_in(&MARK_CLASS, character)
}

/// Returns true if the text shows something: a character that is neither hidden, nor a space, nor a mark alone.
pub fn has_visible(text: &str) -> bool {
    text.chars().any(|character| character != ' ' && !is_hidden(character) && !is_mark(character))
}

/// The first hidden character of a text and its position, counted in characters from 1. A joiner within a word of a
/// script that is written with joiners is not hidden.
pub(super) fn first_hidden(text: &str) -> Option<(usize, char)> {
    let mut characters = text.chars().peekable();
    let mut before = None;
    let mut position = 0;
    while let Some(character) = characters.next() {
        position += 1;
        if is_hidden(character) && !joins(before, character, characters.peek().copied()) {
            return Some((position, character));
        }
        before = Some(character);
    }
    None
}

/// The text as a person sees it: without hidden characters, every white space as a space, none around it.
pub fn visible_text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let mut before = None;
    while let Some(character) = characters.next() {
        match character {
            _ if !is_hidden(character) || joins(before, character, characters.peek().copied()) => {
                shown.push(character);
            }
            _ if character.is_whitespace() => shown.push(' '),
            _ => {}
        }
        before = Some(character);
    }
    match has_visible(&shown) {
        true => shown.trim_matches(' ').to_owned(),
        false => String::new(),
    }
}

/// Returns true for a zero-width joiner or non-joiner between two letters, or marks, of a script that is written with
/// them: Persian "می‌خواهم" and Sinhala "ශ්‍රී" are not spelt right without. Between other letters it would make two
/// texts that look the same.
fn joins(before: Option<char>, character: char, after: Option<char>) -> bool {
    let is_of_word = |neighbour: Option<char>| {
        neighbour.is_some_and(|neighbour| has_joiners(neighbour) && is_in(&WORD_CLASS, neighbour))
    };
    matches!(character, '\u{200C}' | '\u{200D}') && is_of_word(before) && is_of_word(after)
}

/// Returns true in the blocks of the scripts whose letters join: from Arabic by way of India to Myanmar, and from Khmer
/// and Mongolian to the Vedic extensions, and their later extensions.
fn has_joiners(character: char) -> bool {
    matches!(
        character,
        '\u{600}'..='\u{109F}'
            | '\u{1780}'..='\u{18AF}'
            | '\u{1900}'..='\u{1CFF}'
            | '\u{A800}'..='\u{ABFF}'
            | '\u{11000}'..='\u{11FFF}'
            | '\u{1E900}'..='\u{1EEFF}'
    )
}

/// A name of a TPP for a reader: without hidden characters, cut at [`TPP_NAME_CHARS_MAX`]; `None` if nothing is left.
pub(crate) fn shown_name(text: &str) -> Option<Arc<str>> {
    let name = visible_text(text);
    (!name.is_empty()).then(|| name.chars().take(TPP_NAME_CHARS_MAX).collect::<String>().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_those_of_the_tables_and_of_the_list() {
        for character in [
            '\0',
            '\t',
            '\n',
            '\u{85}',
            '\u{A0}',
            '\u{AD}',
            '\u{34F}',
            '\u{61C}',
            '\u{115F}',
            '\u{1160}',
            '\u{1680}',
            '\u{17B4}',
            '\u{180B}',
            '\u{180E}',
            '\u{2003}',
            '\u{200B}',
            '\u{200C}',
            '\u{200E}',
            '\u{2028}',
            '\u{202E}',
            '\u{202F}',
            '\u{2060}',
            '\u{2065}',
            '\u{2069}',
            '\u{206F}',
            '\u{2800}',
            '\u{3000}',
            '\u{3164}',
            '\u{FDD0}',
            '\u{FE0F}',
            '\u{FEFF}',
            '\u{FFA0}',
            '\u{FFF0}',
            '\u{FFF9}',
            '\u{FFFC}',
            '\u{FFFE}',
            '\u{13441}',
            '\u{16FE4}',
            '\u{1BCA0}',
            '\u{1D159}',
            '\u{1D173}',
            '\u{E0001}',
            '\u{E0100}',
            '\u{10FFFF}',
        ] {
            assert!(is_hidden(character), "{character:?}");
            assert!(!has_visible(&character.to_string()), "{character:?}");
        }
        for character in (' '..='~').chain('\u{A1}'..='\u{AC}').chain('\u{AE}'..='\u{FF}') {
            assert!(!is_hidden(character), "{character:?}");
        }
        for character in
            ['\u{301}', '\u{600}', '\u{6DD}', '\u{2010}', '\u{2801}', '\u{FFFD}', '한', '日', '😀']
        {
            assert!(!is_hidden(character), "{character:?}");
        }
    }

    #[test]
    fn spaces_marks_and_joiners_show_nothing_by_themselves() {
        for text in ["", " ", "   ", "\u{301}", " \u{301} ", "\u{200D}", "\u{20E3}"] {
            assert!(!has_visible(text), "{text:?}");
        }
        for text in [" a", "-", "1", "😀", "e\u{301}", "\u{93F}क"] {
            assert!(has_visible(text), "{text:?}");
        }
    }

    #[test]
    fn joiners_are_part_of_words_of_scripts_that_join_alone() {
        for text in ["می\u{200C}خواهم", "ශ්\u{200D}රී", "क्\u{200D}ष"] {
            assert_eq!(first_hidden(text), None, "{text:?}");
        }
        for (text, position) in [
            ("Ka\u{200D}ri", 3),
            ("K\u{200C}", 2),
            ("\u{200C}می", 1),
            ("می\u{200C}", 3),
            ("می\u{200C}\u{200C}خواهم", 3),
            ("می\u{200C} خواهم", 3),
            ("日\u{200D}本", 2),
            ("٣\u{200C}٤", 2),
        ] {
            assert_eq!(first_hidden(text).map(|(at, _)| at), Some(position), "{text:?}");
        }
    }

    #[test]
    fn a_text_is_shown_without_what_is_hidden() {
        for (text, shown) in [
            ("Acme Pay", "Acme Pay"),
            ("\u{202E}Acme\u{AD} Pay\u{2066}", "Acme Pay"),
            ("\u{A0}Acme\u{A0}Pay\n", "Acme Pay"),
            ("می\u{200C}خواهم", "می\u{200C}خواهم"),
            ("Ac\u{200D}me", "Acme"),
            (" \u{3164}\u{2800}\u{301} ", ""),
            ("", ""),
        ] {
            assert_eq!(visible_text(text), shown, "{text:?}");
        }
    }
}
