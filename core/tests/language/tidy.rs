//! The style rules as a test.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::repository_root::root;

/// A file longer than this holds more than one topic.
const FILE_LINES_MAX: usize = 500;
/// Longer lines do not fit beside another file.
const LINE_CHARS_MAX: usize = 120;

/// Files that may be longer, with the reason.
const LONG_FILES: &[(&str, &str)] = &[
    ("core/src/reason.rs", "one table: splitting it would hide the order of precedence"),
    ("python/xs2a/_native.pyi", "one native module has one stub: what Python sees, in one place"),
    ("include/xs2a.h", "generated: a C library has one header"),
    ("bindings/dotnet/src/Sandbox.Calls.cs", "generated: one class"),
    ("bindings/go/calls_engine.go", "generated: one type"),
    ("bindings/go/calls_sandbox.go", "generated: one type"),
    ("include/xs2a_sandbox.h", "generated: a C library has one header"),
];

/// Files whose lines may be longer, with the reason.
const WIDE_FILES: &[(&str, &str)] = &[
    ("core/src/machine.rs", "a pattern of a macro is one row, as the rows it matches"),
    ("core/src/payment/machine.rs", "a row of the machine is one line"),
    ("core/src/reason.rs", "a pattern of a macro is one row, as the rows it matches"),
    ("core/src/wire/reader.rs", "a pattern of a macro is one row, as the rows it matches"),
];

/// Words that mark unfinished work. Written in parts so that this file passes its own test.
const UNFINISHED: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("// XX", "X"),
    concat!("unimplemented", "!("),
    concat!("todo", "!("),
    concat!("#[", "ignore"),
    concat!("pytest.mark.", "skip("),
];

/// A test that starts itself again as another process must not run by itself.
const OTHER_PROCESS: &str = "= \"the part of another process in the tests below\"]";

/// Module names that say nothing of what is inside.
const EMPTY_NAMES: &[&str] = &["utils", "util", "helpers", "helper", "common", "misc"];

/// A file of the repository.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    pub(crate) fn has_extension(&self, extensions: &[&str]) -> bool {
        let extension = Path::new(&self.path).extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| extensions.contains(&extension))
    }

    /// Written by hand, to be read line by line.
    fn is_source(&self) -> bool {
        self.has_extension(&["rs", "py", "pyi", "c", "h", "sh", "sql", "go", "java", "cs"])
    }
}

#[test]
fn no_file_is_longer_than_one_topic() {
    let too_long = |file: &File| file.is_source() && file.text.lines().count() > FILE_LINES_MAX;
    let long: BTreeSet<String> = repository().into_iter().filter(too_long).map(|file| file.path).collect();
    let excepted: BTreeSet<String> = LONG_FILES.iter().map(|(path, _)| (*path).to_owned()).collect();
    let faults: Vec<_> = long.difference(&excepted).collect();
    assert!(faults.is_empty(), "more than {FILE_LINES_MAX} lines: {faults:?}");
}

#[test]
fn no_line_is_too_wide_and_none_ends_in_blanks() {
    let mut faults = Vec::new();
    for file in repository() {
        let may_be_wide = WIDE_FILES.iter().any(|(path, _)| *path == file.path)
            || !(file.is_source() || file.has_extension(&["toml"]) || file.path == "Makefile");
        for (number, line) in file.text.lines().enumerate() {
            let place = format!("{}:{}", file.path, number + 1);
            if line.ends_with([' ', '\t']) && !is_snapshot(&file) {
                faults.push(format!("{place}: ends in blanks"));
            }
            if !may_be_wide && line.chars().count() > LINE_CHARS_MAX {
                faults.push(format!("{place}: more than {LINE_CHARS_MAX} characters"));
            }
        }
        if !file.text.is_empty()
            && (!file.text.ends_with('\n') || file.text.ends_with("\n\n"))
            && !is_snapshot(&file)
        {
            faults.push(format!("{}: does not end in exactly one line break", file.path));
        }
    }
    report(&faults);
}

#[test]
fn nothing_is_left_unfinished() {
    let mut faults = Vec::new();
    for file in repository().iter().filter(|file| file.path != "core/tests/language/tidy.rs") {
        for (number, line) in file.text.lines().enumerate() {
            let word =
                UNFINISHED.iter().find(|word| holds_word(line, word) && !line.ends_with(OTHER_PROCESS));
            if let Some(word) = word {
                faults.push(format!("{}:{}: {word}", file.path, number + 1));
            }
        }
    }
    report(&faults);
}

