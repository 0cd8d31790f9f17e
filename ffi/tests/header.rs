//! The committed header is the one the sources give, and every compiler of a host takes it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// In the order of the header: what the others are made of comes first.
const SOURCES: [&str; 22] = [
    "version",
    "error",
    "abi",
    "message",
    "engine",
    "bank",
    "writer",
    "own_engine",
    "trust",
    "upkeep",
    "sandbox",
    "clock",
    "journal",
    "sca",
    "sca_demand",
    "state",
    "tpp",
    "faults",
    "signature",
    "response_signature",
    "tools",
    "json",
];

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn header() -> PathBuf {
    package().join("../include/xs2a.h")
}

fn generated() -> String {
    let config = cbindgen::Config::from_file(package().join("cbindgen.toml")).unwrap();
    let start = cbindgen::Builder::new().with_config(config);
    let source = |name| package().join("src").join(name).with_extension("rs");
    let builder = SOURCES.iter().fold(start, |builder, name| builder.with_src(source(name)));
    let mut text = Vec::new();
    builder.generate().unwrap().write(&mut text);
    String::from_utf8(text).unwrap()
}

#[test]
fn the_header_is_generated_from_the_sources() {
    let fresh = generated();
    if env::var_os("UPDATE").is_some() {
        fs::write(header(), &fresh).unwrap();
    }
    let committed = fs::read_to_string(header()).unwrap_or_default();
    assert!(
        committed == fresh,
        "include/xs2a.h is out of date: UPDATE=1 cargo test -p xs2a-ffi --test header"
    );
}

#[test]
fn every_source_is_in_the_header() {
    let inside = ["guard", "lib"];
    for entry in fs::read_dir(package().join("src")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(SOURCES.contains(&name) || inside.contains(&name), "{name}.rs is in neither list");
    }
}

fn is_here(compiler: &str) -> bool {
    Command::new(compiler).arg("--version").output().is_ok()
}

fn compiles(compiler: &str, standard: &str, language: &str) {
    let strict = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only"];
    if !is_here(compiler) {
        // Said, not hidden; where everything is checked it is an error.
        assert!(env::var_os("CI").is_none(), "{compiler} is needed");
        eprintln!("## SKIPPED: {compiler} is not on this machine. The header is NOT compiled by it.");
        return;
    }
    let output = Command::new(compiler)
        .args([&format!("-std={standard}"), "-x", language])
        .args(strict)
        .arg(header())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_header_compiles_as_c11() {
    compiles("gcc", "c11", "c");
}

#[test]
fn the_header_compiles_as_cpp17() {
    compiles("g++", "c++17", "c++");
}
