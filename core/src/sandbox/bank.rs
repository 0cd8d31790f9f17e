//! The simulated bank behind the engine.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::RwLock;
use rust_decimal::Decimal;

use super::access::{self, OpenAgreement};
use super::management::handler_context::HandlerContext;
use super::order_status::final_status;
use super::page::Offer;
use super::{balance, cancel, card_history, fee, history, intake, ledger, management, visible, Rates};
use crate::account::record::{
    Account, Balance, CardAccount, CardTransaction, CorporateAgreement, Page, Transaction, TransactionQuery,
};
use crate::bank::{
    Bank, BankAccounts, BankAnswer, BankCall, BankCardAccounts, BankCustomers, BankOperations, BankPayments,
    BankRisk, Cancellation, OrderStatus, PaymentOrder, ScaDemand, ScaQuestion,
};
use crate::error::{Error, Result};
use crate::operation::Operation;
use crate::payment::machine::PaymentStatus;
use crate::payment::order::Order as Ordered;
use crate::payment::product::Product;
use crate::reason::Refusal;
use crate::store::sqlite::sandbox::{Books, CardStatus, Order, OrderState};
use crate::store::sqlite::Database;
use crate::types::{
    AccountId, AccountReference, ActingPsu, AgreementId, Bban, CardAccountId, Currency, DebtorAccount,
    IdentityNumber, KidAgreement, Money, PaymentId, PsuKey, TransactionId,
};

/// A bank with customers, accounts and money of its own, none of them real. It shares the engine's database.
#[derive(Debug, Clone)]
pub struct SandboxBank {
    pub(super) database: Arc<Database>,
    /// Shared with every copy of this value: all of them are one bank.
    rates: Arc<RwLock<Arc<Rates>>>,
    pub(super) moving: Arc<RwLock<()>>,
}

impl SandboxBank {
    /// The bank in that database, which is a sandbox's, exchanging at those rates.
    pub fn new(database: Arc<Database>, rates: Rates) -> Self {
        let rates = Arc::new(RwLock::new(Arc::new(rates)));
        Self { database, rates, moving: Arc::default() }
    }

    /// The lock that this bank holds exclusively while it replaces its books. Callers that give it orders hold it
    /// shared.
    pub(crate) fn moving(&self) -> Arc<RwLock<()>> {
        Arc::clone(&self.moving)
    }

    /// The present rates.
    pub fn rates(&self) -> Arc<Rates> {
        Arc::clone(&self.rates.read())
    }

    /// Exchanges at other rates from now on. What was booked stays.
    pub fn set_rates(&self, rates: Rates) {
        *self.rates.write() = Arc::new(rates);
    }

    /// The corporate agreements that a person may choose from at SCA, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn open_agreements(&self, psu: &PsuKey) -> Result<Vec<OpenAgreement>> {
        self.database.read_books(|books| access::open_agreements(books, psu))
    }

    /// What a person may open at SCA; under an agreement, where one was chosen.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(crate) fn offer(&self, psu: &ActingPsu, agreement: Option<&AgreementId>) -> Result<Offer> {
        self.database.read_books(|books| {
            let accounts = visible::accounts(books, psu, agreement)?;
            Ok(Offer { accounts, cards: visible::card_accounts(books, psu, agreement)? })
        })
    }

    /// Gives a card account another status: enabled, blocked or deleted.
    ///
    /// # Errors
    /// [`Error::Misuse`] for an unknown card account or status, and for a card account that is deleted
    /// already; [`Error::Store`].
    pub fn set_card_status(&self, id: &str, status: &str) -> Result<()> {
        let unknown = || Error::Misuse(format!("no card account of the sandbox bank has the id `{id}`"));
        let id = CardAccountId::parse(id).ok_or_else(unknown)?;
        let none = || Error::Misuse(format!("`{status}` is none of enabled, blocked, deleted"));
        let status = CardStatus::parse(status).ok_or_else(none)?;
        self.database.write_books(|books| {
            let card = books.card_account(&id)?.ok_or_else(unknown)?;
            if card.status == CardStatus::Deleted {
                return Err(Error::Misuse(format!(
                    "the card account `{}` is deleted, which is final",
                    id.as_str()
                )));
            }
            books.set_card_status(&id, status).map(|_is_there| ())
        })
    }

    /// Keeps a new order, settled already where it is an instant one.
    fn take(&self, books: &Books<'_>, payment: &PaymentOrder, now: DateTime<Utc>) -> Result<Order> {
        let mut order = intake::order(books, payment, now)?;
        if order.state == OrderState::Waiting && payment.product.is_instant() {
            ledger::settle(books, &self.rates(), &mut order, now)?;
        }
        books.insert_order(&order)?;
        Ok(order)
    }

    /// The status of the payment; an order unknown to the bank is accepted, unless it was cancelled before.
    fn submit(&self, books: &Books<'_>, payment: &PaymentOrder, now: DateTime<Utc>) -> Result<OrderStatus> {
        if let Some(known) = books.order(&payment.payment_id)? {
            return Ok(known_status(&known));
        }
        if books.was_cancelled(&payment.payment_id)? {
            return Ok(final_status(OrderState::Cancelled));
        }
        self.take(books, payment, now).map(|order| known_status(&order))
    }
}