#[test]
fn modules_are_named_for_their_topic() {
    let mut faults = Vec::new();
    for file in repository().iter().filter(|file| file.is_source()) {
        let stem_says_nothing =
            |part: &str| EMPTY_NAMES.contains(&part.split('.').next().unwrap_or_default());
        if file.path.split('/').any(stem_says_nothing) {
            faults.push(format!("{}: the name says nothing", file.path));
        }
        for name in EMPTY_NAMES.iter().filter(|_| file.has_extension(&["rs"])) {
            if file.path != "core/tests/language/tidy.rs" && holds_word(&file.text, &format!("mod {name}")) {
                faults.push(format!("{}: mod {name}", file.path));
            }
        }
    }
    report(&faults);
}

#[test]
fn mod_files_only_list() {
    let is_list = |line: &str| {
        let line = line.trim();
        let heads = [
            "pub mod ",
            "pub(crate) mod ",
            "mod ",
            "pub use ",
            "pub(crate) use ",
            "use ",
            "//",
            "#[",
            "}",
            "compile_error!(",
        ];
        line.is_empty() || heads.iter().any(|head| line.starts_with(head))
    };
    let mut faults = Vec::new();
    for file in repository().iter().filter(|file| file.path.starts_with("core/src/")) {
        let mut in_list = false; // the lines of a `use` that spans several
        for (number, line) in file.text.lines().enumerate().filter(|_| file.path.ends_with("/mod.rs")) {
            if !in_list && !is_list(line) {
                faults.push(format!("{}:{}: {line}", file.path, number + 1));
            }
            in_list = (in_list || line.contains("use ")) && !line.trim_end().ends_with(';');
        }
    }
    report(&faults);
}

#[test]
fn every_migration_is_listed_and_numbered_without_gaps() {
    let files = repository();
    let mut faults = Vec::new();
    for backend in ["sqlite", "postgres"] {
        let folder = format!("core/migrations/{backend}/");
        let code: String = files
            .iter()
            .filter(|file| file.path.starts_with(&format!("core/src/store/{backend}/")))
            .map(|file| file.text.as_str())
            .collect();
        let names: Vec<_> = files.iter().filter_map(|file| file.path.strip_prefix(&folder)).collect();
        for (index, name) in names.iter().enumerate() {
            if !code.contains(name) {
                faults.push(format!("{folder}{name} is not named in core/src/store/{backend}"));
            }
            if !name.starts_with(&format!("{:04}_", index + 1)) {
                faults.push(format!("{folder}{name}: number {:04} was expected", index + 1));
            }
        }
    }
    report(&faults);
}

#[test]
fn the_changelog_says_what_is_unreleased() {
    let text = fs::read_to_string(root().join("CHANGELOG.md")).expect("CHANGELOG.md");
    assert!(text.contains("\n## [Unreleased]") || text.contains("\n## Unreleased"));
}

#[test]
fn no_file_names_a_folder_of_a_developers_machine() {
    let mut faults = Vec::new();
    for file in repository() {
        for top in ["work", "root", "home", "Users"] {
            let folder = format!("/{top}/");
            for (at, _) in file.text.match_indices(&folder) {
                // Behind other names it is a path of the repository; where it begins the word, the machine's.
                let begins =
                    !file.text[..at].ends_with(|c: char| c.is_alphanumeric() || "._-})/".contains(c));
                if begins {
                    let line = file.text[..at].lines().count();
                    faults.push(format!("{}:{line}: {folder}", file.path));
                }
            }
        }
    }
    report(&faults);
}

#[test]
fn documents_mention_only_files_that_exist() {
    let mut faults = Vec::new();
    for file in repository().iter().filter(|file| file.has_extension(&["md"])) {
        let folder = Path::new(&file.path).parent().expect("a folder").to_owned();
        for mention in links(&file.text) {
            if !root().join(&folder).join(&mention).exists() {
                faults.push(format!("{}: links to {mention}", file.path));
            }
        }
        for mention in paths_in_code_spans(&file.text) {
            let is_there = root().join(&mention).exists() || root().join(&folder).join(&mention).exists();
            if !is_there && !is_made(&mention) {
                faults.push(format!("{}: mentions {mention}", file.path));
            }
        }
    }
    report(&faults);
}

