//! How a neighbourhood comes into the books: customers, agreements, accounts, lines.

use super::diary::{Entry, Use};
use super::holding::{Form, Holding};
use super::neighbourhood::{Neighbourhood, Resident};
use super::setting::Setting;
use super::view::Population;
use crate::account::record::CardAcceptorAddress;
use crate::error::{Error, Result};
use crate::sandbox::default_set::{
    AccountKind, CARD_CREDIT_LIMIT, CARD_EXPIRY, CARD_NAME, CARD_PRODUCT, CARD_VERSION, ENGAGED_ROLES,
    ENGAGEMENT_LIMIT, OWNER_ROLES, PRIVATE_AGREEMENT,
};
use crate::sandbox::listed::{ListedAccount, ListedAgreement, ListedCardAccount, ListedCustomer};
use crate::store::sqlite::sandbox::{
    Account, AccountKey, Agreement, Books, CardAccount, CardDetails, CardStatus, Counterpart, Customer,
    CustomerType, Engagement, Role, Transaction,
};
use crate::types::{
    AccountId, AgreementId, CardAccountId, Currency, CustomerId, EngagementId, Money, TransactionId, ID_BYTES,
};

/// Writes into books, and lists what it wrote.
pub(super) struct Booking<'a> {
    books: &'a Books<'a>,
    setting: &'a Setting<'a>,
    population: Population,
    /// Who acts for companies that have no neighbours.
    first_person: Option<Customer>,
}

/// A customer in the books, and what they own.
struct Registered {
    customer: Customer,
    /// The agreement under which a person acts for them, and that person: oneself, or a person for a company.
    engaged: Option<(Agreement, Customer)>,
    listed: ListedCustomer,
}

impl<'a> Booking<'a> {
    /// Writes into these books; `population` lists the customers written before.
    pub(super) fn into(books: &'a Books<'a>, setting: &'a Setting<'a>, population: Population) -> Self {
        Self { books, setting, population, first_person: None }
    }

    /// All customers written.
    pub(super) fn done(self) -> Population {
        self.population
    }

