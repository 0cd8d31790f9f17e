//! The behaviour corpus: what a sandbox answered to some thousand requests when they were recorded, compared call by
//! call with what it answers now. `UPDATE=1` records it again.
#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

#[path = "../support/mod.rs"]
mod support;

mod bodies;
mod chapters;
mod codes;
mod contents;
mod dice;
mod files;
mod management;
mod normal;
mod orders;
mod reading;
mod reasons;
mod recorder;
mod requests;
mod site;
mod walk;

use std::collections::BTreeSet;

use chapters::CHAPTERS;
use contents::Contents;
use support::{fakes, sandbox_examples, world};
use xs2a::internal::{OPERATIONS, SANDBOX_OPERATIONS};
use xs2a::reason::Reason;

/// Fewer requests than this do not describe the behaviour.
const CALLS_MIN: usize = 5_000;
/// All files together: what a clone of the repository can bear.
const BYTES_MAX: u64 = 1 << 20;

/// Records every chapter of one half; two tests, so that both processors work.
fn assert_recorded(half: usize) {
    files::assert_as_recorded(CHAPTERS.iter().skip(half).step_by(2).map(|(name, record)| (*name, record())));
}

#[test]
fn even_chapters_are_answered_as_recorded() {
    assert_recorded(0);
}

#[test]
fn odd_chapters_are_answered_as_recorded() {
    assert_recorded(1);
}

#[test]
fn a_second_recording_and_one_with_other_random_ids_are_the_same() {
    let recorded = |seed| {
        let options = xs2a::SandboxOptions { seed, ..xs2a::SandboxOptions::default() };
        walk::walked(recorder::Recorder::with(101, options), 300)
    };
    let first = recorded(1);
    assert_eq!(first, recorded(1));
    assert_eq!(first, recorded(2));
}

#[test]
fn every_recorded_file_is_of_a_chapter_and_all_together_are_small() {
    let names: BTreeSet<_> = CHAPTERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let (recorded, bytes) = files::recorded();
    assert_eq!(recorded.into_iter().collect::<BTreeSet<_>>(), names);
    assert!(bytes <= BYTES_MAX, "{bytes} bytes");
}

#[test]
fn every_operation_product_and_code_is_recorded() {
    let contents = Contents::of_all();
    assert!(contents.calls >= CALLS_MIN, "{} calls", contents.calls);
    let operations = OPERATIONS.iter().chain(SANDBOX_OPERATIONS).map(|operation| operation.name);
    let missing: Vec<_> = operations.filter(|name| !contents.answered.contains(name)).collect();
    assert!(missing.is_empty(), "no request of them is answered 2xx: {missing:?}");
    for product in orders::PRODUCTS {
        assert!(contents.created.contains(product), "{product}");
    }
    for code in world::answer::CODES {
        assert!(contents.codes.contains(code), "{code}");
    }
}

#[test]
fn every_reason_of_the_table_is_recorded() {
    let contents = Contents::of_all();
    let missing = Reason::ALL.iter().map(|reason| reason.id()).filter(|id| !contents.reasons.contains(*id));
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
}
