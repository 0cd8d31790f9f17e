//! What a neighbourhood is in the bank's books: customers, agreements, accounts, lines.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::cases::{Additions, CaseNote, Mark};
use super::diary::{Diary, Entry, Use};
use super::events::EventNote;
use super::holding::{broken, Form, Holding};
use super::ids::Ids;
use super::labels::{LineLabel, SeriesOfAccount};
use super::neighbourhood::{Neighbourhood, Resident};
use super::setting::Setting;
use super::world::World;
use crate::account::record::CardAcceptorAddress;
use crate::error::Result;
use crate::sandbox::default_set::{
    AccountKind, CARD_CREDIT_LIMIT, CARD_EXPIRY, CARD_NAME, CARD_PRODUCT, CARD_VERSION, ENGAGED_ROLES,
    ENGAGEMENT_LIMIT, OWNER_ROLES, PRIVATE_AGREEMENT,
};
use crate::sandbox::Rates;
use crate::store::sqlite::sandbox::{
    Account, AccountKey, Agreement, CardAccount, CardAuthorisation, CardDetails, CardStatus, Counterpart,
    Customer, CustomerType, Engagement, Role, Transaction,
};
use crate::types::date::{oslo_day, oslo_midnight, seconds_left_of_day};
use crate::types::{
    AccountId, AgreementId, CardAccountId, Currency, CustomerId, EngagementId, Money, TransactionId,
};

/// The records of one neighbourhood.
pub(crate) struct Records {
    pub(crate) customers: Vec<CustomerRecord>,
    pub(crate) accounts: Vec<AccountRecord>,
    /// Those whose subject is one of the customers.
    #[cfg_attr(not(feature = "arrow"), expect(dead_code, reason = "tables alone show it"))]
    pub(crate) cases: Vec<CaseNote>,
    /// Those of its persons up to the last day of the history.
    #[cfg_attr(not(feature = "arrow"), expect(dead_code, reason = "tables alone show it"))]
    pub(crate) events: Vec<EventNote>,
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
    /// Of the person who acts for the owner, and of the other one of a couple.
    pub(crate) engagements: Vec<Engagement>,
    /// The number of its card with the middle hidden, where it has one.
    masked_pan: Option<String>,
    pub(crate) lines: Vec<Line>,
    /// Uses of its card that are not booked yet.
    pub(crate) authorised: Vec<CardAuthorisation>,
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
    /// Where labels are wanted.
    pub(crate) label: Option<LineLabel>,
    /// Of a line that belongs to a case.
    pub(crate) mark: Option<Mark>,
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

/// What the lines of an account need of it.
pub(super) struct Ledger {
    pub(super) key: AccountKey,
    currency: Currency,
    masked_pan: Option<String>,
}

impl AccountRecord {
    /// What its lines need of it.
    pub(super) fn ledger(&self) -> Ledger {
        let (key, currency) = (self.account.key(), self.balance.currency());
        Ledger { key, currency, masked_pan: self.masked_pan.clone() }
    }
}

impl Ledger {
    /// The lines of entries of the account, without labels.
    ///
    /// # Errors
    /// [`Error::Internal`](crate::Error::Internal) for a sum that is none.
    pub(super) fn lines(&self, entries: &[Entry], ids: &Ids, rates: &Rates) -> Result<Vec<Line>> {
        let lines = entries.iter().map(|entry| {
            let line = self.line(entry, ids, rates)?;
            let pan = self.masked_pan.as_deref().unwrap_or_default();
            let used = entry.card.as_ref().map(|used| details(&line, used, pan)).transpose()?;
            Ok(Line { line, used, label: None, mark: None })
        });
        lines.collect()
    }

    /// The authorisation of an entry that a use of the card made.
    ///
    /// # Errors
    /// [`Error::Internal`](crate::Error::Internal) for a sum that is none, and for another entry.
    pub(super) fn authorisation(&self, entry: &Entry, ids: &Ids) -> Result<CardAuthorisation> {
        let used = entry.card.as_ref().ok_or_else(broken)?;
        let branch = &used.branch;
        Ok(CardAuthorisation {
            id: TransactionId::from_bytes(ids.line(entry.number)),
            account: self.key.clone(),
            transaction_date: used.day,
            amount: money(entry.sum, self.currency)?,
            original_amount: money(used.original, used.currency)?,
            merchant: entry.other.name.clone().unwrap_or_default(),
            remittance: entry.text.clone().into_owned(),
            bank_transaction_code: entry.kind.bank_transaction_code(true).to_owned(),
            proprietary_code: entry.kind.proprietary_code().to_owned(),
            card_acceptor_id: branch.acceptor_id.clone(),
            city: branch.city.clone(),
            country: branch.country.clone(),
            merchant_category_code: branch.category.clone(),
            masked_pan: self.masked_pan.clone().unwrap_or_default(),
            authorised_at: on_day(used.day, entry.created_at),
        })
    }

