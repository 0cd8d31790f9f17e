//! The words of the repository: plain technical terms, and short names of tests. CONTRIBUTING.md says how to write.

use crate::tidy::{report, repository, File};

/// Longer names of functions do not fit into a list of tests.
const NAME_CHARS_MAX: usize = 70;

/// Words that are replaced by the field's noun or by a plain verb: "the caller", "is returned", "is stored", "again".
/// They are also no parts of names, which are split at `_` and at capital letters.
const BANNED: &[&str] = &[
    "whoever",
    "whomever",
    "whatever",
    "whichever",
    "nobody",
    "nobodys",
    "somebody",
    "somebodys",
    "anybody",
    "anybodys",
    "meanwhile",
    "told",
    "tell",
    "tells",
    "telling",
    "stand",
    "stands",
    "stood",
    "standing",
    "anew",
    "vouch",
    "vouches",
    "vouched",
    "errand",
    "errands",
    "desk",
    "desks",
    "door",
    "doors",
    "house",
    "houses",
    "room",
    "rooms",
    "facade",
    "facades",
];

/// Phrases of which each word may be used alone.
const BANNED_PHRASES: &[&str] = &[
    "make way",
    "makes way",
    "made way",
    "come to nothing",
    "comes to nothing",
    "came to nothing",
    "set aside",
    "sets aside",
    "setting aside",
];

/// Terms of the field, and texts of others, in which a banned word may occur.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("standing order", "the field's term for a periodic payment without an end"),
    ("standing_order", "the same in a name"),
    ("Standing", "the state of such an order"),
    ("STANDING", "the same as it is stored"),
    ("house number", "what ISO 20022 calls BuildingNumber"),
    ("houseIdentifier", "an attribute of X.520"),
    ("source.tell()", "a method of Python's files"),
    ("echo nobody", "an account of Unix systems"),
    ("\"-u\", \"nobody\"", "the same"),
    ("CN=Somebody", "a part of a recorded signature"),
];

/// Files that are not written by hand line by line, or that hold the lists above.
const LEFT_OUT: &[&str] = &["core/tests/language/words.rs", "core/tests/corpus/recorded/", "LICENSE"];

#[test]
fn no_banned_word_is_used() {
    let mut faults = Vec::new();
    for file in prose_and_code() {
        faults.extend(
            banned(&file.path).into_iter().map(|word| format!("{}: the path has \"{word}\"", file.path)),
        );
        for (number, line) in file.text.lines().enumerate() {
            let place = format!("{}:{}", file.path, number + 1);
            faults.extend(banned(line).into_iter().map(|word| format!("{place}: \"{word}\"")));
        }
    }
    report(&faults);
}

#[test]
fn every_exception_is_needed() {
    let files = prose_and_code();
    let is_used = |phrase: &str| files.iter().any(|file| file.text.contains(phrase));
    let unused: Vec<_> =
        EXCEPTIONS.iter().map(|(phrase, _)| *phrase).filter(|phrase| !is_used(phrase)).collect();
    assert!(unused.is_empty(), "no file has {unused:?}");
}

#[test]
fn no_name_of_a_function_is_too_long() {
    let mut faults = Vec::new();
    for file in prose_and_code().iter().filter(|file| file.has_extension(&["rs", "py", "pyi", "c", "h"])) {
        for (number, line) in file.text.lines().enumerate() {
            let long = too_long(line).map(|name| format!("{}:{}: {name}", file.path, number + 1));
            faults.extend(long);
        }
    }
    report(&faults);
}

fn prose_and_code() -> Vec<File> {
    let is_checked = |file: &File| {
        let kinds = [
            "rs", "py", "pyi", "c", "h", "go", "java", "cs", "md", "sh", "sql", "toml", "yml", "html", "ini",
            "cfg", "txt",
        ];
        let is_named = file.path.ends_with("Makefile") || file.path.starts_with(".ci/");
        (file.has_extension(&kinds) || is_named) && !LEFT_OUT.iter().any(|path| file.path.starts_with(path))
    };
    repository().into_iter().filter(is_checked).collect()
}

/// The banned words and phrases of a line.
fn banned(line: &str) -> Vec<String> {
    let line = EXCEPTIONS.iter().fold(line.to_owned(), |line, (phrase, _)| line.replace(phrase, " "));
    let words = words(&line);
    let whole = format!(" {} ", words.join(" "));
    let single = words.iter().filter(|word| BANNED.contains(&word.as_str())).cloned();
    let phrases = BANNED_PHRASES.iter().filter(|phrase| whole.contains(&format!(" {phrase} ")));
    single.chain(phrases.map(|phrase| (*phrase).to_owned())).collect()
}

/// The words of a line in lower case; a name is split at every character that is no letter, and before capital letters.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let letters: Vec<char> = line.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let is_start = letter.is_uppercase()
            && (before.is_some_and(char::is_lowercase)
                || letters.get(at + 1).copied().is_some_and(char::is_lowercase));
        if !letter.is_alphabetic() || is_start {
            words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// The name of the function that a line defines, if it is too long.
fn too_long(line: &str) -> Option<&str> {
    let (_, rest) = ["fn ", "def ", "void "].iter().find_map(|keyword| line.split_once(keyword))?;
    let name = rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
    (name.chars().count() > NAME_CHARS_MAX).then_some(name)
}

#[test]
fn banned_words_are_found_in_prose_texts_and_names() {
    for (line, found) in [
        ("/// Whoever asks is told.", &["whoever", "told"][..]),
        ("let told_by = is_told(nobodys);", &["told", "told", "nobodys"]),
        ("struct FrontDoor; impl HTTPDoor {}", &["door", "door"]),
        ("assert!(ok, \"nobody's\")", &["nobody"]),
        ("a payment that makes way, and is set_aside", &["makes way", "set aside"]),
        ("fn untold_households(indoor: Bedroom, standard: Understanding) {}", &[]),
        ("the house number of a standing order, by OrderState::Standing", &[]),
        ("a house of a standing clock", &["house", "standing"]),
    ] {
        assert_eq!(banned(line), found, "{line}");
    }
}

#[test]
fn a_name_of_seventy_characters_fits_and_one_of_seventy_one_does_not() {
    let name = |length: usize| "x".repeat(length);
    for define in ["    pub(crate) fn ", "def ", "static void "] {
        assert_eq!(too_long(&format!("{define}{}() {{", name(70))), None, "{define}");
        assert_eq!(too_long(&format!("{define}{}() {{", name(71))), Some(name(71).as_str()), "{define}");
    }
}
