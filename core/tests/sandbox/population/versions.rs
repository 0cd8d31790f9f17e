//! What a version of the generator generates stays the same.

use std::collections::HashSet;
use std::fmt::Write;

use xs2a::internal::sha256;
use xs2a::tables::{Population, PopulationOptions};
use xs2a::{GeneratorVersion, PopulationPlan};

use super::labels::rows;

/// The tables of a population with so many cases of a thousand persons.
struct Frozen {
    generator: GeneratorVersion,
    cases: u64,
    hashes: &'static [(&'static str, &'static str)],
}

/// Until the first release a change on purpose changes the hashes here; after it, a change is a new version.
const FROZEN: &[Frozen] = &[
    Frozen {
        generator: GeneratorVersion::V2026_1,
        cases: 0,
        hashes: &[
            ("customers", "dfe98dbfc362754f57d3445b9f5db4e77ef74c4db42e822da72ceedb143be8c3"),
            ("agreements", "2974ee9842d748b3e9cd0c073e9df191872f941d246c71c7459f51839399948f"),
            ("engagements", "0a2177e0b4cde1425eecbd0a2befcd94462a8a136df9f6494dcceda607155b4c"),
            ("accounts", "09b23d304ad79ec1e435e11e89c8bc1b106d1459d2a5049d1306e96339367935"),
            ("card_accounts", "cb0377c71f680c012a317885d04c3abcc5a667f6bd68accdebcf8ea1c3ed8f34"),
            ("transactions", "7be8d9b4848484c20acfcaf8eac24b6bf86fc2f6304bf711f94fcd4de8f9581d"),
            ("card_transactions", "cca113c3517269055b3c71a6ebaf1a7998891165a2aa697fdf20692ac26ed9c6"),
            ("card_authorisations", "7d3ae28c93e99a5fdd71ae19d749ff1c67967f0b355e6432a8e54496d4fa52c3"),
        ],
    },
    Frozen {
        generator: GeneratorVersion::V2026_1,
        cases: 500,
        hashes: &[
            ("customers", "dfe98dbfc362754f57d3445b9f5db4e77ef74c4db42e822da72ceedb143be8c3"),
            ("agreements", "2974ee9842d748b3e9cd0c073e9df191872f941d246c71c7459f51839399948f"),
            ("engagements", "0a2177e0b4cde1425eecbd0a2befcd94462a8a136df9f6494dcceda607155b4c"),
            ("accounts", "cedf2018d979ce8cd6f2b0c46ee2983b6bef7dcde0cc081cebd8115d6242fbdb"),
            ("card_accounts", "cb0377c71f680c012a317885d04c3abcc5a667f6bd68accdebcf8ea1c3ed8f34"),
            ("transactions", "2cc413c57db7d3a48e9a53a2e01a891d29c2af25c02832d5047540ae526ca6e6"),
            ("card_transactions", "5a234bb60ac31d7ca09c2002e7693a9ff7c0734fb13dd5b465a41cf6f42979be"),
            ("card_authorisations", "f8d4421985beea6228cbfd996fb7d1d99807bd49916ad5294902dcbd66a54205"),
            ("transaction_labels", "51b679088a78bf3e9b841de02522d1fe9d04c576cb795391af7316dd8f7405f1"),
            ("cases", "f506aeceb6c9dfa32758e8c0325816336576175a3e8f5b5a860e9bc133d1aa04"),
            ("case_transactions", "ef8e4da9371dc1c7ea29f717f460ad3e44bbd811abdc896b2764fae3fad6df61"),
        ],
    },
];

fn hash(population: &Population, table: &str) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    population.table(table, None).unwrap().write_csv(file.path()).unwrap();
    sha256(&std::fs::read(file.path()).unwrap()).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

fn typologies(population: &Population) -> usize {
    rows(population, "cases", ["typology"]).into_iter().collect::<HashSet<_>>().len()
}

#[test]
fn each_version_generates_what_it_generated_before() {
    assert!(GeneratorVersion::ALL
        .iter()
        .all(|version| FROZEN.iter().any(|frozen| frozen.generator == *version)));
    for Frozen { generator, cases, hashes } in FROZEN {
        let plan = PopulationPlan {
            persons: 60,
            companies: 3,
            months: 14,
            cases: *cases,
            generator: *generator,
            ..PopulationPlan::DEFAULT
        };
        let now = "2026-09-01T10:00:00Z".parse().unwrap();
        let options = PopulationOptions { plan, now, seed: 2026, partition: 0, of: 1, labels: *cases > 0 };
        let population = Population::new(&options).unwrap();
        if *cases > 0 {
            assert_eq!(typologies(&population), 12);
        }
        assert!(population.tables().iter().eq(hashes.iter().map(|(name, _)| name)));
        let found: Vec<_> = hashes.iter().map(|(name, _)| (*name, hash(&population, name))).collect();
        let expected: Vec<_> = hashes.iter().map(|(name, hash)| (*name, (*hash).to_owned())).collect();
        assert_eq!(found, expected, "{} with {cases} cases", generator.as_str());
    }
}
