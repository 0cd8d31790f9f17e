//! The order of the layers. A path to a higher layer fails here, by name of the file, as does a backend named outside
//! its folder. Test code may name anything.

use std::collections::BTreeSet;

use crate::import_graph::ImportGraph;
use crate::rust_source::{binding, library, Source};

/// From the ground up: a file may name modules of its own layer and of those below.
const LAYERS: &[(&str, &[&str])] = &[
    ("values", &["types", "limits", "reason", "machine", "error", "handler_error"]),
    ("edges", &["crypto", "env", "policy", "wire", "operation"]),
    (
        "domain",
        &["tpp", "trust", "sca", "session", "consent", "payment", "basket", "account", "audit", "statistics"],
    ),
    ("seams", &["bank", "store", "json_bank"]),
    ("sandbox", &["sandbox"]),
    ("tables", &["tables"]),
    ("pipeline", &["pipeline"]),
    ("interface", &["engine", "explain", "internal", "openapi", "sandbox_control", "tools"]),
];

/// Edges that go down and are wrong all the same: a production engine has no sandbox in it, and does not search for
/// the mistakes of its callers while it answers.
const FORBIDDEN: &[(&str, &str)] =
    &[("pipeline", "sandbox"), ("engine", "sandbox"), ("engine", "explain"), ("store", "bank")];

/// Names that occur only in these places of the core and of the language bindings.
const CONFINED: &[(&str, &[&str])] = &[
    // One folder per database; everything else sees the seam.
    ("rusqlite", &["store/sqlite/"]),
    ("postgres", &["store/postgres/", "store/mod.rs", "store/open.rs", "internal.rs"]),
    ("tokio", &["store/postgres/"]),
    ("tokio_postgres", &["store/postgres/"]),
    // TLS is that store's alone, with the cryptography of the seam.
    ("rustls", &["store/postgres/", "crypto/tls.rs"]),
    ("tokio_postgres_rustls", &["store/postgres/"]),
    // JSON becomes valid types in wire, and nowhere else; a program in C has one member of a text read to it.
    ("serde_json", &["wire/", "ffi/src/json.rs"]),
    ("serde_path_to_error", &["wire/"]),
    // XML is the trusted list's.
    ("quick_xml", &["trust/trusted_list.rs"]),
    // Cryptography is one seam with two implementations.
    ("aws_lc_rs", &["crypto/"]),
    ("rsa", &["crypto/"]),
    ("sha2", &["crypto/"]),
    ("hmac", &["crypto/"]),
    ("md5", &["crypto/"]),
    ("sha1", &["crypto/"]),
    ("num_bigint", &["crypto/"]),
    // HTML and forms are the SCA page's.
    ("maud", &["sandbox/page/"]),
    ("form_urlencoded", &["sandbox/page/"]),
    // Prometheus' format is of one file.
    ("prometheus", &["engine/metrics.rs"]),
    // Arrow and Parquet are the tables' alone.
    ("arrow_array", &["tables/"]),
    ("arrow_ipc", &["tables/"]),
    ("arrow_schema", &["tables/"]),
    ("parquet", &["tables/"]),
    // The time is read in one place, once per call.
    ("SystemTime", &["env/clock.rs"]),
    // Response times, and how long another process holds a file, are no times of the bank's. The Python binding has a
    // type of that name.
    ("Instant", &["env/clock.rs", "store/sqlite/connection.rs", "python/src/"]),
    // Randomness too.
    ("getrandom", &["env/entropy.rs"]),
    ("unsafe", &["ffi/src/", "ffi/sandbox/src/"]),
];

