//! Names that show that they are invented: an adjective and a thing, as the synthetic persons of Norway's tax
//! administration are called. Words that are surnames in Norway are left out.

use super::chance::Chance;

const ADJECTIVES: &[&str] = &[
    "Blid",
    "Bølgete",
    "Dempet",
    "Doven",
    "Dyp",
    "Fjern",
    "Flat",
    "Fremmed",
    "Gjestfri",
    "Glatt",
    "Grønn",
    "Hul",
    "Iskald",
    "Krum",
    "Kvikk",
    "Lett",
    "Livlig",
    "Morken",
    "Myk",
    "Nysgjerrig",
    "Oppskåret",
    "Prikkete",
    "Rolig",
    "Rund",
    "Rutete",
    "Skrå",
    "Smal",
    "Sprø",
    "Stille",
    "Stripete",
    "Søvnig",
    "Tapper",
    "Tørr",
    "Våken",
    "Årvåken",
];
const THINGS: &[&str] = &[
    "Appelsin",
    "Blyant",
    "Bokhylle",
    "Brødrister",
    "Dørmatte",
    "Eggekopp",
    "Fjærpenn",
    "Flaggstang",
    "Gressklipper",
    "Gulrot",
    "Hengekøye",
    "Kaffekanne",
    "Kompass",
    "Kålrot",
    "Lyktestolpe",
    "Matboks",
    "Notatblokk",
    "Ostehøvel",
    "Paraply",
    "Pølse",
    "Ryggsekk",
    "Salatbolle",
    "Sjøstjerne",
    "Skistav",
    "Snøfreser",
    "Sparkstøtting",
    "Speilbilde",
    "Stetoskop",
    "Stoppeklokke",
    "Syltetøy",
    "Såpeboble",
    "Tekanne",
    "Trillebår",
    "Trommestikke",
    "Ullteppe",
    "Vaffel",
    "Vannkanne",
    "Vindmølle",
    "Åttekant",
    "Ørepropp",
];

/// A person's.
pub(super) fn of_person(chance: &mut Chance) -> String {
    format!("{} {}", chance.word(ADJECTIVES), chance.word(THINGS))
}

/// A company's.
pub(super) fn of_company(chance: &mut Chance) -> String {
    let adjective = chance.word(ADJECTIVES);
    let others: Vec<_> = ADJECTIVES.iter().copied().filter(|other| *other != adjective).collect();
    format!("{adjective} {} {} AS", chance.word(&others).to_lowercase(), chance.word(THINGS))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::types::{Name, Repertoire};

    #[test]
    fn every_word_is_there_once_and_names_are_such_as_a_customer_may_have() {
        for table in [ADJECTIVES, THINGS] {
            assert_eq!(table.iter().collect::<HashSet<_>>().len(), table.len());
            assert!(table.is_sorted(), "in the order of the code points");
        }
        let mut chance = Chance::of(3);
        for _ in 0..1_000 {
            for name in [of_person(&mut chance), of_company(&mut chance)] {
                assert!(Name::parse(&name, Repertoire::Latin1).is_ok(), "{name}");
            }
        }
    }
}
