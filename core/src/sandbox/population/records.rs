//! What a neighbourhood is in the bank's books: customers, agreements, accounts, lines.

use super::diary::{Entry, Use};
use super::holding::{Form, Holding};
use super::ids::Ids;
use super::neighbourhood::{Neighbourhood, Resident};
use super::setting::Setting;
use crate::account::record::CardAcceptorAddress;
use crate::error::{Error, Result};
use crate::sandbox::default_set::{
    AccountKind, CARD_CREDIT_LIMIT, CARD_EXPIRY, CARD_NAME, CARD_PRODUCT, CARD_VERSION, ENGAGED_ROLES,
    ENGAGEMENT_LIMIT, OWNER_ROLES, PRIVATE_AGREEMENT,
};
use crate::store::sqlite::sandbox::{
    Account, AccountKey, Agreement, CardAccount, CardDetails, CardStatus, Counterpart, Customer,
    CustomerType, Engagement, Role, Transaction,
};
use crate::types::{
    AccountId, AgreementId, CardAccountId, Currency, CustomerId, EngagementId, Money, TransactionId,
};

/// The records of one neighbourhood.
pub(crate) struct Records {
    pub(crate) customers: Vec<CustomerRecord>,
    pub(crate) accounts: Vec<AccountRecord>,
}

/// A customer.
pub(crate) struct CustomerRecord {
    pub(crate) customer: Customer,
    /// The agreement under which a person acts for it, and that person: oneself, or a person for a company.
    pub(crate) engaged: Option<(Agreement, Customer)>,
}

/// An account with its history.
pub(crate) struct AccountRecord {
    /// The place of its owner among the customers.
    pub(crate) owner: usize,
    pub(crate) account: AnyAccount,
    pub(crate) engagement: Option<Engagement>,
    pub(crate) lines: Vec<Line>,
    /// After its history.
    pub(crate) balance: Money,
}

/// An account of either kind, as it is opened: its balance is the one before its history.
pub(crate) enum AnyAccount {
    Ordinary(Account),
    Card(CardAccount),
}

/// A booked line, and what a use of a card has beside it.
pub(crate) struct Line {
    pub(crate) line: Transaction,
    pub(crate) used: Option<CardDetails>,
}

impl AnyAccount {
    /// What its lines refer to it by.
    pub(crate) fn key(&self) -> AccountKey {
        match self {
            Self::Ordinary(account) => AccountKey::from(&account.id),
            Self::Card(card) => AccountKey::from(&card.id),
        }
    }
}

#[cfg(feature = "arrow")]
impl AnyAccount {
    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Ordinary(account) => account.id.as_str(),
            Self::Card(card) => card.id.as_str(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Ordinary(account) => &account.name,
            Self::Card(card) => &card.name,
        }
    }

    pub(crate) fn product(&self) -> &str {
        match self {
            Self::Ordinary(account) => &account.product,
            Self::Card(card) => &card.product,
        }
    }

    /// How far its balance may go below zero.
    pub(crate) fn credit_line(&self) -> Money {
        match self {
            Self::Ordinary(account) => account.credit_line,
            Self::Card(card) => card.credit_limit,
        }
    }

    /// Before its history.
    pub(crate) fn opening(&self) -> Money {
        match self {
            Self::Ordinary(account) => account.opening,
            Self::Card(card) => card.opening,
        }
    }
}

/// Makes the records of one neighbourhood.
pub(super) struct Recording<'a> {
    pub(super) setting: &'a Setting,
    pub(super) ids: Ids,
    /// Who acts for companies that have no neighbours.
    pub(super) first_person: Option<Customer>,
}