    /// A whole neighbourhood; its entries by account and then by day.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(super) fn take(&mut self, neighbourhood: &Neighbourhood, entries: &[Entry]) -> Result<()> {
        let mut registered = self.register(&neighbourhood.residents)?;
        let mut by_account = entries.chunk_by(|one, other| one.at == other.at).peekable();
        for (at, holding) in neighbourhood.holdings.iter().enumerate() {
            let own = by_account.next_if(|entries| entries.first().is_some_and(|entry| entry.at == at));
            let owner = registered.get_mut(holding.owner).ok_or_else(broken)?;
            let account = self.open(holding, own.unwrap_or_default(), owner)?;
            self.engage(owner, &account)?;
        }
        for Registered { customer, engaged, listed } in registered {
            if let (CustomerType::Corporate, Some((agreement, person))) = (customer.kind, engaged) {
                let agreement = ListedAgreement::of(&agreement, &listed, &person, roles(customer.kind));
                self.population.agreements.push(agreement);
            }
            self.population.customers.push(listed);
        }
        Ok(())
    }

    fn id(&self) -> Result<[u8; ID_BYTES]> {
        self.setting.entropy.id_bytes(self.setting.now)
    }

    /// The customers, and the agreements under which a person acts for them.
    fn register(&mut self, residents: &[Resident]) -> Result<Vec<Registered>> {
        let customers =
            residents.iter().map(|resident| self.customer(resident)).collect::<Result<Vec<_>>>()?;
        let first_person = customers.iter().find(|customer| customer.kind == CustomerType::Private);
        self.first_person = self.first_person.take().or_else(|| first_person.cloned());
        let registered = residents.iter().zip(&customers).map(|(resident, customer)| {
            let engaged = match self.actor(resident, customer, &customers) {
                Some(person) => Some((self.agreement(customer)?, person)),
                None => None,
            };
            Ok(Registered { listed: ListedCustomer::of(customer), customer: customer.clone(), engaged })
        });
        registered.collect()
    }

    fn customer(&self, Resident { number, kind, name, .. }: &Resident) -> Result<Customer> {
        let id = CustomerId::from_bytes(self.id()?);
        let customer = Customer { id, number: number.clone(), kind: *kind, name: name.clone() };
        self.books.insert_customer(&customer)?;
        Ok(customer)
    }

    /// Who acts for a customer.
    fn actor(&self, resident: &Resident, customer: &Customer, customers: &[Customer]) -> Option<Customer> {
        let neighbour = resident.engaged.and_then(|place| customers.get(place));
        match customer.kind {
            CustomerType::Private => Some(customer.clone()),
            CustomerType::Corporate => neighbour.or(self.first_person.as_ref()).cloned(),
        }
    }

    fn agreement(&self, owner: &Customer) -> Result<Agreement> {
        let name = match owner.kind {
            CustomerType::Private => PRIVATE_AGREEMENT.to_owned(),
            // A name is shared by many, and under one of its names a person chooses an agreement.
            CustomerType::Corporate => format!("{} {}", owner.name, owner.number.as_str()),
        };
        let agreement = Agreement { id: AgreementId::from_bytes(self.id()?), owner: owner.id.clone(), name };
        self.books.insert_agreement(&agreement)?;
        Ok(agreement)
    }

    /// Opens an account, books its entries, and lists it.
    fn open(&mut self, holding: &Holding, entries: &[Entry], owner: &mut Registered) -> Result<AccountKey> {
        let opening = money(holding.opening.before(entries), holding.currency)?;
        let moved: i64 = entries.iter().map(|entry| entry.sum).sum();
        let balance = opening.checked_add(money(moved, holding.currency)?).ok_or_else(broken)?;
        let Registered { customer, listed, .. } = owner;
        match &holding.form {
            Form::Ordinary(kind) => {
                let account = self.account(holding, kind, customer, opening)?;
                self.books.insert_account(&account)?;
                listed.accounts.push(ListedAccount::of(&account, customer, balance));
                let key = AccountKey::from(&account.id);
                self.population.transactions += self.book(&key, holding.currency, entries)?.len();
                Ok(key)
            }
            Form::Card(masked_pan) => {
                let card = self.card_account(holding, masked_pan, customer, opening)?;
                self.books.insert_card_account(&card)?;
                listed.card_accounts.push(ListedCardAccount::of(&card, balance));
                let key = AccountKey::from(&card.id);
                let lines = self.book(&key, holding.currency, entries)?;
                let uses = self.detail(&lines, entries, masked_pan)?;
                self.population.card_transactions += uses;
                self.population.transactions += lines.len() - uses;
                Ok(key)
            }
        }
    }

    fn book(&self, key: &AccountKey, currency: Currency, entries: &[Entry]) -> Result<Vec<Transaction>> {
        let lines = entries.iter().map(|entry| self.line(key, currency, entry));
        let lines = lines.collect::<Result<Vec<_>>>()?;
        self.books.book_all(key, &lines)?;
        Ok(lines)
    }

    /// Adds what uses of a card have beside their lines, and returns how many there are.
    fn detail(&self, lines: &[Transaction], entries: &[Entry], masked_pan: &str) -> Result<usize> {
        let mut uses = 0;
        for (line, entry) in lines.iter().zip(entries) {
            if let Some(used) = &entry.card {
                self.books.insert_card_details(&line.id, &details(line, used, masked_pan)?)?;
                uses += 1;
            }
        }
        Ok(uses)
    }

    fn account(
        &self,
        holding: &Holding,
        kind: &AccountKind,
        owner: &Customer,
        opening: Money,
    ) -> Result<Account> {
        Ok(Account {
            id: AccountId::from_bytes(self.id()?),
            owner: owner.id.clone(),
            bban: holding.bban,
            iban: holding.iban,
            currency: holding.currency,
            name: kind.name.to_owned(),
            product: kind.product.to_owned(),
            cash_account_type: kind.cash_account_type.to_owned(),
            credit_line: Money::zero(holding.currency),
            opening,
            booked: opening,
        })
    }

    fn card_account(
        &self,
        holding: &Holding,
        masked_pan: &str,
        owner: &Customer,
        opening: Money,
    ) -> Result<CardAccount> {
        Ok(CardAccount {
            id: CardAccountId::from_bytes(self.id()?),
            owner: owner.id.clone(),
            account_number: holding.bban.as_str().to_owned(),
            masked_pan: masked_pan.to_owned(),
            currency: holding.currency,
            name: CARD_NAME.to_owned(),
            product: CARD_PRODUCT.to_owned(),
            card_id: format!("CARD{}", holding.bban.as_str()),
            card_id_v_no: CARD_VERSION.to_owned(),
            expiry: CARD_EXPIRY.to_owned(),
            status: CardStatus::Enabled,
            credit_limit: Money::from_whole_units(CARD_CREDIT_LIMIT, holding.currency),
            opening,
            booked: opening,
        })
    }

    /// The person who acts for a customer does so on that account too.
    fn engage(&self, Registered { customer, engaged, .. }: &Registered, account: &AccountKey) -> Result<()> {
        let Some((agreement, person)) = engaged else { return Ok(()) };
        self.books.insert_engagement(&Engagement {
            id: EngagementId::from_bytes(self.id()?),
            agreement: agreement.id.clone(),
            person: person.id.clone(),
            account: account.clone(),
            name: None,
            roles: roles(customer.kind).to_vec(),
            access_rights: true,
            payment_rights: true,
            transfer_rights: true,
            register_limit: ENGAGEMENT_LIMIT,
            approval_limit: ENGAGEMENT_LIMIT,
        })
    }

    fn line(&self, account: &AccountKey, currency: Currency, entry: &Entry) -> Result<Transaction> {
        let exchange = entry.card.as_ref();
        let exchange =
            exchange.and_then(|used| self.setting.rates.exchange(currency, used.currency, entry.day));
        Ok(Transaction {
            id: TransactionId::from_bytes(self.id()?),
            account: account.clone(),
            payment_id: None,
            entry: 0,
            booking_date: entry.day,
            value_date: entry.day,
            amount: money(entry.sum, currency)?,
            counterpart: Counterpart::clone(&entry.other),
            creditor_id: None,
            ultimate_creditor: None,
            ultimate_debtor: None,
            remittance: Some(entry.text.to_owned()),
            purpose_code: entry.kind.purpose_code().map(str::to_owned),
            bank_transaction_code: entry.kind.bank_transaction_code(entry.sum < 0).to_owned(),
            proprietary_code: Some(entry.kind.proprietary_code().to_owned()),
            exchange,
            created_at: self.setting.now,
        })
    }
}

