//! What a version of the generator generates stays the same.

use std::collections::HashSet;
use std::fmt::Write;

use xs2a::internal::sha256;
use xs2a::tables::{Population, PopulationOptions};
use xs2a::{GeneratorVersion, PopulationPlan};

use super::labels::rows;

/// The tables of a population with so many cases of a thousand persons, with life events or without.
struct Frozen {
    generator: GeneratorVersion,
    cases: u64,
    events: bool,
    hashes: &'static [(&'static str, &'static str)],
}

/// Until the first release a change on purpose changes the hashes here; after it, a change is a new version.
const FROZEN: &[Frozen] = &[
    Frozen {
        generator: GeneratorVersion::V2026_1,
        cases: 0,
        events: false,
        hashes: &[
            ("customers", "dfe98dbfc362754f57d3445b9f5db4e77ef74c4db42e822da72ceedb143be8c3"),
            ("agreements", "2974ee9842d748b3e9cd0c073e9df191872f941d246c71c7459f51839399948f"),
            ("engagements", "0a2177e0b4cde1425eecbd0a2befcd94462a8a136df9f6494dcceda607155b4c"),
            ("accounts", "8658d59ae0c3604f90864ce5495c8ab17c43107f70e4b066a57fd5e1ffe8c9de"),
            ("card_accounts", "cb0377c71f680c012a317885d04c3abcc5a667f6bd68accdebcf8ea1c3ed8f34"),
            ("transactions", "99a2a8e72782cb52bd61bf1089b32eb0b637aab5dbdf8960c394bbae6318942d"),
            ("card_transactions", "945a2645727ce2b5e17cb40aa1a936daecb4e722b2297634ff8d5ddc6144ad85"),
            ("card_authorisations", "cfb506d491fcd776802ad114506afcbc7a1e82eefa26977756fec87aa11398b6"),
        ],
    },
    Frozen {
        generator: GeneratorVersion::V2026_1,
        cases: 500,
        events: false,
        hashes: &[
            ("customers", "dfe98dbfc362754f57d3445b9f5db4e77ef74c4db42e822da72ceedb143be8c3"),
            ("agreements", "2974ee9842d748b3e9cd0c073e9df191872f941d246c71c7459f51839399948f"),
            ("engagements", "0a2177e0b4cde1425eecbd0a2befcd94462a8a136df9f6494dcceda607155b4c"),
            ("accounts", "73bbcaab438521e0e692d26c8cc3cb9c83f752ee96ee03027f1d38335cd36cb7"),
            ("card_accounts", "cb0377c71f680c012a317885d04c3abcc5a667f6bd68accdebcf8ea1c3ed8f34"),
            ("transactions", "22d29e8d46ac6490cb2f16afb67caeb7c8320a2386ed1d37d6109c275c1cc119"),
            ("card_transactions", "2acdc8f4a72d3740059f0600db126b9d689096ca419a299cfa229227a42382b0"),
            ("card_authorisations", "8beb5ba1dfee81329e8bab3c639de7b506bb46708ddf095af765c6e6c9046344"),
            ("transaction_labels", "06e94be4d500cb085691b7c5df70c912f87b69ccfe170a0715d229b97bd8cb66"),
            ("cases", "f506aeceb6c9dfa32758e8c0325816336576175a3e8f5b5a860e9bc133d1aa04"),
            ("case_transactions", "1de60b032aeef4fe96c73d2674b583c87c433eefde5655f334831bb1e5333ee8"),
        ],
    },
    Frozen {
        generator: GeneratorVersion::V2026_1,
        cases: 0,
        events: true,
        hashes: &[
            ("customers", "dfe98dbfc362754f57d3445b9f5db4e77ef74c4db42e822da72ceedb143be8c3"),
            ("agreements", "2974ee9842d748b3e9cd0c073e9df191872f941d246c71c7459f51839399948f"),
            ("engagements", "0a2177e0b4cde1425eecbd0a2befcd94462a8a136df9f6494dcceda607155b4c"),
            ("accounts", "8628828bbec6c800484f8d137ae404372cc29995fd470d5835d337e855dd22ba"),
            ("card_accounts", "cb0377c71f680c012a317885d04c3abcc5a667f6bd68accdebcf8ea1c3ed8f34"),
            ("transactions", "f8456df1d8cd6caaefd0aa45093773819869510c2d63aac3cb690f291863605d"),
            ("card_transactions", "f62b631d1b4e92eeb52f428bf79e8147f645965ac55259ed7d550cb0f52ad7f6"),
            ("card_authorisations", "0d87c4b33362f5f06f2e48bf60a29b8682320c19eea53345a091d060b73ea803"),
            ("transaction_labels", "f83d6af6dd92beab7654dae2e416e2a288037b8811b8ed52b3500a07069aae66"),
            ("cases", "df7d290667062607ebd47aa354fd5efae4bb62cd30e0b4b4f5fb8689222991c3"),
            ("case_transactions", "50dccf3361b569a008ec19623f5a2fe2683539744a5ba1904882eb5b6b2f84fc"),
            ("life_events", "0b32b17dd57fa78062d54a507f1af8ceccf62c44f48343a9b9628684e67da629"),
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
    for Frozen { generator, cases, events, hashes } in FROZEN {
        let plan = PopulationPlan {
            persons: 60,
            companies: 3,
            months: 14,
            cases: *cases,
            generator: *generator,
            events: *events,
            ..PopulationPlan::DEFAULT
        };
        let now = "2026-09-01T10:00:00Z".parse().unwrap();
        let labels = *cases > 0 || *events;
        let options = PopulationOptions { plan, now, seed: 2026, partition: 0, of: 1, labels };
        let population = Population::new(&options).unwrap();
        if *cases > 0 {
            assert_eq!(typologies(&population), 12);
        }
        assert!(population.tables().iter().eq(hashes.iter().map(|(name, _)| name)));
        let found: Vec<_> = hashes.iter().map(|(name, _)| (*name, hash(&population, name))).collect();
        let expected: Vec<_> = hashes.iter().map(|(name, hash)| (*name, (*hash).to_owned())).collect();
        assert_eq!(found, expected, "{} with {cases} cases, events: {events}", generator.as_str());
    }
}