#[test]
fn no_module_names_a_higher_layer() {
    let mut faults = Vec::new();
    for source in library().iter().filter(|source| source.path != "lib.rs") {
        let Some(own) = layer(source.module()) else {
            faults.push(format!("{}: `{}` has no row in LAYERS", source.path, source.module()));
            continue;
        };
        for target in named_modules(source) {
            match layer(&target) {
                None => faults
                    .push(format!("{}: names `crate::{target}`, which has no row in LAYERS", source.path)),
                Some(_) if FORBIDDEN.contains(&(source.module(), target.as_str())) => {
                    faults.push(format!("{}: must not name `{target}`", source.path));
                }
                Some(other) if other <= own => {}
                Some(other) => faults.push(format!(
                    "{}: layer {} names `{target}` of the higher layer {}",
                    source.path, LAYERS[own].0, LAYERS[other].0
                )),
            }
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let circles = ImportGraph::of(&library()).circles();
    let faults: Vec<_> = circles.iter().map(|circle| circle.join(" -> ")).collect();
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// What stages share is below them.
#[test]
fn the_shared_files_of_the_pipeline_import_no_stage() {
    let graph = ImportGraph::of(&library());
    let is_stage = |file: &str| file.starts_with("pipeline/stages/");
    let is_shared = |file: &str| file.starts_with("pipeline/") && !is_stage(file);
    let faults: Vec<_> = graph
        .imports()
        .filter(|(file, imported)| is_shared(file) && is_stage(imported))
        .map(|(file, imported)| format!("{file}: imports {imported}"))
        .collect();
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn backends_time_and_randomness_are_named_only_in_their_place() {
    let mut faults = Vec::new();
    for source in library()
        .into_iter()
        .chain(binding("ffi/src"))
        .chain(binding("ffi/sandbox/src"))
        .chain(binding("python/src"))
    {
        for (name, places) in CONFINED {
            if places.iter().any(|place| source.path.starts_with(place)) {
                continue;
            }
            for (number, line) in source.code.lines().enumerate() {
                if words(line).any(|word| word == *name) && !line.contains("#![forbid(unsafe_code)]") {
                    faults.push(format!("{}:{}: names `{name}`", source.path, number + 1));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn the_crate_forbids_unsafe_code() {
    let library = library();
    let crate_root = library.iter().find(|source| source.path == "lib.rs").expect("lib.rs");
    assert!(crate_root.code.contains("#![forbid(unsafe_code)]"));
}

/// The place of a module in the order.
fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|(_, modules)| modules.contains(&module))
}

/// Names and keywords of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The modules of the crate that a file names, its own left out: by `crate::` or by `super::` up to the root.
fn named_modules(source: &Source) -> BTreeSet<String> {
    let code: String = source.code.split_whitespace().collect::<Vec<_>>().join(" ").replace(" :: ", "::");
    let mut names = BTreeSet::new();
    let to_root = "super::".repeat(source.depth());
    for prefix in ["crate::", to_root.as_str()] {
        if prefix.is_empty() {
            continue;
        }
        for (at, _) in code.match_indices(prefix) {
            // `pub(in crate::x)` only limits visibility; `a_crate::` is another word.
            let before = code[..at].trim_end();
            if before.ends_with("(in")
                || code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
            {
                continue;
            }
            let path = &code[at + prefix.len()..];
            // `crate::x!` is an exported macro: its path does not name the module that defines it.
            let after = path.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
            if !after.starts_with('!') {
                names.extend(heads(path));
            }
        }
    }
    names.remove(source.module());
    names.retain(|name| !CRATE_ROOT.contains(&name.as_str()));
    names
}

/// Re-exports of `lib.rs` that files may name shortly.
const CRATE_ROOT: &[&str] = &["self"];

/// The first segments of a path: one name, or those of a group in braces.
fn heads(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else {
        return words(path).next().map(str::to_owned).into_iter().collect();
    };
    let mut depth = 0_usize;
    let mut entries = vec![String::new()];
    for c in group.chars() {
        match c {
            '}' if depth == 0 => break,
            ',' if depth == 0 => entries.push(String::new()),
            _ => {
                depth = depth + usize::from(c == '{') - usize::from(c == '}');
                entries.last_mut().expect("never empty").push(c);
            }
        }
    }
    entries.iter().filter_map(|entry| words(entry).next().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust_source::blank_texts_and_comments;

    fn source(path: &str, code: &str) -> Source {
        Source { path: path.to_owned(), code: blank_texts_and_comments(code) }
    }

    fn names(path: &str, code: &str) -> Vec<String> {
        named_modules(&source(path, code)).into_iter().collect()
    }

    #[test]
    fn every_way_to_name_a_module_is_seen() {
        assert_eq!(names("sca/record.rs", "use crate::bank::Psu;"), ["bank"]);
        assert_eq!(names("sca/record.rs", "fn f() { crate::bank::g() }"), ["bank"]);
        assert_eq!(
            names("sca/record.rs", "use crate::{\n bank::{Psu, x::Y},\n store,\n};"),
            ["bank", "store"]
        );
        assert_eq!(names("sca/record.rs", "use super::super::bank::Psu;"), ["bank"]);
        assert_eq!(names("policy.rs", "use super::bank::Psu;"), ["bank"]);
        assert_eq!(names("sca/mod.rs", "use super::bank::Psu;"), ["bank"]);
    }

    #[test]
    fn what_only_looks_like_a_path_is_not_seen() {
        assert!(names("sca/record.rs", "// crate::bank::Psu").is_empty());
        assert!(names("sca/record.rs", "/// [`x`](crate::bank)").is_empty());
        assert!(names("sca/record.rs", "let x = \"crate::bank\";").is_empty());
        assert!(names("sca/record.rs", "let x = r#\"a \" crate::bank\"#;").is_empty());
        assert!(names("sca/record.rs", "pub(in crate::sca) fn f() {}").is_empty());
        assert!(names("sca/record.rs", "use super::machine::ScaStatus;").is_empty());
        assert!(
            names("sca/record.rs", "let quote = '\"'; /* crate::bank */ let life: &'static str;").is_empty()
        );
    }
}
