//! Each reason in the table has a request that is refused with exactly it: its id, status and code, its text in both
//! languages, its place, one message alone, and nothing stored.

mod access;
mod authority;
pub(crate) mod case;
mod seams;

mod baskets;
mod bodies;
mod callbacks;
mod certificates;
mod decisions;
pub(crate) mod every_case;
mod faults;
mod headers;
mod management;
mod messages;
mod queries;
mod signatures;
mod system;

use crate::world::{self, World};
use case::Earned;
use every_case::cases;
use xs2a::reason::{Case as ReasonCase, Language, Reason, Violation};
use xs2a::types::{Amount, Currency};

#[test]
fn every_case_earns_exactly_its_reason_in_both_languages() {
    let world = World::new();
    let mut wrong = Vec::new();
    for case in cases() {
        for language in [Language::English, Language::Bokmal] {
            let judged =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| case.check(&world, language)));
            if judged.is_err() {
                wrong.push(format!("{} in {language:?}", case.id));
            }
        }
    }
    assert!(wrong.is_empty(), "see above: {}", wrong.join(", "));
}

#[test]
fn every_row_of_the_table_has_a_case_that_is_not_a_mere_warning() {
    let cases = cases();
    for reason in Reason::ALL {
        let only_warns = reason.status() == 201;
        let is_earned = cases
            .iter()
            .any(|case| case.id == reason.id() && (only_warns || !matches!(case.kind, case::Kind::Warning)));
        assert!(is_earned, "no request earns {}", reason.id());
    }
}

#[test]
fn every_case_is_of_a_row() {
    for case in cases() {
        assert!(Reason::ALL.iter().any(|reason| reason.id() == case.id), "{} is no row", case.id);
    }
}

#[test]
fn ids_are_unique_and_both_languages_take_the_same_arguments() {
    let mut ids: Vec<_> = Reason::ALL.iter().map(|reason| reason.id()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), Reason::ALL.len());
    for reason in Reason::ALL {
        let placeholders = |language| -> Vec<usize> {
            (0..9).filter(|index| reason.template(language).contains(&format!("{{{index}}}"))).collect()
        };
        let english = placeholders(Language::English);
        assert_eq!(english, placeholders(Language::Bokmal), "{}", reason.id());
        assert!(english.iter().copied().eq(0..english.len()), "{}: gaps", reason.id());
        let codes = world::answer::CODES;
        assert!(codes.contains(&reason.code().as_str()), "{}", reason.id());
    }
}

#[test]
fn a_case_takes_no_arguments_but_those_of_its_row_in_both_languages() {
    for case in ReasonCase::ALL {
        let [english, bokmal, row] = [
            case.template(Language::English),
            case.template(Language::Bokmal),
            case.reason().template(Language::English),
        ];
        for place in (0..9).map(|index| format!("{{{index}}}")) {
            assert_eq!(english.contains(&place), bokmal.contains(&place), "{case:?}");
            assert!(row.contains(&place) || !english.contains(&place), "{case:?}");
        }
    }
}

#[test]
fn a_count_of_one_is_worded_in_the_singular() {
    let amount = Amount::parse("1.5", Currency::NOK).unwrap_err();
    for (violation, english, bokmal) in [
        (
            Violation::with(Reason::BodyTooLarge, &[&1]),
            "the body has more bytes than the 1 allowed",
            "innholdet har mer enn 1 byte",
        ),
        (
            Violation::with(Reason::TextTooShort, &[&4, &1]),
            "the text is too short: at least 4 characters are needed, and it has 1",
            "teksten har 1 tegn; minst 4 trengs",
        ),
        (amount, "the amount has 1 fraction digit; NOK has 2", "beløpet har 1 desimal; NOK har 2"),
    ] {
        assert_eq!(violation.text(Language::English), english);
        assert_eq!(violation.text(Language::Bokmal), bokmal);
    }
}

#[test]
fn a_date_is_spelt_in_bokmal_in_bokmal() {
    let templates = Reason::ALL.iter().map(|reason| reason.template(Language::Bokmal));
    let of_cases = ReasonCase::ALL.iter().map(|case| case.template(Language::Bokmal));
    for text in templates.chain(of_cases) {
        assert!(!text.contains("YYYY"), "{text}");
    }
}

/// The sandbox's injected faults use the others' codes, and do not count as causes.
#[test]
fn every_code_of_the_contract_has_a_cause() {
    for code in world::answer::CODES {
        let causes = |reason: &&Reason| reason.code().as_str() == code && !reason.id().starts_with("FLT-");
        assert!(Reason::ALL.iter().any(|reason| causes(&reason)), "{code}");
    }
}

/// Each refused request is followed by a comparison of the database, byte for byte; here is what that sees.
#[test]
fn a_payment_that_is_stored_shows_in_the_bytes_of_the_database() {
    let world = World::new();
    let before = world::draft::database(&world.sandbox);
    assert!(world.get(world::STRAKS).status() == 405 && world::draft::database(&world.sandbox) == before);
    assert_eq!(world.create(world::STRAKS, &world::straks()).status(), 201);
    assert!(world::draft::database(&world.sandbox) != before);
}

/// The families that speak of a failed SCA travel in the call-back.
#[test]
fn every_sca_reason_is_earned_in_a_call_back() {
    for case in cases().iter().filter(|case| case.id.starts_with("SCA")) {
        assert!(matches!(case.kind, case::Kind::CallBack), "{}", case.id);
        let earned = case.earn(&World::new(), Language::English);
        assert!(matches!(earned, Earned::CalledBack { .. }), "{}", case.id);
    }
}
