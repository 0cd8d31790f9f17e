//! Which accounts a person may open to a TPP, and how the bank reports them.
//!
//! A person has their own accounts, and joint ones that belong to another person. For a company they are those of
//! its accounts that an engagement offers to the person, with the right to see them; at SCA only those of the
//! agreement that the person chose. Opened accounts belong to the corporate customer, because a TPP knows no
//! agreements. A card account that is blocked is still seen, one that is deleted is not.

use std::collections::BTreeSet;

use super::access;
use crate::account::record::{Account, CardAccount, CorporateAgreement};
use crate::error::Result;
use crate::store::sqlite::sandbox::{self as stored, AccountKey, Books, CardStatus};
use crate::types::{AccountId, ActingPsu, AgreementId, Bic, CardAccountId, Context, CustomerId, PsuKey};

/// The BIC of the simulated bank: Norwegian, and by the zero at its end one for tests (ISO 9362).
const BIC: &str = "XSAANO20";

/// The BIC of the simulated bank.
pub(super) fn own_bic() -> Option<Bic> {
    Bic::parse(BIC).ok()
}

/// The corporate agreements a person may act under, the oldest first.
pub(super) fn agreements(books: &Books<'_>, psu: &PsuKey) -> Result<Vec<CorporateAgreement>> {
    let mut agreements = Vec::new();
    for open in access::open_agreements(books, psu)? {
        let owner = CustomerId::parse(open.corporate.as_str());
        let owner = owner.map(|id| books.customer(&id)).transpose()?.flatten();
        agreements.extend(owner.map(|owner| CorporateAgreement {
            corporate: open.corporate,
            name: open.name,
            owner: owner.number.as_str().to_owned(),
        }));
    }
    Ok(agreements)
}

/// The ordinary accounts a PSU may open, the oldest first: of a company those under one agreement, or under all of
/// them.
pub(super) fn accounts(
    books: &Books<'_>,
    psu: &ActingPsu,
    agreement: Option<&AgreementId>,
) -> Result<Vec<Account>> {
    let Some(seen) = Seen::by(books, psu, agreement)? else { return Ok(Vec::new()) };
    let mut all = books.accounts_of(&seen.owner)?;
    all.retain(|account| seen.has(&AccountKey::from(&account.id)));
    for joint in seen.joint.iter().filter_map(|key| AccountId::parse(key.as_str())) {
        all.extend(books.account(&joint)?);
    }
    Ok(all.into_iter().map(account_view).collect())
}

/// One of them.
pub(super) fn account(books: &Books<'_>, psu: &ActingPsu, id: &AccountId) -> Result<Option<Account>> {
    let Some(account) = books.account(id)? else { return Ok(None) };
    let seen = Seen::by(books, psu, None)?;
    let key = AccountKey::from(id);
    let is_seen = |seen: Seen| (seen.owner == account.owner && seen.has(&key)) || seen.joint.contains(&key);
    let is_seen = seen.is_some_and(is_seen);
    Ok(is_seen.then(|| account_view(account)))
}

/// The card accounts a PSU may open, the oldest first, as [`accounts`].
pub(super) fn card_accounts(
    books: &Books<'_>,
    psu: &ActingPsu,
    agreement: Option<&AgreementId>,
) -> Result<Vec<CardAccount>> {
    let Some(seen) = Seen::by(books, psu, agreement)? else { return Ok(Vec::new()) };
    let all = books.card_accounts_of(&seen.owner)?.into_iter();
    Ok(all.filter(|card| seen.has_card(card)).map(card_view).collect())
}

/// One of them.
pub(super) fn card_account(
    books: &Books<'_>,
    psu: &ActingPsu,
    id: &CardAccountId,
) -> Result<Option<CardAccount>> {
    let Some(card) = books.card_account(id)? else { return Ok(None) };
    let seen = Seen::by(books, psu, None)?;
    let is_seen = seen.is_some_and(|seen| seen.owner == card.owner && seen.has_card(&card));
    Ok(is_seen.then(|| card_view(card)))
}

/// What a PSU sees of a customer's accounts.
struct Seen {
    owner: CustomerId,
    /// `None`: all of them.
    engaged: Option<BTreeSet<AccountKey>>,
    /// Accounts of other persons.
    joint: BTreeSet<AccountKey>,
}

