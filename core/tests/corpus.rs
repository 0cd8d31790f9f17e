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

mod fakes;
mod sandbox_examples;
mod world;

#[path = "corpus/chapters.rs"]
mod chapters;
#[path = "corpus/codes.rs"]
mod codes;
#[path = "corpus/contents.rs"]
mod contents;
#[path = "corpus/dice.rs"]
mod dice;
#[path = "corpus/files.rs"]
mod files;
#[path = "corpus/management.rs"]
mod managing;
#[path = "corpus/normal.rs"]
mod normal;
#[path = "corpus/orders.rs"]
mod orders;
#[path = "corpus/bodies.rs"]
mod payment_bodies;
#[path = "corpus/reading.rs"]
mod reading;
#[path = "corpus/recorder.rs"]
mod recorder;
#[path = "corpus/requests.rs"]
mod requests;
#[path = "corpus/site.rs"]
mod site;
#[path = "corpus/walk.rs"]
mod walk;

// The requests of the tests of reasons.
#[path = "reasons/access.rs"]
mod access;
#[path = "reasons/authority.rs"]
mod authority;
#[path = "reasons/baskets.rs"]
mod baskets;
#[path = "reasons/bodies.rs"]
mod bodies;
#[path = "reasons/callbacks.rs"]
mod callbacks;
#[path = "reasons/case.rs"]
#[expect(dead_code, reason = "the corpus makes the requests; the tests of reasons judge the answers")]
mod case;
#[path = "reasons/certificates.rs"]
mod certificates;
#[path = "reasons/decisions.rs"]
mod decisions;
#[path = "reasons/every_case.rs"]
mod every_case;
#[path = "reasons/faults.rs"]
mod faults;
#[path = "reasons/headers.rs"]
mod headers;
#[path = "reasons/management.rs"]
mod management;
#[path = "reasons/queries.rs"]
mod queries;
#[path = "reasons/seams.rs"]
mod seams;
#[path = "reasons/signatures.rs"]
mod signatures;
#[path = "reasons/system.rs"]
mod system;

use std::collections::BTreeSet;

use chapters::CHAPTERS;
use contents::Contents;
use xs2a::operation::OPERATIONS;
use xs2a::reason::Reason;
use xs2a::sandbox::management::OPERATIONS as SANDBOX_OPERATIONS;

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
