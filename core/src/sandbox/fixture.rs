//! A bank with the default set, and orders for it, for the tests of this module.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};

use super::default_data::{self, account_id, agreement_id, customer_id};
use super::{access, ledger, view, Rates, SandboxBank};
use crate::bank::{Bank, OrderStatus, PaymentOrder};
use crate::payment::order::{Bulk, CreditTransfer, Order};
use crate::payment::product::Product;
use crate::store::sqlite::sandbox::{AccountKey, CardAccount, Engagement, EntryOutcome, Role};
use crate::store::sqlite::Database;
use crate::types::date::oslo_time;
use crate::types::{
    AccountIdentification, AccountReference, ActingPsu, Amount, Bban, Context, Currency, EngagementId, Iban,
    Name, PaymentId, PsuKey, Repertoire,
};

pub(super) struct Fixture {
    pub(super) bank: SandboxBank,
}

impl Fixture {
    pub(super) fn new() -> Self {
        Self::over(Arc::new(Database::open_memory_for_sandbox().unwrap()))
    }

    pub(super) fn over(database: Arc<Database>) -> Self {
        default_data::load(&database).unwrap();
        Self { bank: SandboxBank::new(database, Rates::default()) }
    }

    pub(super) fn database(&self) -> &Database {
        &self.bank.database
    }

    /// The booked balance of an account.
    pub(super) fn balance(&self, number: &str) -> String {
        view::ledger(self.database(), number).unwrap().unwrap().balance.amount
    }

    /// The amounts on an account, the newest first.
    pub(super) fn amounts(&self, number: &str) -> Vec<String> {
        let ledger = view::ledger(self.database(), number).unwrap().unwrap();
        ledger.bookings.into_iter().map(|booking| booking.amount).collect()
    }

    /// A card account of the default set.
    pub(super) fn card(&self, number: &str) -> CardAccount {
        let id = default_data::card_account_id(number);
        self.database().read_books(|books| books.card_account(&id)).unwrap().unwrap()
    }

    pub(super) fn submit(&self, order: &PaymentOrder, at: DateTime<Utc>) -> OrderStatus {
        let status = self.bank.payments().submit_payment(order, at).unwrap();
        assert_eq!(ledger::reconcile(self.database()).unwrap(), []);
        status
    }

    /// What became of each entry of an order.
    pub(super) fn outcomes(&self, n: u8) -> Vec<Option<EntryOutcome>> {
        let order = self.database().read_books(|books| books.order(&payment_id(n))).unwrap().unwrap();
        order.entries.iter().map(|entry| entry.outcome).collect()
    }

    /// Engages a person with one account of a company.
    pub(super) fn engage(
        &self,
        person: &str,
        company: &str,
        account: &str,
        change: impl FnOnce(Engagement) -> Engagement,
    ) {
        let engagement = change(Engagement {
            id: EngagementId::from_bytes([1; 18]),
            agreement: agreement_id(company),
            person: customer_id(person),
            account: AccountKey::from(&account_id(account)),
            name: None,
            roles: vec![Role::View, Role::Register],
            access_rights: true,
            payment_rights: true,
            transfer_rights: true,
            register_limit: 0,
            approval_limit: 0,
        });
        self.database().write_books(|books| books.insert_engagement(&engagement)).unwrap();
    }
}

pub(super) fn acting_privately(customer: &str) -> ActingPsu {
    let psu = PsuKey::new(customer_id(customer).as_str());
    ActingPsu { psu, context: Context::Private, corporate: None }
}

pub(super) fn acting_for(customer: &str, company: &str) -> ActingPsu {
    let corporate = Some(access::corporate_key(&customer_id(company)));
    ActingPsu { context: Context::Corporate, corporate, ..acting_privately(customer) }
}

/// An account number: an IBAN where it is one.
pub(super) fn number(text: &str) -> AccountIdentification {
    match Iban::parse(text) {
        Ok(iban) => AccountIdentification::Iban(iban),
        Err(_) => AccountIdentification::Bban(Bban::parse(text).unwrap()),
    }
}

pub(super) fn card(text: &str) -> AccountIdentification {
    AccountIdentification::Card(text.to_owned())
}

pub(super) fn payment_id(n: u8) -> PaymentId {
    PaymentId::from_bytes([n; 18])
}

