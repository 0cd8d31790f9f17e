//! What a version of the generator generates stays the same.

use std::fmt::Write;

use xs2a::internal::sha256;
use xs2a::tables::{Population, PopulationOptions};
use xs2a::{GeneratorVersion, PopulationPlan};

/// Until the first release a change on purpose changes the hashes here; after it, a change is a new version.
const HASHES: &[(GeneratorVersion, &[(&str, &str)])] = &[(
    GeneratorVersion::V2026_1,
    &[
        ("customers", "aeb23da2ba47eaf24327a60cccf4111437e9705621f0cb364adc5be0396feea4"),
        ("agreements", "49526d08ed5a7e88ea333d6cc1ff559e537d534b9fa60152c57da2ec81b3ee00"),
        ("engagements", "a49354396c2094a0bc43ce0f47108df235c4f29018f7598c6404e283132a230f"),
        ("accounts", "ef85926e3cabb92ecf5cb572c692938ed7e1799139a3a2a091430780b6276d79"),
        ("card_accounts", "f1bc5c11385eb37acab0428a3e674724914e4cc3572b19b7092411d4a488e210"),
        ("transactions", "417cacc5657a0879fd522b2ed1ac261639e98c216ab64d43210241e6e209af75"),
        ("card_transactions", "da37c4825cf9f31f7296ba96bc8c0b5048ebaeeb8aacd3f133c20d6039d5c839"),
    ],
)];

fn hash(population: &Population, table: &str) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    population.table(table, None).unwrap().write_csv(file.path()).unwrap();
    sha256(&std::fs::read(file.path()).unwrap()).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

#[test]
fn each_version_generates_what_it_generated_before() {
    assert!(GeneratorVersion::ALL.iter().eq(HASHES.iter().map(|(version, _)| version)));
    for (generator, tables) in HASHES {
        let plan = PopulationPlan { persons: 60, companies: 3, months: 14, generator: *generator };
        let now = "2026-09-01T10:00:00Z".parse().unwrap();
        let population =
            Population::new(&PopulationOptions { plan, now, seed: 2026, partition: 0, of: 1 }).unwrap();
        assert!(population.tables().iter().eq(tables.iter().map(|(name, _)| name)));
        let found: Vec<_> = tables.iter().map(|(name, _)| (*name, hash(&population, name))).collect();
        let expected: Vec<_> = tables.iter().map(|(name, hash)| (*name, (*hash).to_owned())).collect();
        assert_eq!(found, expected, "{}", generator.as_str());
    }
}
