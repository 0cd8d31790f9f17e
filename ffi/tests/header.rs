//! The committed headers are those that the sources give, and every compiler of a host takes them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A header, and what it is made of.
struct Header {
    file: &'static str,
    /// The folder of the configuration and of the sources, from that of this package.
    folder: &'static str,
    /// In the order of the header: what the others are made of comes first.
    sources: &'static [&'static str],
    /// Sources that show nothing to C.
    inside: &'static [&'static str],
}

const ENGINE: Header = Header {
    file: "xs2a.h",
    folder: ".",
    sources: &[
        "version",
        "error",
        "abi",
        "bytes",
        "message",
        "engine",
        "bank",
        "writer",
        "own_engine",
        "trust",
        "upkeep",
        "operate",
        "statistics",
        "signature",
        "response_signature",
        "explain",
        "tools",
        "json",
    ],
    inside: &["guard", "lib", "library", "only_library", "time"],
};

/// What `libxs2a_sandbox` has beyond the first.
const SANDBOX: Header = Header {
    file: "xs2a_sandbox.h",
    folder: "sandbox",
    sources: &[
        "headers",
        "sandbox",
        "clock",
        "journal",
        "sca",
        "sca_demand",
        "state",
        "table",
        "tpp",
        "faults",
    ],
    inside: &["lib", "library"],
};

impl Header {
    fn folder(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(self.folder)
    }

    fn path(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../include").join(self.file)
    }

    fn generated(&self) -> String {
        let config = cbindgen::Config::from_file(self.folder().join("cbindgen.toml")).unwrap();
        let start = cbindgen::Builder::new().with_config(config);
        let source = |name: &&str| self.folder().join("src").join(name).with_extension("rs");
        let builder = self.sources.iter().fold(start, |builder, name| builder.with_src(source(name)));
        let mut text = Vec::new();
        builder.generate().unwrap().write(&mut text);
        String::from_utf8(text).unwrap()
    }

    fn is_current(&self) {
        let fresh = self.generated();
        if env::var_os("UPDATE").is_some() {
            fs::write(self.path(), &fresh).unwrap();
        }
        let committed = fs::read_to_string(self.path()).unwrap_or_default();
        assert!(
            committed == fresh,
            "include/{} is out of date: UPDATE=1 cargo test -p xs2a-ffi --test header",
            self.file
        );
    }

    fn has_every_source(&self) {
        for entry in fs::read_dir(self.folder().join("src")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let is_listed = self.sources.contains(&name) || self.inside.contains(&name);
            assert!(is_listed, "{}: {name}.rs is in neither list", self.file);
        }
    }
}

#[test]
fn headers_are_generated_from_the_sources() {
    ENGINE.is_current();
    SANDBOX.is_current();
}

#[test]
fn every_source_is_in_its_header() {
    ENGINE.has_every_source();
    SANDBOX.has_every_source();
}

fn is_here(compiler: &str) -> bool {
    Command::new(compiler).arg("--version").output().is_ok()
}

/// Of the second, which includes the first.
fn compiles(compiler: &str, standard: &str, language: &str) {
    let strict = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only"];
    if !is_here(compiler) {
        // Said, not hidden; where everything is checked it is an error.
        assert!(env::var_os("CI").is_none(), "{compiler} is needed");
        eprintln!("## SKIPPED: {compiler} is not on this machine. The headers are NOT compiled by it.");
        return;
    }
    let output = Command::new(compiler)
        .args([&format!("-std={standard}"), "-x", language])
        .args(strict)
        .arg(SANDBOX.path())
        .arg("-I")
        .arg(ENGINE.path().parent().unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_headers_compile_as_c11() {
    compiles("gcc", "c11", "c");
}

#[test]
fn the_headers_compile_as_cpp17() {
    compiles("g++", "c++17", "c++");
}
