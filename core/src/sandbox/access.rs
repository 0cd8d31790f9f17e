//! Who may pay from which account, and for whom a person may act.

use std::collections::BTreeSet;

use crate::error::Result;
use crate::store::sqlite::sandbox::{
    Agreement, Books, CardAccount, CardStatus, Customer, CustomerType, Engagement, LedgerAccount,
};
use crate::types::{
    bare_card_number, AccountIdentification, ActingPsu, AgreementId, CardAccountId, Context, CorporateKey,
    CustomerId, PsuKey,
};

/// An agreement that a person may choose at SCA.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenAgreement {
    /// Its id.
    pub id: AgreementId,
    /// What it is called.
    pub name: String,
    /// The corporate customer the person then acts for.
    pub corporate: CorporateKey,
    /// The name of that customer: several may call an agreement the same.
    pub corporate_name: String,
}

/// The account of that number that this PSU may pay from. `None` if several of their accounts match: two masked cards
/// may look alike, and money must not leave an account that the PSU did not choose.
pub(super) fn debtor(
    books: &Books<'_>,
    psu: &ActingPsu,
    number: &AccountIdentification,
) -> Result<Option<LedgerAccount>> {
    let mut own = own_of(books, psu, accounts_of_number(books, number)?)?;
    if let (true, AccountIdentification::Card(number)) = (own.is_empty(), number) {
        own = own_of(books, psu, books.card_ledger_accounts_by_account_number(number)?)?;
    }
    let only = if own.len() == 1 { own.pop() } else { None };
    Ok(only.filter(|account| account.may_pay))
}

/// Those of the accounts that the PSU may pay from, without deleted ones.
fn own_of(books: &Books<'_>, psu: &ActingPsu, accounts: Vec<LedgerAccount>) -> Result<Vec<LedgerAccount>> {
    let mut own = Vec::new();
    for account in accounts {
        if may_pay_from(books, psu, &account)? && !is_deleted(books, &account)? {
            own.push(account);
        }
    }
    Ok(own)
}

/// Whether it is a card account that there is no more. An ordinary account is not marked: it is gone.
pub(super) fn is_deleted(books: &Books<'_>, account: &LedgerAccount) -> Result<bool> {
    Ok(card_of(books, account)?.is_some_and(|card| card.status == CardStatus::Deleted))
}

fn card_of(books: &Books<'_>, account: &LedgerAccount) -> Result<Option<CardAccount>> {
    match CardAccountId::parse(account.key.as_str()) {
        Some(id) if account.bban.is_none() => books.card_account(&id),
        _ => Ok(None),
    }
}

/// The numbers that payments name a card account by. An ordinary account has none beside its own.
pub(super) fn card_numbers(books: &Books<'_>, account: &LedgerAccount) -> Result<Vec<String>> {
    let Some(card) = card_of(books, account)? else { return Ok(Vec::new()) };
    let bare = bare_card_number(&card.account_number);
    let mut numbers = vec![card.account_number, card.masked_pan];
    if !numbers.contains(&bare) {
        numbers.push(bare);
    }
    Ok(numbers)
}

/// The accounts that have that number just as it is written.
fn accounts_of_number(books: &Books<'_>, number: &AccountIdentification) -> Result<Vec<LedgerAccount>> {
    match number {
        AccountIdentification::Bban(bban) => Ok(books.ledger_account_by_bban(bban)?.into_iter().collect()),
        AccountIdentification::Iban(iban) => Ok(books.ledger_account_by_iban(iban)?.into_iter().collect()),
        AccountIdentification::Card(number) => books.card_ledger_accounts_showing(number),
    }
}

/// A person pays from their own accounts and from joint ones; for a company from those of its accounts that an
/// engagement offers to the person, with the right to pay.
fn may_pay_from(books: &Books<'_>, psu: &ActingPsu, account: &LedgerAccount) -> Result<bool> {
    let owner = account.owner.as_str();
    match (psu.context, &psu.corporate) {
        (Context::Private, _) => Ok(owner == psu.psu.as_str() || is_joint(books, psu, account)?),
        (Context::Corporate, Some(corporate)) if owner == corporate.as_str() => {
            let Some(person) = CustomerId::parse(psu.psu.as_str()) else { return Ok(false) };
            let engagements = books.engagements_with(&person, &account.key)?;
            Ok(engagements.iter().any(|engagement| engagement.is_offered() && engagement.payment_rights))
        }
        (Context::Corporate, _) => Ok(false),
    }
}