    fn line(&self, entry: &Entry, ids: &Ids, rates: &Rates) -> Result<Transaction> {
        let exchange = entry.card.as_ref();
        let exchange = exchange.and_then(|used| rates.exchange(self.currency, used.currency, entry.day));
        Ok(Transaction {
            id: TransactionId::from_bytes(ids.line(entry.number)),
            account: self.key.clone(),
            payment_id: None,
            entry: 0,
            booking_date: entry.day,
            value_date: entry.value_date,
            amount: money(entry.sum, self.currency)?,
            counterpart: Counterpart::clone(&entry.other),
            creditor_id: None,
            ultimate_creditor: None,
            ultimate_debtor: None,
            remittance: Some(entry.text.as_ref()).filter(|text| !text.is_empty()).map(str::to_owned),
            purpose_code: entry.kind.purpose_code().map(str::to_owned),
            bank_transaction_code: entry.kind.bank_transaction_code(entry.sum < 0).to_owned(),
            proprietary_code: Some(entry.kind.proprietary_code().to_owned()),
            exchange,
            created_at: entry.created_at,
            reference: entry.reference.clone(),
        })
    }
}

/// Makes the records of one neighbourhood.
pub(super) struct Recording<'a> {
    pub(super) setting: &'a Setting,
    pub(super) ids: Ids,
    /// Who acts for companies that have no neighbours.
    pub(super) first_person: Option<Customer>,
    /// What cases added to the entries.
    pub(super) additions: Additions,
    /// What happened to its persons.
    pub(super) events: Vec<EventNote>,
    /// The world by which lines are labelled, where labels are wanted.
    pub(super) labelled: Option<&'static World>,
}

