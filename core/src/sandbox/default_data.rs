//! The default set: what a fresh sandbox holds, and what initialising brings back (contract: What the
//! service does).

use super::default_set::{
    AccountRow, AgreementRow, CardRow, CustomerRow, CARD_CREDIT_LIMIT, CARD_EXPIRY, CARD_NAME, CARD_PRODUCT,
    CARD_VERSION, CORPORATE_AGREEMENTS, CUSTOMERS, ENGAGED_PERSON, ENGAGED_ROLES, ENGAGEMENT_LIMIT,
    KID_ACCOUNT, KID_AGREEMENT, OWNER_ROLES, PRIVATE_AGREEMENT,
};
use super::derived_id::id_bytes;
use crate::error::{Error, Result};
use crate::store::sqlite::sandbox::{
    Account, AccountKey, Agreement, Books, CardAccount, CardStatus, Customer, CustomerNumber, CustomerType,
    Engagement, Role,
};
use crate::store::sqlite::Database;
use crate::types::{
    AccountId, AgreementId, Bban, CardAccountId, Currency, CustomerId, EngagementId, Iban, Money,
};

/// Loads the default set into a database that never had it; whether it did. One that was emptied by hand
/// since stays empty.
///
/// # Errors
/// [`Error::Store`].
pub fn load(database: &Database) -> Result<bool> {
    database.write_books(|books| {
        let is_new = !books.was_opened()?;
        if is_new {
            books.mark_opened()?;
            load_set(books)?;
        }
        Ok(is_new)
    })
}

/// Empties the bank and loads the default set. Registered TPPs and trust anchors stay.
///
/// # Errors
/// [`Error::Store`]; nothing is changed then.
pub(crate) fn initialize(database: &Database) -> Result<()> {
    database.write_books(|books| {
        books.wipe_engine()?;
        books.wipe()?;
        books.mark_opened()?;
        load_set(books)
    })
}

fn load_set(books: &Books<'_>) -> Result<()> {
    CUSTOMERS.iter().try_for_each(|row| load_customer(books, row))?;
    books.insert_kid_agreement(&account_id(KID_ACCOUNT), &KID_AGREEMENT)?;
    CUSTOMERS
        .iter()
        .filter(|row| row.kind == CustomerType::Private)
        .try_for_each(|row| load_agreement(books, row, PRIVATE_AGREEMENT, row.number, OWNER_ROLES))?;
    CORPORATE_AGREEMENTS.iter().try_for_each(|agreement| {
        let owner = owner_of(agreement)?;
        load_agreement(books, owner, agreement.name, ENGAGED_PERSON, ENGAGED_ROLES)
    })
}

pub(super) fn owner_of(agreement: &AgreementRow) -> Result<&'static CustomerRow> {
    let owner = CUSTOMERS.iter().find(|row| row.number == agreement.owner);
    owner.ok_or_else(|| broken("an agreement without an owner"))
}

fn load_customer(books: &Books<'_>, row: &CustomerRow) -> Result<()> {
    let customer = customer_of(row)?;
    books.insert_customer(&customer)?;
    row.accounts.iter().try_for_each(|account| books.insert_account(&account_of(&customer.id, account)?))?;
    row.cards.iter().try_for_each(|card| books.insert_card_account(&card_of(&customer.id, card)))
}

pub(super) fn customer_of(row: &CustomerRow) -> Result<Customer> {
    Ok(Customer {
        id: customer_id(row.number),
        number: CustomerNumber::parse(row.number).ok_or_else(|| broken("a customer number"))?,
        kind: row.kind,
        name: row.name.to_owned(),
    })
}

pub(super) fn account_of(owner: &CustomerId, row: &AccountRow) -> Result<Account> {
    let (bban, iban) = numbers(row.bban)?;
    let opening = Money::from_whole_units(row.opening, row.currency);
    Ok(Account {
        id: account_id(row.bban),
        owner: owner.clone(),
        bban,
        iban,
        currency: row.currency,
        name: row.kind.name.to_owned(),
        product: row.kind.product.to_owned(),
        cash_account_type: row.kind.cash_account_type.to_owned(),
        credit_line: Money::zero(row.currency),
        opening,
        booked: opening,
    })
}