fn is_joint(books: &Books<'_>, psu: &ActingPsu, account: &LedgerAccount) -> Result<bool> {
    let joint = joint_accounts(books, &psu.psu)?;
    Ok(joint.iter().any(|engagement| engagement.account == account.key && engagement.payment_rights))
}

/// The accounts of other persons that are offered to a person, such as the joint account of a couple.
pub(super) fn joint_accounts(books: &Books<'_>, psu: &PsuKey) -> Result<Vec<Engagement>> {
    let Some(person) = CustomerId::parse(psu.as_str()) else { return Ok(Vec::new()) };
    let mut joint = books.joint_engagements_of(&person)?;
    joint.retain(Engagement::is_offered);
    Ok(joint)
}

/// The agreements of companies under which at least one account is offered to the person, the oldest first.
pub(super) fn open_agreements(books: &Books<'_>, psu: &PsuKey) -> Result<Vec<OpenAgreement>> {
    let Some(person) = CustomerId::parse(psu.as_str()) else { return Ok(Vec::new()) };
    let mut seen = BTreeSet::new();
    let mut open = Vec::new();
    for engagement in books.engagements_of(&person)? {
        if engagement.is_offered() && seen.insert(engagement.agreement.clone()) {
            let agreement =
                books.agreement(&engagement.agreement)?.filter(|agreement| agreement.owner != person);
            let opened = agreement.map(|agreement| opened(books, agreement)).transpose()?.flatten();
            open.extend(opened);
        }
    }
    Ok(open)
}

fn opened(books: &Books<'_>, agreement: Agreement) -> Result<Option<OpenAgreement>> {
    let owner = books.customer(&agreement.owner)?;
    let owner = owner.filter(|owner| owner.kind == CustomerType::Corporate);
    Ok(owner.map(|owner| OpenAgreement {
        id: agreement.id,
        name: agreement.name,
        corporate: corporate_key(&owner.id),
        corporate_name: owner.name,
    }))
}

/// The engine's reference to a person.
pub(crate) fn psu_key(person: &Customer) -> PsuKey {
    PsuKey::new(person.id.as_str())
}