impl Recording<'_> {
    /// The records of a neighbourhood; its entries by account and then by day. The diary has what is authorised.
    ///
    /// # Errors
    /// [`Error::Internal`](crate::Error::Internal) where they do not fit together.
    pub(super) fn of(
        mut self,
        neighbourhood: &Neighbourhood,
        entries: &[Entry],
        diary: &Diary,
    ) -> Result<Records> {
        let customers = self.customers(&neighbourhood.residents);
        let mut by_account = entries.chunk_by(|one, other| one.at == other.at).peekable();
        let mut accounts = Vec::with_capacity(neighbourhood.holdings.len());
        for (at, holding) in neighbourhood.holdings.iter().enumerate() {
            let own = by_account.next_if(|entries| entries.first().is_some_and(|entry| entry.at == at));
            let own = own.unwrap_or_default();
            accounts.push((self.opened(holding, own, &customers)?, own));
        }
        // Lines come last, so that without a history the other ids are the same.
        let booked = |(account, own): (AccountRecord, _)| {
            let owner = customers.get(account.owner).ok_or_else(broken)?.customer.kind;
            self.booked(account, own, owner)
        };
        let mut accounts = accounts.into_iter().map(booked).collect::<Result<Vec<_>>>()?;
        for entry in diary.authorised() {
            let account = accounts.get_mut(entry.at).ok_or_else(broken)?;
            account.authorised.push(account.ledger().authorisation(entry, &self.ids)?);
        }
        Ok(Records { accounts, customers, cases: self.additions.cases, events: self.events })
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
        customers: &[CustomerRecord],
    ) -> Result<AccountRecord> {
        let owner = customers.get(holding.owner).ok_or_else(broken)?;
        let opening = money(holding.opening, holding.currency)?;
        let moved: i64 = entries.iter().map(|entry| entry.sum).sum();
        let balance = opening.checked_add(money(moved, holding.currency)?).ok_or_else(broken)?;
        let account = match &holding.form {
            Form::Ordinary(kind) => {
                AnyAccount::Ordinary(self.account(holding, kind, &owner.customer, opening)?)
            }
            Form::Card => AnyAccount::Card(self.card_account(holding, &owner.customer, opening)),
        };
        let partner = holding.partner.and_then(|partner| customers.get(partner));
        let actor = owner.engaged.as_ref().map(|(_, person)| (person, roles(owner.customer.kind)));
        let partner = partner.map(|partner| (&partner.customer, ENGAGED_ROLES));
        let persons = actor.into_iter().chain(partner);
        let engagements =
            persons.filter_map(|(person, roles)| self.engagement(owner, person, roles, &account.key()));
        let engagements = engagements.collect();
        let masked_pan = holding.masked_pan.clone();
        let owner = holding.owner;
        let (lines, authorised) = (Vec::new(), Vec::new());
        Ok(AccountRecord { owner, account, engagements, masked_pan, lines, authorised, balance })
    }

    fn account(
        &mut self,
        holding: &Holding,
        kind: &AccountKind,
        owner: &Customer,
        opening: Money,
    ) -> Result<Account> {
        Ok(Account {
            id: AccountId::from_bytes(self.ids.next()),
            owner: owner.id.clone(),
            bban: holding.bban,
            iban: holding.iban,
            currency: holding.currency,
            name: kind.name.to_owned(),
            product: kind.product.to_owned(),
            cash_account_type: kind.cash_account_type.to_owned(),
            credit_line: money(holding.credit_line, holding.currency)?,
            opening,
            booked: opening,
        })
    }

    fn card_account(&mut self, holding: &Holding, owner: &Customer, opening: Money) -> CardAccount {
        CardAccount {
            id: CardAccountId::from_bytes(self.ids.next()),
            owner: owner.id.clone(),
            account_number: holding.bban.as_str().to_owned(),
            masked_pan: holding.masked_pan.clone().unwrap_or_default(),
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

    /// A person may use that account under the agreement of its owner.
    fn engagement(
        &mut self,
        owner: &CustomerRecord,
        person: &Customer,
        roles: &[Role],
        account: &AccountKey,
    ) -> Option<Engagement> {
        let (agreement, _) = owner.engaged.as_ref()?;
        Some(Engagement {
            id: EngagementId::from_bytes(self.ids.next()),
            agreement: agreement.id.clone(),
            person: person.id.clone(),
            account: account.clone(),
            name: None,
            roles: roles.to_vec(),
            access_rights: true,
            payment_rights: true,
            transfer_rights: true,
            register_limit: ENGAGEMENT_LIMIT,
            approval_limit: ENGAGEMENT_LIMIT,
        })
    }

    /// The same account with its lines.
    fn booked(&self, record: AccountRecord, entries: &[Entry], owner: CustomerType) -> Result<AccountRecord> {
        let mut lines = record.ledger().lines(entries, &self.ids, &self.setting.rates)?;
        let mut series = SeriesOfAccount::of_owner(owner);
        for (line, entry) in lines.iter_mut().zip(entries) {
            line.mark = self.additions.marks.get(&entry.number).copied();
            line.label = self.labelled.map(|world| LineLabel::of(entry, &line.line.id, &mut series, world));
        }
        Ok(AccountRecord { lines, ..record })
    }
}

/// The same time of another day.
fn on_day(day: NaiveDate, time: DateTime<Utc>) -> DateTime<Utc> {
    let midnight = oslo_midnight(day);
    let since = time - oslo_midnight(oslo_day(time));
    midnight + since.min(TimeDelta::seconds(seconds_left_of_day(midnight) - 1))
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
    let branch = &used.branch;
    let original = if line.amount.is_negative() { used.original } else { -used.original };
    Ok(CardDetails {
        card_transaction_id: line.id.to_string(),
        terminal_id: None,
        transaction_date: Some(used.day),
        value_date: Some(line.value_date),
        original_amount: money(original, used.currency)?,
        contract_identification: None,
        markup_fee: Money::zero(line.amount.currency()),
        markup_fee_percentage: None,
        card_acceptor_id: Some(branch.acceptor_id.clone()),
        card_acceptor_address: CardAcceptorAddress {
            city: branch.city.clone(),
            country: Some(branch.country.clone()),
            ..CardAcceptorAddress::default()
        },
        merchant_category_code: Some(branch.category.clone()),
        masked_pan: Some(masked_pan.to_owned()),
        invoiced: None,
    })
}

fn money(minor_units: i64, currency: Currency) -> Result<Money> {
    Money::of_minor_units(minor_units, currency).ok_or_else(broken)
}