impl Recording<'_> {
    /// The records of a neighbourhood; its entries by account and then by day.
    ///
    /// # Errors
    /// [`Error::Internal`] where they do not fit together.
    pub(super) fn of(mut self, neighbourhood: &Neighbourhood, entries: &[Entry]) -> Result<Records> {
        let customers = self.customers(&neighbourhood.residents);
        let mut by_account = entries.chunk_by(|one, other| one.at == other.at).peekable();
        let mut accounts = Vec::with_capacity(neighbourhood.holdings.len());
        for (at, holding) in neighbourhood.holdings.iter().enumerate() {
            let own = by_account.next_if(|entries| entries.first().is_some_and(|entry| entry.at == at));
            let own = own.unwrap_or_default();
            let owner = customers.get(holding.owner).ok_or_else(broken)?;
            accounts.push((self.opened(holding, own, owner)?, own));
        }
        // Lines come last, so that without a history the other ids are the same.
        let accounts = accounts.into_iter().map(|(account, own)| self.booked(account, own));
        Ok(Records { accounts: accounts.collect::<Result<_>>()?, customers })
    }

    /// The customers, and the agreements under which a person acts for them.
    fn customers(&mut self, residents: &[Resident]) -> Vec<CustomerRecord> {
        let customers: Vec<Customer> = residents.iter().map(|resident| self.customer(resident)).collect();
        let first_person = customers.iter().find(|customer| customer.kind == CustomerType::Private);
        self.first_person = self.first_person.take().or_else(|| first_person.cloned());
        let record = |(resident, customer): (&Resident, &Customer)| {
            let actor = self.actor(resident, customer, &customers);
            let engaged = actor.map(|person| (self.agreement(customer), person));
            CustomerRecord { customer: customer.clone(), engaged }
        };
        residents.iter().zip(&customers).map(record).collect()
    }

    fn customer(&mut self, Resident { number, kind, name, .. }: &Resident) -> Customer {
        let id = CustomerId::from_bytes(self.ids.next());
        Customer { id, number: number.clone(), kind: *kind, name: name.clone() }
    }

    /// Who acts for a customer.
    fn actor(&self, resident: &Resident, customer: &Customer, customers: &[Customer]) -> Option<Customer> {
        let neighbour = resident.engaged.and_then(|place| customers.get(place));
        match customer.kind {
            CustomerType::Private => Some(customer.clone()),
            CustomerType::Corporate => neighbour.or(self.first_person.as_ref()).cloned(),
        }
    }

    fn agreement(&mut self, owner: &Customer) -> Agreement {
        let name = match owner.kind {
            CustomerType::Private => PRIVATE_AGREEMENT.to_owned(),
            // A name is shared by many, and under one of its names a person chooses an agreement.
            CustomerType::Corporate => format!("{} {}", owner.name, owner.number.as_str()),
        };
        Agreement { id: AgreementId::from_bytes(self.ids.next()), owner: owner.id.clone(), name }
    }

    /// An account without its lines.
    fn opened(
        &mut self,
        holding: &Holding,
        entries: &[Entry],
        owner: &CustomerRecord,
    ) -> Result<AccountRecord> {
        let opening = money(holding.opening.before(entries), holding.currency)?;
        let moved: i64 = entries.iter().map(|entry| entry.sum).sum();
        let balance = opening.checked_add(money(moved, holding.currency)?).ok_or_else(broken)?;
        let account = match &holding.form {
            Form::Ordinary(kind) => {
                AnyAccount::Ordinary(self.account(holding, kind, &owner.customer, opening))
            }
            Form::Card(masked_pan) => {
                AnyAccount::Card(self.card_account(holding, masked_pan, &owner.customer, opening))
            }
        };
        let engagement = self.engagement(owner, &account.key());
        Ok(AccountRecord { owner: holding.owner, account, engagement, lines: Vec::new(), balance })
    }

    fn account(
        &mut self,
        holding: &Holding,
        kind: &AccountKind,
        owner: &Customer,
        opening: Money,
    ) -> Account {
        Account {
            id: AccountId::from_bytes(self.ids.next()),
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
        }
    }

    fn card_account(
        &mut self,
        holding: &Holding,
        masked_pan: &str,
        owner: &Customer,
        opening: Money,
    ) -> CardAccount {
        CardAccount {
            id: CardAccountId::from_bytes(self.ids.next()),
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
        }
    }

    /// The person who acts for a customer does so on that account too.
    fn engagement(&mut self, owner: &CustomerRecord, account: &AccountKey) -> Option<Engagement> {
        let (agreement, person) = owner.engaged.as_ref()?;
        Some(Engagement {
            id: EngagementId::from_bytes(self.ids.next()),
            agreement: agreement.id.clone(),
            person: person.id.clone(),
            account: account.clone(),
            name: None,
            roles: roles(owner.customer.kind).to_vec(),
            access_rights: true,
            payment_rights: true,
            transfer_rights: true,
            register_limit: ENGAGEMENT_LIMIT,
            approval_limit: ENGAGEMENT_LIMIT,
        })
    }

    /// The same account with its lines.
    fn booked(&mut self, record: AccountRecord, entries: &[Entry]) -> Result<AccountRecord> {
        let (key, currency) = (record.account.key(), record.balance.currency());
        let lines = entries.iter().map(|entry| {
            let line = self.line(&key, currency, entry)?;
            let used = match (&entry.card, &record.account) {
                (Some(used), AnyAccount::Card(card)) => Some(details(&line, used, &card.masked_pan)?),
                _ => None,
            };
            Ok(Line { line, used })
        });
        let lines = lines.collect::<Result<_>>()?;
        Ok(AccountRecord { lines, ..record })
    }

    fn line(&mut self, account: &AccountKey, currency: Currency, entry: &Entry) -> Result<Transaction> {
        let exchange = entry.card.as_ref();
        let exchange =
            exchange.and_then(|used| self.setting.rates.exchange(currency, used.currency, entry.day));
        Ok(Transaction {
            id: TransactionId::from_bytes(self.ids.next()),
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
pub(super) fn roles(owner: CustomerType) -> &'static [Role] {
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

pub(super) fn broken() -> Error {
    Error::Internal("an invented neighbourhood does not fit together".to_owned())
}