/// Targets of Markdown links to files, without their fragments.
fn links(text: &str) -> Vec<String> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let files = targets
        .filter(|target| !target.contains("://") && !target.starts_with(['#', '<']) && !target.is_empty());
    files
        .filter_map(|target| target.split('#').next())
        .filter(|target| !target.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Code spans that can only be paths of this repository: `folder/file.ext`, or something below a top folder.
fn paths_in_code_spans(text: &str) -> Vec<String> {
    let prose: String = text.split("```").step_by(2).collect();
    let spans = prose.split('`').skip(1).step_by(2).map(str::to_owned);
    spans.filter(|span| looks_like_a_path(span)).collect()
}

fn looks_like_a_path(span: &str) -> bool {
    let is_plain = span.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
    if !is_plain || span.starts_with('/') || !span.contains('/') {
        return false;
    }
    let top = span.split('/').next().unwrap_or_default();
    let ends_like_a_file = [".rs", ".py", ".c", ".h", ".md", ".toml", ".sh", ".sql", ".json", ".txt"];
    root().join(top).is_dir() || ends_like_a_file.iter().any(|ending| span.ends_with(ending))
}

/// What a build makes, not the repository.
fn is_made(path: &str) -> bool {
    ["target/", ".venv/"].iter().any(|folder| path.starts_with(folder))
}

/// Whether a line holds a word, not as part of a longer one.
fn holds_word(line: &str, word: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let ends_in_name = word.ends_with(is_name);
    line.match_indices(word).any(|(at, _)| {
        let starts = !line[..at].ends_with(is_name);
        let ends = !(ends_in_name && line[at + word.len()..].starts_with(is_name));
        starts && ends
    })
}

/// Snapshots are compared byte by byte with what a function printed: their form is not ours to choose.
fn is_snapshot(file: &File) -> bool {
    file.has_extension(&["snap"])
}

pub(crate) fn report(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
#[cfg(feature = "sandbox")]
fn every_machine_is_in_the_docs_and_in_the_coverage() {
    let files = repository();
    let declared: BTreeSet<_> = files
        .iter()
        .filter(|file| file.path.starts_with("core/src/"))
        .filter_map(|file| file.text.split_once("\nmachine! {")?.1.split('"').nth(1).map(str::to_owned))
        .collect();
    let page = files.iter().find(|file| file.path == "docs/machines.md").expect("docs/machines.md");
    let described = page.text.lines().filter_map(|line| line.strip_prefix("## ")).map(str::to_owned);
    assert_eq!(described.collect::<BTreeSet<_>>(), declared);
    let covered = xs2a::Coverage::default().to_json().expect("a report");
    let covered: serde_json::Value = serde_json::from_str(&covered).expect("JSON");
    let rows = covered["states"]["rows"].as_array().expect("rows");
    let counted = rows.iter().filter_map(|row| Some(row["machine"].as_str()?.to_owned()));
    assert_eq!(counted.collect::<BTreeSet<_>>(), declared);
}

/// The text files of the repository: those git knows or would know, or all of them where there is no git.
pub(crate) fn repository() -> Vec<File> {
    let root = root();
    let listed = Command::new("git")
        .current_dir(&root)
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .output();
    let mut paths: Vec<String> = match listed {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
        }
        _ => walk(&root, &root),
    };
    paths.sort();
    paths.dedup();
    // A link is looked at where the file is: pages of the documents are in the Python package, too.
    paths.retain(|path| path != "Cargo.lock" && !root.join(path).is_symlink());
    let readable = paths.into_iter().filter_map(|path| {
        let text = fs::read_to_string(root.join(&path)).ok()?;
        Some(File { path, text })
    });
    readable.collect()
}

fn walk(root: &Path, folder: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["target", ".venv", ".git", "__pycache__"].contains(&name.as_str()) {
                paths.extend(walk(root, &path));
            }
        } else if let Ok(inside) = path.strip_prefix(root) {
            paths.push(inside.to_string_lossy().into_owned());
        }
    }
    paths
}