impl Seen {
    /// `None` if the PSU acts for no customer. Of a company: under one agreement, or under all of them.
    fn by(books: &Books<'_>, psu: &ActingPsu, agreement: Option<&AgreementId>) -> Result<Option<Self>> {
        let Some(person) = CustomerId::parse(psu.psu.as_str()) else { return Ok(None) };
        if psu.context == Context::Private {
            let joint = access::joint_accounts(books, &psu.psu)?.into_iter();
            let seen = joint.filter(|engagement| engagement.access_rights);
            let joint = seen.map(|engagement| engagement.account).collect();
            return Ok(Some(Self { owner: person, engaged: None, joint }));
        }
        let owner = psu.corporate.as_ref().and_then(|corporate| CustomerId::parse(corporate.as_str()));
        let Some(owner) = owner else { return Ok(None) };
        let engagements = books.engagements_of(&person)?.into_iter();
        let offered = engagements
            .filter(|engagement| agreement.is_none_or(|chosen| engagement.agreement == *chosen))
            .filter(|engagement| engagement.is_offered() && engagement.access_rights);
        let engaged = Some(offered.map(|engagement| engagement.account).collect());
        Ok(Some(Self { owner, engaged, joint: BTreeSet::new() }))
    }

    fn has(&self, account: &AccountKey) -> bool {
        self.engaged.as_ref().is_none_or(|engaged| engaged.contains(account))
    }

    fn has_card(&self, card: &stored::CardAccount) -> bool {
        card.status != CardStatus::Deleted && self.has(&AccountKey::from(&card.id))
    }
}

fn account_view(account: stored::Account) -> Account {
    Account {
        id: account.id,
        bban: Some(account.bban),
        iban: Some(account.iban),
        bic: own_bic(),
        currency: account.currency,
        name: text(account.name),
        product: text(account.product),
        cash_account_type: text(account.cash_account_type),
    }
}

fn card_view(card: stored::CardAccount) -> CardAccount {
    CardAccount {
        id: card.id,
        masked_pan: card.masked_pan,
        currency: card.currency,
        name: text(card.name),
        product: text(card.product),
        credit_limit: Some(card.credit_limit),
    }
}