/// The roles of the person who acts for a customer of that kind.
fn roles(owner: CustomerType) -> &'static [Role] {
    match owner {
        CustomerType::Private => OWNER_ROLES,
        CustomerType::Corporate => ENGAGED_ROLES,
    }
}

/// What a use of a card has beside its line.
fn details(line: &Transaction, used: &Use, masked_pan: &str) -> Result<CardDetails> {
    let text = |text: &str| Some(text.to_owned());
    Ok(CardDetails {
        card_transaction_id: line.id.to_string(),
        terminal_id: None,
        transaction_date: Some(line.booking_date),
        value_date: Some(line.value_date),
        original_amount: money(used.original, used.currency)?,
        contract_identification: None,
        markup_fee: Money::zero(line.amount.currency()),
        markup_fee_percentage: None,
        card_acceptor_id: None,
        card_acceptor_address: CardAcceptorAddress {
            city: text(used.city),
            country: text(used.country),
            ..CardAcceptorAddress::default()
        },
        merchant_category_code: text(used.category),
        masked_pan: text(masked_pan),
        invoiced: None,
    })
}

fn money(minor_units: i64, currency: Currency) -> Result<Money> {
    Money::of_minor_units(minor_units, currency).ok_or_else(broken)
}

fn broken() -> Error {
    Error::Internal("an invented neighbourhood does not fit together".to_owned())
}
