//! The table of the default set: who is a customer of a fresh sandbox, and of what.
//!
//! No person and no data in it is real. The customer numbers are those that the API's documentation publishes for
//! tests, and one with 80 added to its month, which is how synthetic persons are marked in Norway; names are invented.
//! Numbers and ids never change: people write them into their own tests.

use crate::store::sqlite::sandbox::{CustomerType, Role};
use crate::types::{Currency, KidAgreement, Modulus};

/// A row of the set: a customer and what is theirs.
pub(super) struct CustomerRow {
    pub(super) number: &'static str,
    pub(super) kind: CustomerType,
    pub(super) name: &'static str,
    pub(super) accounts: &'static [AccountRow],
    pub(super) cards: &'static [CardRow],
}

/// An account; its opening balance in whole units.
pub(super) struct AccountRow {
    pub(super) bban: &'static str,
    pub(super) currency: Currency,
    pub(super) kind: &'static AccountKind,
    pub(super) opening: i32,
}

/// What accounts of a kind share.
pub(super) struct AccountKind {
    pub(super) name: &'static str,
    pub(super) product: &'static str,
    pub(super) cash_account_type: &'static str,
}

/// A card account in NOK; nothing is owed on it at first.
pub(super) struct CardRow {
    pub(super) account_number: &'static str,
    pub(super) masked_pan: &'static str,
    pub(super) card_id: &'static str,
}

/// An agreement of a corporate customer.
pub(super) struct AgreementRow {
    pub(super) owner: &'static str,
    pub(super) name: &'static str,
}

const fn nok(bban: &'static str, kind: &'static AccountKind, opening: i32) -> AccountRow {
    AccountRow { bban, currency: Currency::NOK, kind, opening }
}

const fn eur(bban: &'static str, kind: &'static AccountKind, opening: i32) -> AccountRow {
    AccountRow { bban, currency: Currency::EUR, kind, opening }
}

const fn card(account_number: &'static str, masked_pan: &'static str, card_id: &'static str) -> CardRow {
    CardRow { account_number, masked_pan, card_id }
}

pub(super) const EVERYDAY: AccountKind =
    AccountKind { name: "Brukskonto", product: "BRUKSKONTO", cash_account_type: "CACC" };
pub(super) const SAVINGS: AccountKind =
    AccountKind { name: "Sparekonto", product: "SPAREKONTO", cash_account_type: "SVGS" };
pub(super) const JOINT: AccountKind =
    AccountKind { name: "Felleskonto", product: "FELLESKONTO", cash_account_type: "CACC" };
pub(super) const FOREIGN: AccountKind =
    AccountKind { name: "Valutakonto", product: "VALUTAKONTO", cash_account_type: "CACC" };
pub(super) const BUSINESS: AccountKind =
    AccountKind { name: "Driftskonto", product: "DRIFTSKONTO", cash_account_type: "CACC" };
pub(super) const TAX: AccountKind =
    AccountKind { name: "Skattekonto", product: "SKATTETREKK", cash_account_type: "TAXE" };
const INCOMING: AccountKind =
    AccountKind { name: "Innbetalinger", product: "DRIFTSKONTO", cash_account_type: "CACC" };

pub(super) const CUSTOMERS: &[CustomerRow] = &[
    CustomerRow {
        number: "13039319955",
        kind: CustomerType::Private,
        name: "Testodius Test",
        accounts: &[nok("95360573002", &EVERYDAY, 100_000), nok("95360573010", &SAVINGS, 250_000)],
        cards: &[card("95360573029", "123456******0001", "TESTCARD0001")],
    },
    CustomerRow {
        number: "12085592767",
        kind: CustomerType::Private,
        name: "Testine Test",
        accounts: &[nok("95360573037", &EVERYDAY, 100_000), eur("95360573045", &FOREIGN, 10_000)],
        cards: &[card("95360573053", "123456******0002", "TESTCARD0002")],
    },
    CustomerRow {
        number: ENGAGED_PERSON,
        kind: CustomerType::Private,
        name: "Prokura Test",
        accounts: &[nok("95360573061", &EVERYDAY, 100_000), nok("95360573088", &SAVINGS, 250_000)],
        cards: &[card("95360573096", "123456******0003", "TESTCARD0003")],
    },
    CustomerRow {
        number: "18129215603",
        kind: CustomerType::Corporate,
        name: "Fiktiv Handel AS",
        accounts: &[nok("95360573118", &BUSINESS, 1_000_000), nok("95360573126", &TAX, 500_000)],
        cards: &[],
    },
    CustomerRow {
        number: "20079518612",
        kind: CustomerType::Corporate,
        name: "Oppdiktet Fisk AS",
        accounts: &[nok("95360573134", &BUSINESS, 1_000_000), nok("95360573142", &TAX, 500_000)],
        cards: &[],
    },
    CustomerRow {
        number: "17837010020",
        kind: CustomerType::Corporate,
        name: "Liksom Kraft AS",
        accounts: &[nok(KID_ACCOUNT, &INCOMING, 100_000), nok("95360573150", &BUSINESS, 1_000_000)],
        cards: &[],
    },
];

