//! Writes the macro `help!`, which has the docstring of each class and function of the stubs (`xs2a/*.pyi`) by its
//! name. So `help()` shows what an editor shows, and each text is written once.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

const STUBS: [&str; 4] = ["xs2a/_native.pyi", "xs2a/_engine.pyi", "xs2a/_table.pyi", "xs2a/_trust.pyi"];
const QUOTES: &str = "\"\"\"";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arms = String::new();
    for stub in STUBS {
        println!("cargo:rerun-if-changed={stub}");
        for (name, text) in docstrings(&fs::read_to_string(stub)?) {
            writeln!(arms, "    ({name:?}) => {{ {text:?} }};")?;
        }
    }
    let path = Path::new(&env::var("OUT_DIR")?).join("help.rs");
    fs::write(path, format!("macro_rules! help {{\n{arms}}}\n"))?;
    Ok(())
}

/// Name and text of each docstring. A class has that of its `__new__` below its own, because `help()` shows no other.
fn docstrings(stub: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let (mut class, mut documented) = (String::new(), None);
    let mut lines = stub.lines();
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        let is_member = code.len() < line.len();
        if let Some(name) = code.strip_prefix("class ") {
            class = identifier(name);
            documented = Some(class.clone());
        } else if let Some(name) = code.strip_prefix("def ") {
            let name = identifier(name);
            documented = Some(if is_member { format!("{class}.{name}") } else { name });
        } else if let (true, Some(name)) = (code.starts_with(QUOTES), documented.clone()) {
            documented = None;
            let text = text(code, &mut lines);
            match name.strip_suffix(".__new__").and_then(|class| found.iter_mut().find(|row| row.0 == class))
            {
                Some((_, of_class)) => *of_class = format!("{of_class}\n\n{text}"),
                None => found.push((name, text)),
            }
        }
    }
    found
}

fn identifier(code: &str) -> String {
    code.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

/// The docstring that begins in a line, without the indentation of its lines.
fn text<'a>(first: &'a str, rest: &mut impl Iterator<Item = &'a str>) -> String {
    let mut lines = Vec::new();
    let mut line = first.strip_prefix(QUOTES).unwrap_or(first);
    let mut indentation = usize::MAX;
    loop {
        let (content, is_last) = match line.split_once(QUOTES) {
            Some((content, _)) => (content, true),
            None => (line, false),
        };
        if !lines.is_empty() && !content.trim().is_empty() {
            indentation = indentation.min(content.len() - content.trim_start().len());
        }
        lines.push(content);
        if is_last {
            break;
        }
        match rest.next() {
            Some(next) => line = next,
            None => break,
        }
    }
    let cut = |(number, line): (usize, &&str)| match number {
        0 => (*line).to_owned(),
        _ => line.get(indentation..).unwrap_or_default().to_owned(),
    };
    let text: Vec<String> = lines.iter().enumerate().map(cut).collect();
    text.join("\n").trim_end().replace("\\\\", "\\")
}
