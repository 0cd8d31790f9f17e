//! Rust files for the source tests: which there are, and their code without comments, texts and tests.

use std::fs;
use std::path::{Path, PathBuf};

use crate::repository_root::root;

/// One file of the core, or of a language binding.
pub(crate) struct Source {
    /// Its path from `core/src`, such as `payment/machine.rs`.
    pub(crate) path: String,
    /// What the compiler sees outside tests: comments, string contents and test items are blanked, lines kept.
    pub(crate) code: String,
}

impl Source {
    /// The topic it belongs to: `payment` for `payment/machine.rs`, `policy` for `policy.rs`.
    pub(crate) fn module(&self) -> &str {
        let first = self.path.split('/').next().unwrap_or_default();
        first.strip_suffix(".rs").unwrap_or(first)
    }

    /// How many modules lie between the file's own module and the crate, itself counted; 0 for `lib.rs`.
    pub(crate) fn depth(&self) -> usize {
        let parts = self.path.split('/').count();
        let is_folder_root = self.path.ends_with("/mod.rs") || self.path == "lib.rs";
        parts - usize::from(is_folder_root)
    }
}

/// Every file of the library, in order of path; files that only tests compile are left out.
pub(crate) fn library() -> Vec<Source> {
    sources(&root().join("core/src"))
}

/// The same of a binding's folder, each path from the root of the repository, such as `ffi/src/json.rs`.
pub(crate) fn binding(folder: &str) -> Vec<Source> {
    let mut sources = sources(&root().join(folder));
    sources.iter_mut().for_each(|source| source.path = format!("{folder}/{}", source.path));
    sources
}

fn sources(folder: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut test_modules = Vec::new();
    for path in rust_files(folder) {
        let text = blank_texts_and_comments(&fs::read_to_string(&path).expect("a readable file"));
        let path = path.strip_prefix(folder).expect("below the folder").to_string_lossy().replace('\\', "/");
        let (code, modules) = blank_tests(&text);
        let home = path.strip_suffix("mod.rs").map(str::to_owned).unwrap_or_else(|| match path.as_str() {
            "lib.rs" => String::new(),
            file => format!("{}/", file.trim_end_matches(".rs")),
        });
        test_modules.extend(modules.iter().map(|name| format!("{home}{name}")));
        sources.push(Source { path, code });
    }
    sources.retain(|source| {
        !test_modules.iter().any(|module| {
            source.path == format!("{module}.rs") || source.path.starts_with(&format!("{module}/"))
        })
    });
    sources
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Comments and the contents of string and character literals become blanks; line breaks stay.
pub(crate) fn blank_texts_and_comments(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = at + skipped_length(&chars[at..], at.checked_sub(1).map(|before| chars[before]));
        if end == at {
            out.push(chars[at]);
            at += 1;
        } else {
            out.extend(chars[at..end].iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    out
}

/// How many characters from here are one comment or one literal; 0 where code goes on.
fn skipped_length(rest: &[char], before: Option<char>) -> usize {
    let follows_name = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    match rest {
        ['/', '/', ..] => rest.iter().position(|c| *c == '\n').unwrap_or(rest.len()),
        ['/', '*', ..] => block_comment_length(rest),
        ['"', ..] => quoted_length(rest, '"'),
        ['r', '"' | '#', ..] if !follows_name => raw_string_length(rest, 1),
        ['b', 'r', '"' | '#', ..] if !follows_name => raw_string_length(rest, 2),
        ['\'', '\\', ..] => quoted_length(rest, '\''),
        ['\'', _, '\'', ..] => 3,
        _ => 0,
    }
}

fn block_comment_length(rest: &[char]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        match &rest[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn quoted_length(rest: &[char], quote: char) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != quote {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

fn raw_string_length(rest: &[char], prefix: usize) -> usize {
    let hashes = rest[prefix..].iter().take_while(|c| **c == '#').count();
    if rest.get(prefix + hashes) != Some(&'"') {
        return 0; // a raw identifier, r#type
    }
    let body = prefix + hashes + 1;
    let closes = |at: usize| {
        rest[at] == '"' && rest[at + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes
    };
    let end = (body..rest.len()).find(|at| closes(*at)).map_or(rest.len(), |at| at + 1 + hashes);
    end.min(rest.len())
}

/// Blanks every item under `#[cfg(test)]`; gives the names of modules in files of their own that it guards.
fn blank_tests(code: &str) -> (String, Vec<String>) {
    let mut out = code.to_owned();
    let mut modules = Vec::new();
    while let Some(start) = out.find("#[cfg(test)]").or_else(|| out.find("#[cfg(all(test")) {
        let end = start + item_length(&out[start..]);
        let item = &out[start..end];
        if let Some((_, name)) =
            item.trim_end_matches(';').rsplit_once("mod ").filter(|_| item.ends_with(';'))
        {
            modules.push(name.trim().to_owned());
        }
        let blank: String = item.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        out.replace_range(start..end, &blank);
    }
    (out, modules)
}

/// The bytes of the item that begins here: to its semicolon, or to the end of its braces.
fn item_length(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in code.char_indices() {
        match c {
            ';' if depth == 0 => return at + 1,
            '{' => depth += 1,
            '}' if depth <= 1 => return at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}