/// An instant order of 13039319955 in NOK, from the account with 100 000.00 to the other private customer.
pub(super) fn instant(n: u8, amount: &str) -> PaymentOrder {
    order(n, "95360573002", "95360573037", amount)
}

/// An instant order of the owner of the debtor account.
pub(super) fn order(n: u8, debtor: &str, creditor: &str, amount: &str) -> PaymentOrder {
    let owner = super::default_set::CUSTOMERS
        .iter()
        .find(|row| row.accounts.iter().any(|account| account.bban == debtor))
        .map_or("13039319955", |row| row.number);
    PaymentOrder {
        payment_id: payment_id(n),
        product: Product::InstantDomesticStraks,
        psu: acting_privately(owner),
        order: Order::Single(transfer(debtor, creditor, amount, Currency::NOK)),
        fee: super::fee::price(Product::InstantDomesticStraks, None),
        authorised_at: noon(),
    }
}

/// The same order under the cross-border product, with its fee of NOK 30.
pub(super) fn cross_border(order: PaymentOrder) -> PaymentOrder {
    under(Product::NorwegianCrossBorder, order)
}

/// The same order under another product, with its fee.
pub(super) fn under(product: Product, order: PaymentOrder) -> PaymentOrder {
    PaymentOrder { product, fee: super::fee::price(product, None), ..order }
}

/// As [`instant`], for the next batch and without a fee.
pub(super) fn domestic(n: u8, amount: &str) -> PaymentOrder {
    under(Product::Domestic, instant(n, amount))
}

/// A bulk from the account of [`instant`]: who gets how many NOK.
pub(super) fn bulk(n: u8, entries: &[(&str, &str)]) -> PaymentOrder {
    let entry = |&(creditor, amount): &(&str, &str)| transfer("95360573002", creditor, amount, Currency::NOK);
    let entries: Vec<_> = entries.iter().map(entry).collect();
    let order = Order::Bulk(Bulk {
        payment_information_id: None,
        debtor_account: entries[0].debtor_account.clone(),
        requested_execution_date: None,
        entries,
    });
    PaymentOrder { order, ..under(Product::BulkDomestic, instant(n, "1.00")) }
}

/// The same order for a day.
pub(super) fn on_day(day: &str, mut payment: PaymentOrder) -> PaymentOrder {
    let day = Some(day.parse().unwrap());
    match &mut payment.order {
        Order::Single(transfer) => transfer.requested_execution_date = day,
        Order::Bulk(bulk) => bulk.requested_execution_date = day,
        Order::Periodic(_) => panic!("a standing order"),
    }
    payment
}

/// The one credit transfer of an order.
pub(super) fn single(payment: &mut PaymentOrder) -> &mut CreditTransfer {
    match &mut payment.order {
        Order::Single(transfer) => transfer,
        Order::Periodic(_) | Order::Bulk(_) => panic!("not a single payment"),
    }
}

/// The same order in another currency.
pub(super) fn in_currency(order: PaymentOrder, amount: &str, currency: Currency) -> PaymentOrder {
    let instructed_amount = Amount::parse(amount, currency).unwrap();
    let transfer = CreditTransfer { instructed_amount, ..order.order.transfers()[0].clone() };
    PaymentOrder { order: Order::Single(transfer), ..order }
}

fn transfer(debtor: &str, creditor: &str, amount: &str, currency: Currency) -> CreditTransfer {
    CreditTransfer {
        instructed_amount: Amount::parse(amount, currency).unwrap(),
        creditor_name: Name::parse("Payee Test", Repertoire::Latin1).unwrap(),
        creditor_account: AccountReference { identification: number(creditor), currency },
        creditor_agent: None,
        creditor_address: None,
        debtor_account: AccountReference { identification: number(debtor), currency },
        ultimate_debtor: None,
        purpose_code: None,
        remittance: None,
        regulatory_reporting_code: None,
        regulatory_reporting_information: None,
        service_level: None,
        requested_execution_date: None,
    }
}

/// 12:00 in Oslo on 2026-11-20: one hour before a batch.
pub(super) fn noon() -> DateTime<Utc> {
    oslo_time(NaiveDate::from_ymd_opt(2026, 11, 20).unwrap(), 12, 0)
}
