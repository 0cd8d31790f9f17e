//! The target that `XS2A_FUZZ_TARGET` names. One program has all of them: each alone would be as large.
#![no_main]

use std::env;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<String> =
    LazyLock::new(|| env::var("XS2A_FUZZ_TARGET").expect("XS2A_FUZZ_TARGET names a target"));

fuzz_target!(|input: &[u8]| xs2a_fuzz::check(&TARGET, input));
