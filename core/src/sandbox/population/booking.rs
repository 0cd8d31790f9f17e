//! How the records of a neighbourhood come into the books.

use super::holding::broken;
use super::records::{roles, AccountRecord, AnyAccount, CustomerRecord, Records};
use super::view::Population;
use crate::error::Result;
use crate::sandbox::listed::{ListedAccount, ListedAgreement, ListedCardAccount, ListedCustomer};
use crate::store::sqlite::sandbox::{Books, CustomerType, Transaction};

/// Writes into books, and lists what it wrote.
pub(super) struct Booking<'a> {
    books: &'a Books<'a>,
    population: Population,
}

impl<'a> Booking<'a> {
    /// Writes into these books; `population` lists the customers written before.
    pub(super) fn into(books: &'a Books<'a>, population: Population) -> Self {
        Self { books, population }
    }

    /// How many customers were written.
    pub(super) fn customers(&self) -> u64 {
        u64::try_from(self.population.customers.len()).unwrap_or(u64::MAX)
    }

    /// All customers written.
    pub(super) fn done(self) -> Population {
        self.population
    }

    /// A whole neighbourhood.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub(super) fn take(&mut self, records: Records) -> Result<()> {
        let Records { customers, accounts, .. } = records;
        customers.iter().try_for_each(|record| self.books.insert_customer(&record.customer))?;
        let agreements = customers.iter().filter_map(|record| record.engaged.as_ref());
        agreements.map(|(agreement, _)| agreement).try_for_each(|new| self.books.insert_agreement(new))?;
        let mut listed: Vec<_> =
            customers.iter().map(|record| ListedCustomer::of(&record.customer)).collect();
        for account in accounts {
            let owner = customers.get(account.owner).zip(listed.get_mut(account.owner));
            let (owner, listed) = owner.ok_or_else(broken)?;
            self.open(account, owner, listed)?;
        }
        self.list(customers, listed);
        Ok(())
    }

    /// Opens an account, books its lines, and lists it.
    fn open(
        &mut self,
        record: AccountRecord,
        owner: &CustomerRecord,
        listed: &mut ListedCustomer,
    ) -> Result<()> {
        let AccountRecord { account, engagements, lines, authorised, balance, .. } = record;
        match &account {
            AnyAccount::Ordinary(account) => {
                self.books.insert_account(account)?;
                listed.accounts.push(ListedAccount::of(account, &owner.customer, balance));
            }
            AnyAccount::Card(card) => {
                self.books.insert_card_account(card)?;
                listed.card_accounts.push(ListedCardAccount::of(card, balance));
            }
        }
        let (lines, details): (Vec<Transaction>, Vec<_>) =
            lines.into_iter().map(|line| (line.line, line.used)).unzip();
        self.books.book_all(&account.key(), &lines)?;
        for (line, details) in lines.iter().zip(&details) {
            match details {
                Some(details) => {
                    self.books.insert_card_details(&line.id, details)?;
                    self.population.card_transactions += 1;
                }
                None => self.population.transactions += 1,
            }
        }
        authorised.iter().try_for_each(|pending| self.books.insert_authorisation(pending))?;
        engagements.iter().try_for_each(|engagement| self.books.insert_engagement(engagement))
    }

    fn list(&mut self, customers: Vec<CustomerRecord>, listed: Vec<ListedCustomer>) {
        for (CustomerRecord { customer, engaged }, listed) in customers.into_iter().zip(listed) {
            if let (CustomerType::Corporate, Some((agreement, person))) = (customer.kind, engaged) {
                let agreement = ListedAgreement::of(&agreement, &listed, &person, roles(customer.kind));
                self.population.agreements.push(agreement);
            }
            self.population.customers.push(listed);
        }
    }
}