/// An empty text is left out.
fn text(stored: String) -> Option<String> {
    Some(stored).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bank::Bank;
    use crate::sandbox::default_data::{account_id, card_account_id};
    use crate::sandbox::fixture::{acting_for, acting_privately, Fixture};
    use crate::store::sqlite::sandbox::{Engagement, Role};

    const PRIVATE: &str = "13039319955";
    const ENGAGED: &str = "01085800481";
    const COMPANY: &str = "18129215603";
    const OTHER_COMPANY: &str = "20079518612";

    /// The numbers of the accounts a PSU sees, each of which must be found by its id too.
    fn bbans(fixture: &Fixture, psu: &ActingPsu) -> Vec<String> {
        let accounts = fixture.bank.account_data().accounts(psu).unwrap();
        for account in &accounts {
            let found = fixture.bank.account_data().account(psu, &account.id).unwrap();
            assert!(found.as_ref() == Some(account));
        }
        accounts.into_iter().map(|account| account.bban.unwrap().as_str().to_owned()).collect()
    }

    fn pans(fixture: &Fixture, psu: &ActingPsu) -> Vec<String> {
        let cards = fixture.bank.card_account_data().card_accounts(psu).unwrap();
        for card in &cards {
            assert!(
                fixture.bank.card_account_data().card_account(psu, &card.id).unwrap().as_ref() == Some(card)
            );
        }
        cards.into_iter().map(|card| card.masked_pan).collect()
    }

    #[test]
    fn an_account_is_shown_in_full() {
        let accounts = Fixture::new().bank.account_data().accounts(&acting_privately(PRIVATE)).unwrap();
        let first = &accounts[0];
        assert_eq!(first.id, account_id("95360573002"));
        assert_eq!(first.iban.unwrap().as_str(), "NO0995360573002");
        assert_eq!(first.bic.unwrap().as_str(), "XSAANO20");
        assert_eq!((first.currency.code(), first.name.as_deref()), ("NOK", Some("Brukskonto")));
        let kind = (first.product.as_deref(), first.cash_account_type.as_deref());
        assert_eq!(kind, (Some("BRUKSKONTO"), Some("CACC")));
    }

    #[test]
    fn a_card_account_is_shown_in_full() {
        let cards =
            Fixture::new().bank.card_account_data().card_accounts(&acting_privately(PRIVATE)).unwrap();
        assert_eq!(cards[0].id, card_account_id("95360573029"));
        assert_eq!((cards[0].masked_pan.as_str(), cards[0].currency.code()), ("123456******0001", "NOK"));
        assert_eq!(cards[0].name.as_deref(), Some("Kredittkort"));
        assert!(cards[0].credit_limit.is_some_and(|limit| !limit.is_zero()));
    }

    #[test]
    fn a_person_sees_their_own_accounts_alone() {
        let fixture = Fixture::new();
        assert_eq!(bbans(&fixture, &acting_privately(PRIVATE)), ["95360573002", "95360573010"]);
        assert_eq!(bbans(&fixture, &acting_privately(ENGAGED)), ["95360573061", "95360573088"]);
        assert_eq!(pans(&fixture, &acting_privately(PRIVATE)), ["123456******0001"]);
        for other in [account_id("95360573037"), account_id("95360573118"), account_id("unknown")] {
            assert!(fixture
                .bank
                .account_data()
                .account(&acting_privately(PRIVATE), &other)
                .unwrap()
                .is_none());
        }
        let other = card_account_id("95360573053");
        assert!(fixture
            .bank
            .card_account_data()
            .card_account(&acting_privately(PRIVATE), &other)
            .unwrap()
            .is_none());
    }

    #[test]
    fn an_engaged_person_sees_that_company_and_only_in_the_corporate_context() {
        let fixture = Fixture::new();
        assert_eq!(bbans(&fixture, &acting_for(ENGAGED, COMPANY)), ["95360573118", "95360573126"]);
        assert_eq!(bbans(&fixture, &acting_for(ENGAGED, OTHER_COMPANY)), ["95360573134", "95360573142"]);
        assert_eq!(bbans(&fixture, &acting_for(PRIVATE, COMPANY)), [""; 0]);
        let nameless = ActingPsu { corporate: None, ..acting_for(ENGAGED, COMPANY) };
        assert_eq!(bbans(&fixture, &nameless), [""; 0]);
        let (psu, own) = (acting_for(ENGAGED, COMPANY), account_id("95360573061"));
        assert!(fixture.bank.account_data().account(&psu, &own).unwrap().is_none(), "the person's own");
        let other = account_id("95360573134");
        assert!(fixture.bank.account_data().account(&psu, &other).unwrap().is_none(), "another company's");
        assert_eq!(pans(&fixture, &psu), [""; 0]);
    }

    #[test]
    fn seeing_a_companys_account_takes_register_view_and_the_right_to_see() {
        let offered = [Role::Register, Role::View];
        for (roles, access_rights, sees) in [
            (&offered[..], true, true),
            (&offered[..], false, false),
            (&offered[..1], true, false),
            (&offered[1..], true, false),
            (&[Role::Owner, Role::Disposal, Role::Approve], true, false),
        ] {
            let fixture = Fixture::new();
            fixture.engage(PRIVATE, COMPANY, "95360573126", |engagement| Engagement {
                roles: roles.to_vec(),
                access_rights,
                ..engagement
            });
            let expected = if sees { &["95360573126"][..] } else { &[] };
            assert_eq!(bbans(&fixture, &acting_for(PRIVATE, COMPANY)), expected, "{roles:?}");
        }
    }

    #[test]
    fn a_blocked_card_is_seen_and_a_deleted_one_is_not() {
        let (fixture, psu, id) = (Fixture::new(), acting_privately(PRIVATE), card_account_id("95360573029"));
        for (status, seen) in [(CardStatus::Blocked, 1), (CardStatus::Enabled, 1), (CardStatus::Deleted, 0)] {
            fixture.database().write_books(|books| books.set_card_status(&id, status)).unwrap();
            assert_eq!(pans(&fixture, &psu).len(), seen, "{status:?}");
            let by_id = fixture.bank.card_account_data().card_account(&psu, &id).unwrap();
            assert_eq!(by_id.is_some(), seen == 1, "{status:?}");
        }
    }

    #[test]
    fn agreements_name_their_owners_by_number() {
        let fixture = Fixture::new();
        let named: Vec<_> = fixture
            .bank
            .customers()
            .agreements(&acting_privately(ENGAGED).psu)
            .unwrap()
            .into_iter()
            .map(|agreement| (agreement.name, agreement.owner))
            .collect();
        let expected = [
            ("Nettbank bedrift Fiktiv Handel AS".to_owned(), COMPANY.to_owned()),
            ("Nettbank bedrift Oppdiktet Fisk AS".to_owned(), OTHER_COMPANY.to_owned()),
        ];
        assert_eq!(named, expected);
        assert!(fixture.bank.customers().agreements(&acting_privately(PRIVATE).psu).unwrap().is_empty());
    }
}
