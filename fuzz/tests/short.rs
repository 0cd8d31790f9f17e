//! Every target with its first inputs and with changes of them, which are the same in every run. Coverage guides
//! nothing here, and no sanitizer looks: `make fuzz` has both.

use std::fs;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::process::Command;

use xs2a_fuzz::{check, TARGETS};

/// The first inputs of a target, in the order of their names.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds.py");
    assert!(Command::new("python3").arg(script).arg(folder.path()).arg(target).status().unwrap().success());
    let mut files: Vec<_> =
        fs::read_dir(folder.path().join(target)).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// The numbers of SplitMix64, from the beginning.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(end.max(1)).unwrap()).unwrap()
    }

    /// One of the inputs with one to four changes.
    fn changed(&mut self, inputs: &[Vec<u8>]) -> Vec<u8> {
        let mut input = inputs[self.below(inputs.len())].clone();
        for _ in 0..=self.below(4) {
            let (at, other) = (self.below(input.len()), &inputs[self.below(inputs.len())]);
            let length = 1 + self.below(16);
            let part = other.iter().copied().skip(self.below(other.len())).take(length);
            match self.below(5) {
                0 if !input.is_empty() => input[at] ^= 1 << self.below(8),
                1 => drop(input.drain(at..(at + length).min(input.len()))),
                2 => drop(input.splice(at..at, part.collect::<Vec<_>>())),
                3 => drop(input.splice(at..(at + length).min(input.len()), part.collect::<Vec<_>>())),
                _ => drop(input.splice(at..at, vec![b"0\"<,\\\0\xff9"[self.below(8)]; length])),
            }
        }
        input
    }
}

/// Checks the first inputs and so many changed ones.
fn run(target: &str, changed: usize) {
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "{target} has no first input");
    let mut numbers = Numbers(1);
    let changed = (0..changed).map(|_| numbers.changed(&seeds));
    for input in seeds.iter().cloned().chain(changed) {
        if catch_unwind(AssertUnwindSafe(|| check(target, &input))).is_err() {
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(target);
            fs::write(&file, input).unwrap();
            panic!("{target} failed; its input is {}", file.display());
        }
    }
}

/// A test for each target, and how many changed inputs it has: about three seconds of them.
macro_rules! short_runs {
    ($($target:ident: $changed:expr,)*) => {
        $(#[test]
        fn $target() {
            run(stringify!($target), $changed);
        })*

        #[test]
        fn every_target_is_run() {
            let names: Vec<_> = TARGETS.iter().map(|(name, _)| *name).collect();
            assert_eq!(names, [$(stringify!($target)),*]);
        }
    };
}

short_runs! {
    bank_answer: 4_000,
    certificate_chain: 200,
    configuration: 500,
    distinguished_name: 2_000,
    encoded_word: 4_000,
    http_message: 50,
    payment_body: 500,
    pem_bundle: 200,
    qc_statements: 2_000,
    revocation_list: 1_000,
    sandbox_state: 20,
    signature_header: 2_000,
    signed_walk: 20,
    signing_string: 2_000,
    trusted_list: 500,
}
