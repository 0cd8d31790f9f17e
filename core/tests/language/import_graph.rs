//! Which file of the core imports from which, and the circles among them.
//!
//! A `mod.rs` and `lib.rs` only list and re-export, so they are transparent: a path through one leads to the file that
//! defines the item. A path to a module counts as an import of its file.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::rust_source::Source;

/// Names of modules from the crate on; empty for the crate itself.
type ModulePath = Vec<String>;

/// The files that each file imports from.
pub(crate) struct ImportGraph(BTreeMap<String, BTreeSet<String>>);

impl ImportGraph {
    pub(crate) fn of(sources: &[Source]) -> Self {
        let modules = Modules::of(sources);
        let graph = sources.iter().filter(|source| !is_transparent(&source.path)).map(|source| {
            let module = module_path(&source.path);
            let paths = modules.0.get(&module).into_iter().flat_map(|content| &content.paths);
            let mut targets: BTreeSet<_> = paths.filter_map(|path| modules.file(&module, path)).collect();
            targets.remove(&source.path);
            (source.path.clone(), targets)
        });
        Self(graph.collect())
    }

    /// Each file with each file that it imports from.
    pub(crate) fn imports(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|(file, imported)| imported.iter().map(|to| (file.as_str(), to.as_str())))
    }

    /// One shortest circle through each file that lies on one, such as `a.rs -> b.rs -> a.rs`; circles that only begin
    /// at another of their files are given once.
    pub(crate) fn circles(&self) -> Vec<Vec<String>> {
        let mut circles = Vec::new();
        let mut files_seen = BTreeSet::new();
        for file in self.0.keys() {
            if let Some(circle) = self.circle_through(file).filter(|_| !files_seen.contains(file)) {
                files_seen.extend(circle.iter().cloned());
                circles.push(circle);
            }
        }
        circles
    }

    fn circle_through(&self, file: &str) -> Option<Vec<String>> {
        let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
        let mut queue = VecDeque::from([file]);
        while let Some(at) = queue.pop_front() {
            for next in self.0.get(at).into_iter().flatten() {
                if next == file {
                    return Some(self.way_back(&came_from, file, at));
                }
                if !came_from.contains_key(next.as_str()) {
                    came_from.insert(next, at);
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn way_back(&self, came_from: &BTreeMap<&str, &str>, start: &str, last: &str) -> Vec<String> {
        let mut files = vec![start.to_owned()];
        let mut at = last;
        while at != start {
            files.push(at.to_owned());
            at = came_from[at];
        }
        files.push(start.to_owned());
        files.reverse();
        files
    }
}

/// Whether a file only lists modules and re-exports.
fn is_transparent(path: &str) -> bool {
    path == "lib.rs" || path == "mod.rs" || path.ends_with("/mod.rs")
}

/// `payment/machine.rs` is the module `payment::machine`, `payment/mod.rs` is `payment`.
fn module_path(file: &str) -> ModulePath {
    let path = file.trim_end_matches(".rs");
    let path =
        if is_transparent(file) { path.rsplit_once('/').map_or("", |(folder, _)| folder) } else { path };
    path.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Every module that is a file of its own.
struct Modules(BTreeMap<ModulePath, Module>);

/// What one file says.
struct Module {
    file: String,
    /// What `use` declarations bring in, by the name that it has here.
    imports: BTreeMap<String, ModulePath>,
    /// Modules of which everything is brought in.
    globs: Vec<ModulePath>,
    /// Every path in the file, those of `use` declarations included.
    paths: BTreeSet<ModulePath>,
}

/// Where a path leads.
enum Target {
    Module(ModulePath),
    Item { file: String },
}

impl Modules {
    fn of(sources: &[Source]) -> Self {
        Self(sources.iter().map(|source| (module_path(&source.path), Module::read(source))).collect())
    }

    /// The file that a path in a module leads to; `None` for paths out of the crate, and to folders, whose `mod.rs` has
    /// nothing of its own.
    fn file(&self, from: &[String], path: &[String]) -> Option<String> {
        match self.resolve(from, path, 0)? {
            Target::Module(module) => Some(self.0[&module].file.clone()).filter(|file| !is_transparent(file)),
            Target::Item { file } => {
                assert!(!is_transparent(&file), "{}: which file defines it? {file}", path.join("::"));
                Some(file)
            }
        }
    }

    fn resolve(&self, from: &[String], path: &[String], depth: usize) -> Option<Target> {
        // Re-exports of each other, by globs, would be followed for ever.
        const DEPTH_MAX: usize = 20;
        let (first, mut rest) = path.split_first()?;
        if depth > DEPTH_MAX {
            return None;
        }
        let mut at = match first.as_str() {
            "crate" => Vec::new(),
            "self" => from.to_vec(),
            "super" => from.split_last()?.1.to_vec(),
            name => match self.member(from, name, depth)? {
                Target::Module(module) => module,
                item @ Target::Item { .. } => return Some(item),
            },
        };
        while let Some((name, after)) = rest.split_first() {
            rest = after;
            match name.as_str() {
                "self" => {}
                "super" => drop(at.pop()),
                name => match self.member(&at, name, depth) {
                    Some(Target::Module(module)) => at = module,
                    Some(item) => return Some(item),
                    // Defined in that module itself.
                    None => return self.0.get(&at).map(|module| Target::Item { file: module.file.clone() }),
                },
            }
        }
        self.0.contains_key(&at).then_some(Target::Module(at))
    }

    /// What a module makes of a name that it does not define itself: a module below it, or something brought in.
    fn member(&self, module: &[String], name: &str, depth: usize) -> Option<Target> {
        let below: ModulePath = module.iter().cloned().chain([name.to_owned()]).collect();
        let content = self.0.get(module)?;
        if let Some(import) = content.imports.get(name) {
            // `use self::name` and `use name::X as name` name the module below.
            return match self.0.contains_key(&below) && import.len() <= 2 && import.last() == below.last() {
                true => Some(Target::Module(below)),
                false => self.resolve(module, import, depth + 1),
            };
        }
        if self.0.contains_key(&below) {
            return Some(Target::Module(below));
        }
        let mut globs =
            content.globs.iter().filter_map(|glob| match self.resolve(module, glob, depth + 1)? {
                Target::Module(glob) if glob != module => Some(glob),
                _ => None,
            });
        globs.find_map(|glob| match self.defines(&glob, name) {
            true => Some(Target::Item { file: self.0[&glob].file.clone() }),
            false => self.member(&glob, name, depth + 1),
        })
    }

    /// Whether a module has an item of that name.
    fn defines(&self, module: &[String], name: &str) -> bool {
        self.0[module].paths.contains(&vec!["".to_owned(), name.to_owned()])
    }
}

impl Module {
    fn read(source: &Source) -> Self {
        let mut module = Self {
            file: source.path.clone(),
            imports: BTreeMap::new(),
            globs: Vec::new(),
            paths: BTreeSet::new(),
        };
        let tokens = tokens(&source.code);
        let mut at = 0;
        while at < tokens.len() {
            at = match tokens[at] {
                "use" if tokens.get(at + 1) != Some(&"<") => module.read_use(&tokens, at + 1),
                token if is_name(token) => module.read_path(&tokens, at),
                _ => at + 1,
            };
        }
        module
    }

    fn read_use(&mut self, tokens: &[&str], from: usize) -> usize {
        let length = tokens[from..].iter().position(|token| *token == ";").unwrap_or(tokens.len() - from);
        self.read_tree(&[], &tokens[from..from + length]);
        from + length + 1
    }

    /// One tree of a `use` declaration, below a prefix.
    fn read_tree(&mut self, prefix: &[String], tree: &[&str]) {
        let mut path = prefix.to_vec();
        for (at, token) in tree.iter().enumerate() {
            match *token {
                "::" => {}
                "{" => {
                    let inner = &tree[at + 1..tree.len() - 1];
                    branches(inner).into_iter().for_each(|branch| self.read_tree(&path, branch));
                    return;
                }
                "*" => {
                    self.paths.insert(path.clone());
                    self.globs.push(path);
                    return;
                }
                "as" => {
                    self.import(path, tree.get(at + 1).copied());
                    return;
                }
                name => path.push(name.to_owned()),
            }
        }
        self.import(path, None);
    }

    fn import(&mut self, path: ModulePath, alias: Option<&str>) {
        let own_name = path.iter().rev().find(|name| *name != "self").cloned();
        self.paths.insert(path.clone());
        if let Some(name) = alias.map(str::to_owned).or(own_name) {
            self.imports.insert(name, path);
        }
    }

    /// A path in code, or an item that is defined.
    fn read_path(&mut self, tokens: &[&str], from: usize) -> usize {
        const ITEMS: &[&str] =
            &["fn", "struct", "enum", "trait", "type", "const", "static", "macro_rules", "union", "mod"];
        if ITEMS.contains(&tokens[from]) {
            let name = tokens[from + 1..].iter().find(|token| is_name(token));
            self.paths.extend(name.map(|name| vec![String::new(), (*name).to_owned()]));
            return from + 1;
        }
        let mut path = vec![tokens[from].to_owned()];
        let mut at = from + 1;
        while at + 1 < tokens.len() && tokens[at] == "::" && is_name(tokens[at + 1]) {
            path.push(tokens[at + 1].to_owned());
            at += 2;
        }
        // `pub(in crate::x)` only says who may use it; after a point there is a method; `::x` is another crate.
        let follows = from.checked_sub(1).map(|before| tokens[before]);
        // `crate::x!` is an exported macro: its path does not name the file that defines it.
        let is_exported_macro = path.len() == 2 && path[0] == "crate" && tokens.get(at) == Some(&"!");
        if path.len() > 1 && !is_exported_macro && !matches!(follows, Some("in" | "." | "::")) {
            self.paths.insert(path);
        }
        at
    }
}

/// The trees of a group, between its commas.
fn branches<'t>(group: &'t [&'t str]) -> Vec<&'t [&'t str]> {
    let mut depth = 0_usize;
    let mut branches = group
        .split(|token| {
            match *token {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            *token == "," && depth == 0
        })
        .collect::<Vec<_>>();
    branches.retain(|branch| !branch.is_empty());
    branches
}

/// Names and keywords, `::`, and every other character that is no blank.
fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            ':' if rest.starts_with("::") => 2,
            _ if is_part(first) => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The circles among these files and empty lists of modules.
    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        let files = [("lib.rs", ""), ("x/mod.rs", "")].iter().chain(files);
        let source = |(path, code): &(&str, &str)| Source { path: (*path).into(), code: (*code).into() };
        let sources: Vec<_> = files.map(source).collect();
        ImportGraph::of(&sources).circles().iter().map(|circle| circle.join(" -> ")).collect()
    }

    #[test]
    fn two_files_that_import_each_other_are_a_circle() {
        let a = ("x/a.rs", "use super::b::B; struct A;");
        assert_eq!(circles(&[a, ("x/b.rs", "fn b() { crate::x::a::f() }")]), ["x/a.rs -> x/b.rs -> x/a.rs"]);
        assert!(circles(&[a, ("x/b.rs", "use std::fmt; struct B;")]).is_empty());
    }

    #[test]
    fn a_reexport_leads_to_the_file_that_defines_the_item() {
        let folder = ("x/mod.rs", "mod a; mod b; pub use a::A; pub use b::{inner::C, B};");
        let inner = ("x/b/inner.rs", "pub struct C; use crate::x::A;");
        let a = |imported: &'static str| ("x/a.rs", imported);
        let b = ("x/b.rs", "mod inner; pub struct B;");
        assert_eq!(
            circles(&[folder, inner, b, a("use super::C; struct A;")]),
            ["x/a.rs -> x/b/inner.rs -> x/a.rs"]
        );
        assert!(circles(&[folder, inner, b, a("use super::B; struct A;")]).is_empty());
    }

    #[test]
    fn a_module_that_is_imported_by_name_is_followed() {
        let folder = ("x/mod.rs", "pub mod a;");
        let a = ("x/a.rs", "use crate::y::{self, c::{self as other}}; fn a() { y::b::f() }");
        let (y, c) = (("y/mod.rs", "pub mod b; pub mod c;"), ("y/c.rs", ""));
        let b = |code: &'static str| ("y/b.rs", code);
        assert_eq!(
            circles(&[folder, a, y, c, b("use crate::x; fn b() { x::a::a() }")]),
            ["x/a.rs -> y/b.rs -> x/a.rs"]
        );
        assert!(circles(&[folder, a, y, c, b("fn b() { value.x(); other::a::a() }")]).is_empty());
    }

    #[test]
    fn a_longer_circle_is_printed_once() {
        let files =
            [("a.rs", "use crate::b::B;"), ("b.rs", "use super::c::C;"), ("c.rs", "use crate::a::A;")];
        assert_eq!(circles(&files), ["a.rs -> b.rs -> c.rs -> a.rs"]);
    }
}
