//! Account numbers that no bank gives out, and no account has.

use crate::error::{Error, Result};
use crate::store::sqlite::sandbox::Books;
use crate::types::{Bban, Iban};

/// The register number that new numbers begin with. No bank has it, so a new number is no customer's of a real bank;
/// that of the default set is a bank's.
const BANK: &str = "9999";
/// How many numbers follow it, before their check digit.
const SERIALS: u64 = 1_000_000;
/// The first numbers are reserved for persons without an account here, so that none is assigned to a customer later.
const KEPT: u64 = 1_000;
/// How often it is tried. With a million numbers, of which one in eleven has no check digit, this is never too few for
/// a bank of half as many accounts.
const ATTEMPTS: usize = 100;

/// A Norwegian account number that is not taken, with its check digit, by what was drawn.
///
/// # Errors
/// Those of `draw` and `is_taken`; [`Error::Misuse`] where numbers run out.
pub(super) fn draw(
    mut draw: impl FnMut() -> Result<u64>,
    is_taken: impl Fn(&Bban) -> Result<bool>,
) -> Result<(Bban, Iban)> {
    for _ in 0..ATTEMPTS {
        let serial = draw()? % SERIALS;
        let drawn = if serial < KEPT { None } else { numbered(serial) };
        if let Some((bban, iban)) = drawn {
            if !is_taken(&bban)? {
                return Ok((bban, iban));
            }
        }
    }
    Err(Error::Misuse("the sandbox bank has hardly an account number left".to_owned()))
}

/// Whether an account or a card account has the number. A deleted card account is still listed with its own.
///
/// # Errors
/// [`Error::Store`].
pub(super) fn is_taken(books: &Books<'_>, bban: &Bban) -> Result<bool> {
    Ok(books.ledger_account_by_bban(bban)?.is_some()
        || !books.card_ledger_accounts_by_account_number(bban.as_str())?.is_empty())
}

/// How many pairs of numbers there are.
pub(super) const PAIRS: u64 = (SERIALS - KEPT) / 2;

/// The first number of a pair. Both numbers differ in one digit that weighs two, so at least one has a check digit.
pub(super) fn of_pair(pair: u64) -> Option<(Bban, Iban)> {
    let first = KEPT + 2 * pair;
    (first..=first + 1).find_map(numbered)
}

/// The numbers that [`draw`] never gives.
pub(super) fn kept() -> impl Iterator<Item = (Bban, Iban)> {
    (0..KEPT).filter_map(numbered)
}

/// The account number of a serial; `None` where no check digit fits.
fn numbered(serial: u64) -> Option<(Bban, Iban)> {
    (0..10_u8).find_map(|check| {
        let bban = Bban::parse(&format!("{BANK}{serial:06}{check}")).ok()?;
        let fits = bban.norwegian_check_digit_ok();
        fits.then(|| Iban::of_norwegian(&bban).map(|iban| (bban, iban))).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{account_number_is_valid, iban_is_valid};

    fn drawn(serial: u64, is_taken: bool) -> Result<String> {
        draw(|| Ok(serial), |_| Ok(is_taken)).map(|(bban, _)| bban.as_str().to_owned())
    }

    #[test]
    fn ten_numbers_in_eleven_have_a_check_digit() {
        let numbers: Vec<_> = (0..1_100).filter_map(numbered).collect();
        assert_eq!(numbers.len(), 1_000);
        for (bban, iban) in numbers {
            assert!(account_number_is_valid(bban.as_str()) && iban_is_valid(iban.as_str()));
        }
    }

    #[test]
    fn every_pair_has_a_number_of_its_own() {
        for pair in (0..2_000).chain(PAIRS - 2_000..PAIRS) {
            let (bban, _) = of_pair(pair).unwrap();
            let serial: u64 = bban.as_str().get(4..10).unwrap().parse().unwrap();
            assert_eq!((serial - KEPT) / 2, pair);
        }
    }

    #[test]
    fn where_every_draw_is_taken_or_kept_it_says_so() {
        assert_eq!(drawn(1_000, false).unwrap(), "99990010001");
        assert!(matches!(drawn(1_000, true), Err(Error::Misuse(_))));
        assert!(matches!(drawn(999, false), Err(Error::Misuse(_))));
        let without_digit = (KEPT..).find(|serial| numbered(*serial).is_none()).unwrap();
        assert!(matches!(drawn(without_digit, false), Err(Error::Misuse(_))));
    }

    #[test]
    fn what_is_kept_ends_where_draws_begin() {
        let (last, _) = kept().last().unwrap();
        assert!(last.as_str() < "99990010001" && *last.as_str() > *"9999000990");
    }
}