/// The private person who acts for both corporate customers with an agreement.
pub(super) const ENGAGED_PERSON: &str = "01085800481";
/// The roles of that person, on every account of both.
pub(super) const ENGAGED_ROLES: &[Role] = &[Role::Disposal, Role::View, Role::Register, Role::Approve];
/// The roles of a private person on their own accounts.
pub(super) const OWNER_ROLES: &[Role] =
    &[Role::Owner, Role::Disposal, Role::View, Role::Register, Role::Approve];
/// What one engagement registers and approves at most, in whole units.
pub(super) const ENGAGEMENT_LIMIT: i32 = 10_000_000;
/// What a private customer's own agreement is called.
pub(super) const PRIVATE_AGREEMENT: &str = "Privatavtale";

pub(super) const CORPORATE_AGREEMENTS: &[AgreementRow] = &[
    AgreementRow { owner: "18129215603", name: "Nettbank bedrift Fiktiv Handel AS" },
    AgreementRow { owner: "20079518612", name: "Nettbank bedrift Oppdiktet Fisk AS" },
];

/// The account whose creditor wants a KID on every payment.
pub(super) const KID_ACCOUNT: &str = "91351631959";
/// What that creditor has agreed.
pub(super) const KID_AGREEMENT: KidAgreement =
    KidAgreement { required: true, modulus: Modulus::Ten, digits_min: 5, digits_max: 25 };
/// A KID that creditor takes.
pub(super) const KID_EXAMPLE: &str = "1234567897";

pub(super) const CARD_NAME: &str = "Kredittkort";
pub(super) const CARD_PRODUCT: &str = "KREDITTKORT";
pub(super) const CARD_VERSION: &str = "01";
pub(super) const CARD_EXPIRY: &str = "2035-12";
/// In whole NOK.
pub(super) const CARD_CREDIT_LIMIT: i32 = 50_000;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::types::{account_number_is_valid, IdentityNumber, Kid};

    fn accounts() -> impl Iterator<Item = &'static AccountRow> {
        CUSTOMERS.iter().flat_map(|customer| customer.accounts)
    }

    #[test]
    fn every_account_number_has_its_check_digit_and_is_there_once() {
        let cards = CUSTOMERS.iter().flat_map(|customer| customer.cards).map(|card| card.account_number);
        let numbers: Vec<_> = accounts().map(|account| account.bban).chain(cards).collect();
        assert!(numbers.iter().all(|number| account_number_is_valid(number)));
        assert_eq!(numbers.iter().collect::<HashSet<_>>().len(), numbers.len());
    }

    #[test]
    fn private_customers_have_two_accounts_and_a_card_companies_no_card() {
        for customer in CUSTOMERS {
            let cards = match customer.kind {
                CustomerType::Private => 1,
                CustomerType::Corporate => 0,
            };
            assert_eq!((customer.accounts.len(), customer.cards.len()), (2, cards), "{}", customer.name);
        }
    }

    #[test]
    fn customer_numbers_have_check_digits_and_the_invented_one_is_unused() {
        for customer in CUSTOMERS {
            assert!(IdentityNumber::parse(customer.number).unwrap().check_digits_ok(), "{}", customer.number);
        }
        let month: u32 = CUSTOMERS.last().unwrap().number.get(2..4).unwrap().parse().unwrap();
        assert!((81..=92).contains(&month));
    }

    #[test]
    fn one_account_is_in_euro_and_the_others_in_kroner() {
        let euro: Vec<_> = accounts().filter(|account| account.currency != Currency::NOK).collect();
        assert_eq!(euro.len(), 1);
        assert_eq!(euro[0].currency, Currency::EUR);
    }

    #[test]
    fn the_kid_creditor_takes_five_to_twenty_five_digits_by_modulus_10() {
        assert!(accounts().any(|account| account.bban == KID_ACCOUNT));
        assert!(KID_AGREEMENT.admits(&Kid::parse(KID_EXAMPLE).unwrap()));
        assert!(KID_AGREEMENT.check(None).is_err());
        for (kid, is_agreed) in [("1230", false), ("12344", true), ("1234567890123456789012340", true)] {
            assert_eq!(KID_AGREEMENT.admits(&Kid::parse(kid).unwrap()), is_agreed, "{kid}");
        }
    }
}