impl Bank for SandboxBank {
    fn customers(&self) -> &dyn BankCustomers {
        self
    }

    fn account_data(&self) -> &dyn BankAccounts {
        self
    }

    fn card_account_data(&self) -> &dyn BankCardAccounts {
        self
    }

    fn payments(&self) -> &dyn BankPayments {
        self
    }

    fn risk(&self) -> &dyn BankRisk {
        self
    }

    fn own_operations(&self) -> &dyn BankOperations {
        self
    }
}

impl BankCustomers for SandboxBank {
    fn psu(&self, identity: &IdentityNumber) -> Result<Option<PsuKey>> {
        self.person(identity.as_str())
    }

    fn agreements(&self, psu: &PsuKey) -> Result<Vec<CorporateAgreement>> {
        self.database.read_books(|books| visible::agreements(books, psu))
    }
}

impl BankAccounts for SandboxBank {
    fn accounts(&self, psu: &ActingPsu) -> Result<Vec<Account>> {
        self.database.read_books(|books| visible::accounts(books, psu, None))
    }

    fn account(&self, psu: &ActingPsu, id: &AccountId) -> Result<Option<Account>> {
        self.database.read_books(|books| visible::account(books, psu, id))
    }

    fn balances(&self, id: &AccountId) -> Result<Vec<Balance>> {
        self.database.read_books(|books| balance::of_account(books, &self.rates(), id))
    }

    fn booked(&self, id: &AccountId, query: &TransactionQuery) -> Result<Page<Transaction>> {
        self.database.read_books(|books| history::booked(books, id, query))
    }

    fn pending(&self, id: &AccountId) -> Result<Vec<Transaction>> {
        self.database.read_books(|books| history::pending(books, &self.rates(), id))
    }

    fn transaction(&self, account: &AccountId, id: &TransactionId) -> Result<Option<Transaction>> {
        self.database.read_books(|books| history::one(books, account, id))
    }
}

impl BankCardAccounts for SandboxBank {
    fn card_accounts(&self, psu: &ActingPsu) -> Result<Vec<CardAccount>> {
        self.database.read_books(|books| visible::card_accounts(books, psu, None))
    }

    fn card_account(&self, psu: &ActingPsu, id: &CardAccountId) -> Result<Option<CardAccount>> {
        self.database.read_books(|books| visible::card_account(books, psu, id))
    }

    fn card_balances(&self, id: &CardAccountId) -> Result<Vec<Balance>> {
        self.database.read_books(|books| balance::of_card(books, &self.rates(), id))
    }

    fn card_booked(&self, id: &CardAccountId, query: &TransactionQuery) -> Result<Page<CardTransaction>> {
        self.database.read_books(|books| card_history::booked(books, id, query))
    }

    fn card_pending(&self, id: &CardAccountId) -> Result<Vec<CardTransaction>> {
        self.database.read_books(|books| card_history::pending(books, &self.rates(), id))
    }
}

impl BankPayments for SandboxBank {
    fn debtor_account(&self, psu: &ActingPsu, account: &AccountReference) -> Result<Option<DebtorAccount>> {
        self.database.read_books(|books| {
            let Some(found) = access::debtor(books, psu, &account.identification)? else { return Ok(None) };
            let other_numbers = access::card_numbers(books, &found)?;
            Ok(Some(DebtorAccount { currency: found.currency, other_numbers }))
        })
    }

    fn kid_agreement(&self, creditor: &Bban) -> Result<Option<KidAgreement>> {
        self.database.read_books_once(|books| books.kid_agreement(creditor))
    }

    fn fee(&self, product: Product, order: &Ordered) -> Result<Money> {
        Ok(fee::of(product, order))
    }

    fn rate(&self, from: Currency, to: Currency) -> Result<Option<Decimal>> {
        Ok(self.rates().rate(from, to))
    }

    fn submit_payment(&self, payment: &PaymentOrder, now: DateTime<Utc>) -> Result<OrderStatus> {
        self.database.write_books(|books| self.submit(books, payment, now))
    }

    fn cancel_payment(&self, payment: &PaymentId, now: DateTime<Utc>) -> Result<Cancellation> {
        self.database.write_books(|books| cancel::cancel(books, payment, now))
    }
}

impl BankRisk for SandboxBank {
    fn requires_sca(&self, question: &ScaQuestion<'_>) -> Result<ScaDemand> {
        self.sca_demand(&question.psu.psu)
    }
}

impl BankOperations for SandboxBank {
    fn operations(&self) -> &'static [Operation] {
        management::OPERATIONS
    }

    fn perform(
        &self,
        call: &BankCall<'_>,
        now: DateTime<Utc>,
    ) -> Result<std::result::Result<BankAnswer, Refusal>> {
        management::operations::perform(&HandlerContext {
            database: &self.database,
            rates: &self.rates(),
            moving: &self.moving,
            call,
            now,
        })
    }
}

