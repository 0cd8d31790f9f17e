//! What a fake answers as the thing inside it would.
#![allow(clippy::allow_attributes, unused_macros, unused_imports, reason = "each test takes what it needs")]

/// Everything of a `Store` but `commit`, as `self.inner` answers it.
macro_rules! reads_of_the_store_inside {
    () => {
        reads_of_the_store_inside!(but claim_orders);

        fn claim_orders(
            &self,
            now: chrono::DateTime<chrono::Utc>,
            until: chrono::DateTime<chrono::Utc>,
            limit: usize,
        ) -> Result<xs2a::store::DueOrders> {
            self.inner.claim_orders(now, until, limit)
        }
    };
    (but claim_orders) => {
        fn payment(&self, id: &xs2a::types::PaymentId) -> Result<Option<xs2a::payment::record::Payment>> {
            self.inner.payment(id)
        }

        fn events(&self, id: &xs2a::types::PaymentId) -> Result<Vec<xs2a::store::Event>> {
            self.inner.events(id)
        }

        fn audit(
            &self,
            range: &std::ops::Range<chrono::DateTime<chrono::Utc>>,
            after: Option<xs2a::store::AuditPosition>,
            limit: usize,
        ) -> Result<Vec<xs2a::store::AuditLine>> {
            self.inner.audit(range, after, limit)
        }

        fn basket(&self, id: &xs2a::types::BasketId) -> Result<Option<xs2a::basket::record::Basket>> {
            self.inner.basket(id)
        }

        fn authorisation(
            &self,
            id: &xs2a::types::AuthorisationId,
        ) -> Result<Option<xs2a::sca::record::Authorisation>> {
            self.inner.authorisation(id)
        }

        fn psu_by_id(&self, tpp: &str, psu_id: uuid::Uuid) -> Result<Option<xs2a::types::PsuKey>> {
            self.inner.psu_by_id(tpp, psu_id)
        }

        fn psu_id(&self, tpp: &str, psu: &xs2a::types::PsuKey) -> Result<Option<uuid::Uuid>> {
            self.inner.psu_id(tpp, psu)
        }

        fn corporate_by_id(
            &self,
            tpp: &str,
            psu: &xs2a::types::PsuKey,
            corporate_id: uuid::Uuid,
        ) -> Result<Option<xs2a::types::CorporateKey>> {
            self.inner.corporate_by_id(tpp, psu, corporate_id)
        }

        fn corporate_of_id(
            &self,
            tpp: &str,
            corporate_id: uuid::Uuid,
        ) -> Result<Option<xs2a::types::CorporateKey>> {
            self.inner.corporate_of_id(tpp, corporate_id)
        }

        fn corporate_id(
            &self,
            tpp: &str,
            corporate: &xs2a::types::CorporateKey,
        ) -> Result<Option<uuid::Uuid>> {
            self.inner.corporate_id(tpp, corporate)
        }

        fn session(&self, tpp: &str, id: &str) -> Result<Option<xs2a::session::record::Session>> {
            self.inner.session(tpp, id)
        }

        fn consent(
            &self,
            tpp: &str,
            psu: &xs2a::types::ActingPsu,
        ) -> Result<Option<xs2a::consent::record::Consent>> {
            self.inner.consent(tpp, psu)
        }

        fn access_count(&self, counted: &xs2a::store::CountedAccess) -> Result<u32> {
            self.inner.access_count(counted)
        }

        fn purge_access_counts(&self, before: chrono::NaiveDate, limit: usize) -> Result<usize> {
            self.inner.purge_access_counts(before, limit)
        }

        fn purge_sessions(&self, until: chrono::DateTime<chrono::Utc>, limit: usize) -> Result<usize> {
            self.inner.purge_sessions(until, limit)
        }

        fn purge_authorisations(
            &self,
            until: chrono::DateTime<chrono::Utc>,
            limit: usize,
        ) -> Result<usize> {
            self.inner.purge_authorisations(until, limit)
        }

        fn due_orders(
            &self,
            now: chrono::DateTime<chrono::Utc>,
            limit: usize,
        ) -> Result<xs2a::store::DueOrders> {
            self.inner.due_orders(now, limit)
        }

        fn has_order_due_after(
            &self,
            after: chrono::DateTime<chrono::Utc>,
            now: chrono::DateTime<chrono::Utc>,
        ) -> Result<bool> {
            self.inner.has_order_due_after(after, now)
        }

        fn clamp_future_due_times(
            &self,
            after: chrono::DateTime<chrono::Utc>,
            due_at: chrono::DateTime<chrono::Utc>,
        ) -> Result<usize> {
            self.inner.clamp_future_due_times(after, due_at)
        }

        fn dead_letters(&self, limit: usize) -> Result<Vec<xs2a::store::DeadLetter>> {
            self.inner.dead_letters(limit)
        }

        fn is_dead_letter(&self, id: &xs2a::types::PaymentId) -> Result<bool> {
            self.inner.is_dead_letter(id)
        }

        fn next_order_due(&self) -> Result<Option<chrono::DateTime<chrono::Utc>>> {
            self.inner.next_order_due()
        }

        fn used_request_ids(
            &self,
            since: chrono::DateTime<chrono::Utc>,
            limit: usize,
        ) -> Result<Vec<(String, uuid::Uuid, chrono::DateTime<chrono::Utc>)>> {
            self.inner.used_request_ids(since, limit)
        }

        fn purge_request_ids(
            &self,
            before: chrono::DateTime<chrono::Utc>,
            limit: usize,
        ) -> Result<usize> {
            self.inner.purge_request_ids(before, limit)
        }
    };
}