pub(super) fn card_of(owner: &CustomerId, row: &CardRow) -> CardAccount {
    CardAccount {
        id: card_account_id(row.account_number),
        owner: owner.clone(),
        account_number: row.account_number.to_owned(),
        masked_pan: row.masked_pan.to_owned(),
        currency: Currency::NOK,
        name: CARD_NAME.to_owned(),
        product: CARD_PRODUCT.to_owned(),
        card_id: row.card_id.to_owned(),
        card_id_v_no: CARD_VERSION.to_owned(),
        expiry: CARD_EXPIRY.to_owned(),
        status: CardStatus::Enabled,
        credit_limit: Money::from_whole_units(CARD_CREDIT_LIMIT, Currency::NOK),
        opening: Money::zero(Currency::NOK),
        booked: Money::zero(Currency::NOK),
    }
}

/// An agreement that engages one person with every account of its owner.
fn load_agreement(
    books: &Books<'_>,
    owner: &CustomerRow,
    name: &str,
    person: &str,
    roles: &[Role],
) -> Result<()> {
    let agreement = agreement_of(owner, name);
    books.insert_agreement(&agreement)?;
    let accounts = owner.accounts.iter().map(|row| AccountKey::from(&account_id(row.bban)));
    let cards = owner.cards.iter().map(|row| AccountKey::from(&card_account_id(row.account_number)));
    accounts.chain(cards).try_for_each(|account| {
        books.insert_engagement(&Engagement {
            id: EngagementId::from_bytes(id_bytes("engagement", account.as_str())),
            agreement: agreement.id.clone(),
            person: customer_id(person),
            account,
            name: None,
            roles: roles.to_vec(),
            access_rights: true,
            payment_rights: true,
            transfer_rights: true,
            register_limit: ENGAGEMENT_LIMIT,
            approval_limit: ENGAGEMENT_LIMIT,
        })
    })
}

pub(super) fn agreement_of(owner: &CustomerRow, name: &str) -> Agreement {
    Agreement { id: agreement_id(owner.number), owner: customer_id(owner.number), name: name.to_owned() }
}

pub(super) fn customer_id(number: &str) -> CustomerId {
    CustomerId::from_bytes(id_bytes("customer", number))
}

pub(crate) fn account_id(bban: &str) -> AccountId {
    AccountId::from_bytes(id_bytes("account", bban))
}

pub(super) fn card_account_id(account_number: &str) -> CardAccountId {
    CardAccountId::from_bytes(id_bytes("card account", account_number))
}

pub(super) fn agreement_id(owner: &str) -> AgreementId {
    AgreementId::from_bytes(id_bytes("agreement", owner))
}

/// An account number of the table in both forms.
pub(super) fn numbers(bban: &str) -> Result<(Bban, Iban)> {
    let bban = Bban::parse(bban).map_err(|_| broken("an account number"))?;
    let iban = Iban::of_norwegian(&bban).ok_or_else(|| broken("an account number"))?;
    Ok((bban, iban))
}

