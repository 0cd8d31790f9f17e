//! The customers that can be entered at the site, and the one who was.

use super::walk::is_someone_else;
use crate::bank::Bank;
use crate::error::Result;
use crate::sandbox::page::{SignedIn, TestCustomers};
use crate::sandbox::psu_key;
use crate::sandbox_control::sandbox::Sandbox;
use crate::sca::record::Authorisation;
use crate::store::sqlite::sandbox::Customer;
use crate::types::{visible_text, PsuKey};

/// How many customers the first page lists.
const LISTED_MAX: usize = 10;
/// How many are looked at for that. A bank may have a hundred thousand.
const CONSIDERED_MAX: u32 = 50;

impl Sandbox {
    /// The test customers whose answer the link takes: the person whom the call named, or the oldest ones who have a
    /// role that the call leaves open.
    pub(super) fn test_customers(&self, authorisation: &Authorisation) -> Result<TestCustomers> {
        let by_number = self.by_number(authorisation)?;
        let named = authorisation.psu.clone().or_else(|| by_number.clone().flatten());
        let considered = match &named {
            Some(psu) => self.bank.customer_of(psu)?.into_iter().collect(),
            None => self.bank.first_private_customers(CONSIDERED_MAX)?,
        };
        let mut are_there_more = considered.len() == usize::try_from(CONSIDERED_MAX).unwrap_or(usize::MAX);
        let mut listed = Vec::new();
        for customer in &considered {
            let psu = psu_key(customer);
            let is_taken = !is_someone_else(authorisation, &psu, by_number.as_ref())
                && !self.roles(authorisation, &psu)?.is_empty();
            if is_taken && listed.len() < LISTED_MAX {
                listed.push(shown(customer));
            } else {
                are_there_more |= is_taken;
            }
        }
        Ok(TestCustomers { listed, are_there_more })
    }

    /// The private customer with a number.
    pub(super) fn signed_in(&self, customer_number: &str) -> Result<Option<(PsuKey, SignedIn)>> {
        let customer = self.bank.private_customer(customer_number)?;
        Ok(customer.map(|customer| (psu_key(&customer), shown(&customer))))
    }

    /// The person behind X-PSU-IDENTITY, if the call has that header.
    pub(super) fn by_number(&self, authorisation: &Authorisation) -> Result<Option<Option<PsuKey>>> {
        let identity = authorisation.identity.as_ref();
        identity.map(|identity| self.bank.customers().psu(identity)).transpose()
    }
}

fn shown(customer: &Customer) -> SignedIn {
    SignedIn { customer_number: customer.number.as_str().to_owned(), name: visible_text(&customer.name) }
}