/// The engine's reference to a corporate customer.
pub(super) fn corporate_key(id: &CustomerId) -> CorporateKey {
    CorporateKey::new(id.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::default_data::{card_account_id, customer_id};
    use crate::sandbox::fixture::{acting_for, acting_privately, card, number, Fixture};
    use crate::store::sqlite::sandbox::{AccountKey, Role};
    use crate::types::EngagementId;

    const PRIVATE: &str = "13039319955";
    const ENGAGED: &str = "01085800481";
    const COMPANY: &str = "18129215603";
    const OTHER_COMPANY: &str = "20079518612";

    fn may_pay(fixture: &Fixture, psu: &ActingPsu, number: &AccountIdentification) -> bool {
        fixture.database().read_books(|books| debtor(books, psu, number)).unwrap().is_some()
    }

    #[test]
    fn a_person_pays_from_their_own_accounts_alone() {
        let fixture = Fixture::new();
        let psu = acting_privately(PRIVATE);
        assert!(may_pay(&fixture, &psu, &number("95360573002")));
        assert!(may_pay(&fixture, &psu, &number("NO0995360573002")));
        assert!(!may_pay(&fixture, &psu, &number("95360573037")), "someone else's");
        assert!(!may_pay(&fixture, &psu, &number("95360573118")), "a company's");
        assert!(!may_pay(&fixture, &psu, &number("95360573290")), "no owner");
        assert!(!may_pay(&fixture, &psu, &card("95360573002")), "an ordinary account as a card");
    }

    #[test]
    fn an_engaged_person_pays_from_the_company_only_in_corporate_context() {
        let fixture = Fixture::new();
        let account = number("95360573118");
        assert!(may_pay(&fixture, &acting_for(ENGAGED, COMPANY), &account));
        assert!(!may_pay(&fixture, &acting_privately(ENGAGED), &account));
        assert!(!may_pay(&fixture, &acting_for(ENGAGED, OTHER_COMPANY), &account));
        assert!(!may_pay(&fixture, &acting_for(PRIVATE, COMPANY), &account));
        assert!(
            !may_pay(&fixture, &acting_for(ENGAGED, COMPANY), &number("95360573061")),
            "the person's own"
        );
        let nameless = ActingPsu { corporate: None, ..acting_for(ENGAGED, COMPANY) };
        assert!(!may_pay(&fixture, &nameless, &account));
    }

    #[test]
    fn paying_for_a_company_takes_register_view_and_the_right_to_pay() {
        let offered = [Role::Register, Role::View];
        for (roles, payment_rights, may) in [
            (&offered[..], true, true),
            (&offered[..], false, false),
            (&offered[..1], true, false),
            (&offered[1..], true, false),
            (&[Role::Owner, Role::Disposal, Role::Approve], true, false),
        ] {
            let fixture = Fixture::new();
            fixture.engage(PRIVATE, COMPANY, "95360573118", |engagement| Engagement {
                roles: roles.to_vec(),
                payment_rights,
                ..engagement
            });
            assert_eq!(
                may_pay(&fixture, &acting_for(PRIVATE, COMPANY), &number("95360573118")),
                may,
                "{roles:?}"
            );
            assert!(
                !may_pay(&fixture, &acting_for(PRIVATE, COMPANY), &number("95360573126")),
                "another account"
            );
        }
    }

    #[test]
    fn a_card_account_pays_by_either_number_while_it_is_enabled() {
        let fixture = Fixture::new();
        let (psu, id) = (acting_privately(PRIVATE), card_account_id("95360573029"));
        let set =
            |status| fixture.database().write_books(|books| books.set_card_status(&id, status)).unwrap();
        for (status, may) in
            [(CardStatus::Enabled, true), (CardStatus::Blocked, false), (CardStatus::Deleted, false)]
        {
            assert!(set(status));
            assert_eq!(may_pay(&fixture, &psu, &card("95360573029")), may, "{status:?}");
            assert_eq!(may_pay(&fixture, &psu, &card("123456******0001")), may, "{status:?}");
        }
        set(CardStatus::Enabled);
        assert!(!may_pay(&fixture, &acting_privately("12085592767"), &card("123456******0001")));
        assert!(!may_pay(&fixture, &psu, &number("95360573029")), "a card account as an ordinary one");
    }

    #[test]
    fn a_card_account_pays_by_its_account_number_however_either_is_set_out() {
        for (kept, sent) in [
            ("1503.10.12345", "15031012345"),
            ("15031012345", "1503.10.12345"),
            ("1503 10 12345", "1503.10.12345"),
            ("KORT-77", "KORT77"),
        ] {
            let fixture = Fixture::new();
            let own = CardAccount {
                id: card_account_id("15031012345"),
                account_number: kept.to_owned(),
                masked_pan: "5555-5555".to_owned(),
                ..fixture.card("95360573029")
            };
            fixture.database().write_books(|books| books.insert_card_account(&own)).unwrap();
            let pays = |number: &str| may_pay(&fixture, &acting_privately(PRIVATE), &card(number));
            assert!(pays(kept) && pays(sent) && pays("5555-5555"), "{kept} by {sent}");
            assert!(!pays("55555555") && !pays("15031012346"), "{kept}");
        }
    }

    #[test]
    fn a_card_account_with_the_exact_number_precedes_another_spelling() {
        let fixture = Fixture::new();
        for number in ["99-11", "9911"] {
            let own = CardAccount {
                id: card_account_id(number),
                account_number: number.to_owned(),
                masked_pan: format!("5555 {number}"),
                ..fixture.card("95360573029")
            };
            fixture.database().write_books(|books| books.insert_card_account(&own)).unwrap();
        }
        let psu = acting_privately(PRIVATE);
        let paying = |number: &str| {
            let found = fixture.database().read_books(|books| debtor(books, &psu, &card(number))).unwrap();
            found.map(|account| account.key)
        };
        for number in ["99-11", "9911"] {
            assert_eq!(paying(number), Some(AccountKey::from(&card_account_id(number))), "{number}");
        }
        assert_eq!(paying("99.11"), None, "it may be either");
    }

    #[test]
    fn a_card_account_pays_though_one_that_cannot_shows_its_number_itself() {
        let fixture = Fixture::new();
        let other_owner = fixture.card("95360573029");
        for (n, number, owner, status) in [
            (1, "99-11", PRIVATE, CardStatus::Enabled),
            (2, "9911", PRIVATE, CardStatus::Deleted),
            (3, "88-11", PRIVATE, CardStatus::Enabled),
            (4, "8811", COMPANY, CardStatus::Enabled),
        ] {
            let card = CardAccount {
                id: card_account_id(number),
                account_number: number.to_owned(),
                masked_pan: format!("5555 {n}"),
                owner: customer_id(owner),
                status,
                ..other_owner.clone()
            };
            fixture.database().write_books(|books| books.insert_card_account(&card)).unwrap();
        }
        let psu = acting_privately(PRIVATE);
        for (sent, pays) in [("9911", "99-11"), ("8811", "88-11"), ("99.11", "99-11")] {
            let found = fixture.database().read_books(|books| debtor(books, &psu, &card(sent))).unwrap();
            assert_eq!(found.unwrap().key, AccountKey::from(&card_account_id(pays)), "{sent}");
        }
    }

    #[test]
    fn a_card_account_is_the_same_by_each_of_its_numbers() {
        let fixture = Fixture::new();
        for (kept, expected) in [
            ("1503.10.12345", vec!["1503.10.12345", "5555", "15031012345"]),
            ("15031012345", vec!["15031012345", "5555"]),
        ] {
            let own = CardAccount {
                id: card_account_id(kept),
                account_number: kept.to_owned(),
                masked_pan: "5555".to_owned(),
                ..fixture.card("95360573029")
            };
            let numbers = fixture.database().write_books(|books| {
                books.insert_card_account(&own)?;
                let account = books.ledger_account(&AccountKey::from(&own.id))?.unwrap();
                card_numbers(books, &account)
            });
            assert_eq!(numbers.unwrap(), expected);
        }
    }

    #[test]
    fn of_two_cards_that_look_alike_neither_is_named_by_the_mask() {
        let fixture = Fixture::new();
        let psu = acting_privately(PRIVATE);
        let [first, second] = ["95360574017", "95360574025"].map(|number| {
            let twin = CardAccount {
                id: card_account_id(number),
                account_number: number.to_owned(),
                masked_pan: "555555******5555".to_owned(),
                ..fixture.card("95360573029")
            };
            fixture.database().write_books(|books| books.insert_card_account(&twin)).unwrap();
            twin.id
        });
        let pays = |number: &str| may_pay(&fixture, &psu, &card(number));
        let set = |id: &CardAccountId, status| {
            fixture.database().write_books(|books| books.set_card_status(id, status)).unwrap()
        };
        assert!(pays("95360574017") && pays("95360574025") && !pays("555555******5555"));
        assert!(set(&first, CardStatus::Blocked));
        assert!(!pays("555555******5555"), "it may be the blocked one that is meant");
        assert!(set(&first, CardStatus::Deleted));
        assert!(pays("555555******5555"), "there is one left");
        assert!(set(&second, CardStatus::Blocked));
        assert!(!pays("555555******5555"));
    }

    #[test]
    fn the_agreements_open_to_a_person_are_those_that_offer_an_account() {
        let fixture = Fixture::new();
        let open = |number: &str| fixture.bank.open_agreements(&acting_privately(number).psu).unwrap();
        let names = |number: &str| -> Vec<String> {
            open(number).into_iter().map(|agreement| agreement.name).collect()
        };
        assert_eq!(
            names(ENGAGED),
            ["Nettbank bedrift Fiktiv Handel AS", "Nettbank bedrift Oppdiktet Fisk AS"]
        );
        let companies: Vec<_> = open(ENGAGED).into_iter().map(|agreement| agreement.corporate_name).collect();
        assert_eq!(companies, ["Fiktiv Handel AS", "Oppdiktet Fisk AS"]);
        assert!(names(PRIVATE).is_empty());
        let view_only = |engagement| Engagement { roles: vec![Role::View], ..engagement };
        fixture.engage(PRIVATE, COMPANY, "95360573118", view_only);
        assert!(names(PRIVATE).is_empty());
        let id = EngagementId::from_bytes([2; 18]);
        fixture.engage(PRIVATE, COMPANY, "95360573126", |engagement| Engagement {
            id: id.clone(),
            ..engagement
        });
        assert_eq!(names(PRIVATE), ["Nettbank bedrift Fiktiv Handel AS"]);
    }
}