/// The status of an order for the engine. A batch's outcome counts as unknown until it is reported, so that an order
/// delivered twice does not skip the report.
fn known_status(order: &Order) -> OrderStatus {
    if order.reported {
        final_status(order.state)
    } else {
        OrderStatus::of(PaymentStatus::Pdng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payment::order::{RemittanceInformation, StructuredReference};
    use crate::sandbox::default_data::customer_id;
    use crate::sandbox::fixture::{
        acting_privately, cross_border, instant, noon, number, payment_id, single, Fixture,
    };
    use crate::types::{Reference, Repertoire};

    #[test]
    fn a_person_is_found_by_number_and_a_company_is_not() {
        let bank = Fixture::new().bank;
        let psu = |number: &str| bank.customers().psu(&IdentityNumber::parse(number).unwrap()).unwrap();
        assert_eq!(psu("13039319955"), Some(PsuKey::new(customer_id("13039319955").as_str())));
        assert_eq!(psu("18129215603"), None);
        assert_eq!(psu("01010112345"), None);
    }

    #[test]
    fn the_debtor_account_is_answered_in_its_own_currency() {
        let bank = Fixture::new().bank;
        let reference = AccountReference { identification: number("95360573045"), currency: Currency::NOK };
        let found = bank.payments().debtor_account(&acting_privately("12085592767"), &reference).unwrap();
        assert_eq!(found, Some(DebtorAccount { currency: Currency::EUR, other_numbers: Vec::new() }));
        assert_eq!(
            bank.payments().debtor_account(&acting_privately("13039319955"), &reference).unwrap(),
            None
        );
    }

    #[test]
    fn one_creditor_has_a_kid_agreement() {
        let bank = Fixture::new().bank;
        let agreement = |bban| bank.payments().kid_agreement(&Bban::parse(bban).unwrap()).unwrap();
        assert_eq!(agreement("91351631959"), Some(crate::sandbox::default_set::KID_AGREEMENT));
        assert_eq!(agreement("95360573150"), None);
    }

    #[test]
    fn an_instant_order_delivered_twice_is_booked_once() {
        let fixture = Fixture::new();
        let first = fixture.submit(&instant(1, "100.00"), noon());
        let again = fixture.submit(&instant(1, "100.00"), noon() + chrono::TimeDelta::hours(1));
        assert_eq!((first, again.status), (again, PaymentStatus::Acsc));
        assert_eq!(fixture.amounts("95360573002"), ["-100.00"]);
        assert_eq!(fixture.bank.next_batch_needed().unwrap(), None);
        assert_eq!(fixture.bank.unreported().unwrap(), []);
    }

    #[test]
    fn a_refused_order_stays_refused_when_money_comes_in() {
        let fixture = Fixture::new();
        let refused = fixture.submit(&instant(1, "100001.00"), noon());
        let mut back = instant(2, "1000.00");
        back.psu = acting_privately("12085592767");
        let transfer = single(&mut back);
        std::mem::swap(&mut transfer.debtor_account, &mut transfer.creditor_account);
        fixture.submit(&back, noon());
        assert_eq!(fixture.submit(&instant(1, "100001.00"), noon()), refused);
        assert_eq!(refused.funds_available, Some(false));
    }

    #[test]
    fn an_order_from_an_account_of_someone_else_is_refused() {
        let fixture = Fixture::new();
        for order in [instant(1, "1.00"), cross_border(instant(2, "1.00"))] {
            let order = PaymentOrder { psu: acting_privately("12085592767"), ..order };
            let status = fixture.submit(&order, noon());
            assert_eq!((status.status, status.funds_available), (PaymentStatus::Rjct, None));
            assert_eq!(fixture.submit(&order, noon()), status);
        }
        assert_eq!(fixture.bank.next_batch_needed().unwrap(), None);
    }

    #[test]
    fn an_order_is_kept_whole() {
        let fixture = Fixture::new();
        let text = |text: &str| Reference::parse(text, Repertoire::Latin1).unwrap();
        let reference = |kind| StructuredReference {
            reference: text("1234567897"),
            reference_type: kind,
            reference_issuer: Some(text("BITS-EFAKTURA")),
        };
        let mut payment = cross_border(instant(1, "12.30"));
        let array = vec![reference(None), reference(Some(text("CINV")))];
        single(&mut payment).remittance = Some(RemittanceInformation::StructuredArray(array));
        single(&mut payment).creditor_agent = Some(crate::types::Bic::parse("DNBANOKK").unwrap());
        let kept =
            fixture.database().write_books(|books| fixture.bank.take(books, &payment, noon())).unwrap();
        let found = fixture.database().read_books(|books| books.order(&payment_id(1))).unwrap().unwrap();
        assert!(kept == found);
        assert_eq!(found.entries[0].references.len(), 2);
    }
}