pub(super) fn broken(what: &str) -> Error {
    Error::Internal(format!("the default set holds {what} that is none"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::fixture::{instant, noon, Fixture};
    use crate::sandbox::view::ledger;
    use crate::store::sqlite::sandbox::RegisteredTpp;

    fn customers(database: &Database) -> usize {
        database.read_books(|books| books.customers()).unwrap().len()
    }

    #[test]
    fn the_set_is_loaded_once_and_not_into_a_bank_that_was_emptied() {
        let database = Database::open_memory_for_sandbox().unwrap();
        assert!(load(&database).unwrap());
        assert_eq!(customers(&database), CUSTOMERS.len());
        assert!(!load(&database).unwrap());
        database.write_books(|books| books.wipe()).unwrap();
        assert!(!load(&database).unwrap());
        assert_eq!(customers(&database), 0);
    }

    #[test]
    fn initialising_brings_the_set_back_and_nothing_else() {
        let fixture = Fixture::new();
        fixture.submit(&instant(1, "10.00"), noon());
        initialize(fixture.database()).unwrap();
        let account = ledger(fixture.database(), "95360573002").unwrap().unwrap();
        assert_eq!((account.balance.amount.as_str(), account.bookings.len()), ("100000.00", 0));
        // The order is deleted with the rest: the same payment id is a new payment.
        fixture.submit(&instant(1, "10.00"), noon());
        assert_eq!(fixture.balance("95360573002"), "99990.00");
    }

    #[test]
    fn initialising_leaves_tpps_and_trust_anchors_alone() {
        let database = Database::open_memory_for_sandbox().unwrap();
        let tpp = RegisteredTpp {
            organisation_id: "PSDNO-FSA-123456".to_owned(),
            name: "Acme Pay".to_owned(),
            roles: vec!["PSP_AI".to_owned(), "PSP_PI".to_owned()],
            certificate: vec![0x30, 0x00],
            key_index: 3,
            serial: vec![0x01, 0xFF],
        };
        database.write_books(|books| books.insert_tpp(&tpp)).unwrap();
        assert!(database.write_books(|books| books.insert_trust_anchor(&[0x30, 0x01])).unwrap());
        initialize(&database).unwrap();
        let image = Database::from_image(&database.image().unwrap()).unwrap();
        assert_eq!(image.read_books(|books| books.tpps()).unwrap(), std::slice::from_ref(&tpp));
        assert_eq!(image.read_books(|books| books.trust_anchors()).unwrap(), [[0x30, 0x01]]);
        assert!(image.read_books(|books| books.tpp_exists("PSDNO-FSA-123456")).unwrap());
        assert!(!image.read_books(|books| books.tpp_exists("PSDNO-FSA-123457")).unwrap());
        assert!(!image.write_books(|books| books.insert_trust_anchor(&[0x30, 0x01])).unwrap());
        assert!(image.write_books(|books| books.insert_tpp(&tpp)).is_err());
    }

    #[test]
    fn what_is_loaded_is_what_is_described() {
        let fixture = Fixture::new();
        let described = crate::sandbox::description::describe().unwrap();
        fixture
            .database()
            .read_books(|books| {
                for customer in &described.customers {
                    let found = books.customer_by_number(&customer.customer_number)?.unwrap();
                    assert_eq!(found.id.as_str(), customer.customer_id);
                    assert_eq!(
                        (found.kind.as_str(), found.name.as_str()),
                        (customer.customer_type, &*customer.customer_name)
                    );
                    let accounts = books.accounts_of(&found.id)?;
                    assert_eq!(accounts.len(), customer.accounts.len());
                    for (account, shown) in accounts.iter().zip(&customer.accounts) {
                        assert_eq!(
                            (account.id.as_str(), account.bban.as_str()),
                            (&*shown.resource_id, &*shown.bban)
                        );
                        assert_eq!(
                            (account.iban.as_str(), account.booked.to_string()),
                            (&*shown.iban, shown.balance.clone())
                        );
                        assert_eq!(
                            (account.currency.code(), account.name.as_str()),
                            (shown.currency, &*shown.name)
                        );
                    }
                    let cards = books.card_accounts_of(&found.id)?;
                    assert_eq!(cards.len(), customer.card_accounts.len());
                    for (card, shown) in cards.iter().zip(&customer.card_accounts) {
                        assert_eq!(
                            (card.id.as_str(), card.masked_pan.as_str()),
                            (&*shown.resource_id, &*shown.masked_pan)
                        );
                        assert_eq!(card.credit_limit.to_string(), shown.credit_limit);
                    }
                }
                for agreement in &described.agreements {
                    let id = AgreementId::parse(&agreement.id).unwrap();
                    assert_eq!(books.agreement(&id)?.unwrap().name, agreement.name);
                    let engagements = books.engagements_under(&id)?;
                    assert_eq!(engagements.len(), agreement.accounts.len());
                    assert!(engagements.iter().all(|engagement| engagement.is_offered()));
                }
                assert_eq!(books.agreements()?.len(), 5);
                Ok(())
            })
            .unwrap();
    }
}