/// The account information of a `Bank`, as `self.inner` answers it.
macro_rules! account_information_of_the_bank_inside {
    () => {
        account_information_of_the_bank_inside!(but what is checked);

        fn accounts(&self, psu: &xs2a::types::ActingPsu) -> Result<Vec<xs2a::account::record::Account>> {
            self.inner.accounts(psu)
        }

        fn account(
            &self,
            psu: &xs2a::types::ActingPsu,
            id: &xs2a::types::AccountId,
        ) -> Result<Option<xs2a::account::record::Account>> {
            self.inner.account(psu, id)
        }

        fn card_accounts(
            &self,
            psu: &xs2a::types::ActingPsu,
        ) -> Result<Vec<xs2a::account::record::CardAccount>> {
            self.inner.card_accounts(psu)
        }

        fn card_account(
            &self,
            psu: &xs2a::types::ActingPsu,
            id: &xs2a::types::CardAccountId,
        ) -> Result<Option<xs2a::account::record::CardAccount>> {
            self.inner.card_account(psu, id)
        }

        fn transaction(
            &self,
            account: &xs2a::types::AccountId,
            id: &xs2a::types::TransactionId,
        ) -> Result<Option<xs2a::account::record::Transaction>> {
            self.inner.transaction(account, id)
        }

        fn booked(
            &self,
            id: &xs2a::types::AccountId,
            query: &xs2a::account::record::TransactionQuery,
        ) -> Result<xs2a::account::record::Page<xs2a::account::record::Transaction>> {
            self.inner.booked(id, query)
        }

        fn pending(&self, id: &xs2a::types::AccountId) -> Result<Vec<xs2a::account::record::Transaction>> {
            self.inner.pending(id)
        }

        fn card_booked(
            &self,
            id: &xs2a::types::CardAccountId,
            query: &xs2a::account::record::TransactionQuery,
        ) -> Result<xs2a::account::record::Page<xs2a::account::record::CardTransaction>> {
            self.inner.card_booked(id, query)
        }

        fn card_pending(
            &self,
            id: &xs2a::types::CardAccountId,
        ) -> Result<Vec<xs2a::account::record::CardTransaction>> {
            self.inner.card_pending(id)
        }
    };
    (but what is checked) => {
        fn agreements(
            &self,
            psu: &xs2a::types::PsuKey,
        ) -> Result<Vec<xs2a::account::record::CorporateAgreement>> {
            self.inner.agreements(psu)
        }

        fn balances(&self, id: &xs2a::types::AccountId) -> Result<Vec<xs2a::account::record::Balance>> {
            self.inner.balances(id)
        }

        fn card_balances(
            &self,
            id: &xs2a::types::CardAccountId,
        ) -> Result<Vec<xs2a::account::record::Balance>> {
            self.inner.card_balances(id)
        }
    };
}

pub(crate) use {account_information_of_the_bank_inside, reads_of_the_store_inside};
