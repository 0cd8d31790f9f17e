//! The committed recordings: one compressed text for each chapter.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};

/// What is put between two blocks.
const BETWEEN: &str = "\n\n";
/// How many differences a failing test prints.
const SHOWN_MAX: usize = 5;
/// How many lines of a difference are printed from the first differing one on.
const LINES_MAX: usize = 6;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/recorded")
}

fn file_of(chapter: &str) -> PathBuf {
    folder().join(format!("{chapter}.txt.gz"))
}

/// The recorded blocks of a chapter; none if it was never recorded.
pub(crate) fn read(chapter: &str) -> Vec<String> {
    let Ok(bytes) = fs::read(file_of(chapter)) else { return Vec::new() };
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
    split(&text)
}

/// The names of the chapters that are recorded, and the bytes that their files have together.
pub(crate) fn recorded() -> (Vec<String>, u64) {
    let entries: Vec<_> = fs::read_dir(folder()).unwrap().map(Result::unwrap).collect();
    let name = |entry: &fs::DirEntry| entry.file_name().to_str().unwrap().replace(".txt.gz", "");
    let mut names: Vec<_> = entries.iter().map(name).collect();
    names.sort();
    (names, entries.iter().map(|entry| entry.metadata().unwrap().len()).sum())
}

/// Compares chapters with their recordings; `UPDATE=1` records them again.
pub(crate) fn assert_as_recorded(chapters: impl Iterator<Item = (&'static str, Vec<String>)>) {
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        return chapters.for_each(|(chapter, blocks)| write(chapter, &blocks));
    }
    let mut report = String::new();
    for (chapter, blocks) in chapters {
        // Joined and split as the file is, so that text within a block cannot change its borders.
        let differences = differences(&read(chapter), &split(&blocks.join(BETWEEN)));
        if !differences.is_empty() {
            writeln!(report, "\nChapter `{chapter}`:\n{differences}").unwrap();
        }
    }
    assert!(
        report.is_empty(),
        "requests are not answered as recorded. If the change is intended, run \
         `UPDATE=1 cargo test -p xs2a --test corpus chapters` and name it in the CHANGELOG.\n{report}"
    );
}

fn write(chapter: &str, blocks: &[String]) {
    fs::create_dir_all(folder()).unwrap();
    let mut encoder = flate2::GzBuilder::new().write(Vec::new(), flate2::Compression::best());
    encoder.write_all(blocks.join(BETWEEN).as_bytes()).unwrap();
    fs::write(file_of(chapter), encoder.finish().unwrap()).unwrap();
}

fn split(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    for piece in text.split(BETWEEN).filter(|piece| !piece.is_empty()) {
        match blocks.last_mut() {
            Some(last) if !(piece.starts_with("=== ") || piece.starts_with("--- ")) => {
                last.push_str(BETWEEN);
                last.push_str(piece);
            }
            _ => blocks.push(piece.to_owned()),
        }
    }
    blocks
}

fn differences(expected: &[String], actual: &[String]) -> String {
    if expected == actual {
        return String::new();
    }
    let mut report = String::new();
    let pairs = expected.iter().zip(actual).filter(|(expected, actual)| expected != actual);
    // One id more or less changes the numbers of all later ones: what differs otherwise is shown first.
    let (others, of_numbers): (Vec<_>, Vec<_>) =
        pairs.partition(|(expected, actual)| without_numbers(expected) != without_numbers(actual));
    writeln!(
        report,
        "calls that differ: {}; in numbers of ids alone: {}",
        others.len() + of_numbers.len(),
        of_numbers.len()
    )
    .unwrap();
    for (expected, actual) in others.into_iter().chain(of_numbers).take(SHOWN_MAX) {
        report.push_str(&difference(expected, actual));
    }
    if expected.len() != actual.len() {
        let counts = (expected.len(), actual.len());
        writeln!(report, "{} blocks are recorded, {} were made now", counts.0, counts.1).unwrap();
    }
    report
}

/// The text with every `<id7>` as `<id>`.
fn without_numbers(block: &str) -> String {
    let mut pieces = block.split("<id");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        text.push_str("<id");
        text.push_str(piece.trim_start_matches(|character: char| character.is_ascii_digit()));
    }
    text
}

/// Label and request of a block, and the lines from the first difference on.
fn difference(expected: &str, actual: &str) -> String {
    let is_of_request = |line: &&str| ["===", "---", ">"].iter().any(|start| line.starts_with(start));
    let request: Vec<_> = actual.lines().take_while(is_of_request).collect();
    let same = expected.lines().zip(actual.lines()).take_while(|(one, other)| one == other).count();
    let rest = |text: &str| text.lines().skip(same).take(LINES_MAX).collect::<Vec<_>>().join("\n    ");
    format!(
        "\n{}\n  expected from line {}:\n    {}\n  actual:\n    {}\n",
        request.join("\n"),
        same + 1,
        rest(expected),
        rest(actual)
    )
}
