//! What a fake answers as the thing inside it would.
#![allow(clippy::allow_attributes, unused_macros, unused_imports, reason = "each test takes what it needs")]

/// Every subject of a `Store`, as `self.inner` has it.
macro_rules! reads_of_the_store_inside {
    () => {
        reads_of_the_store_inside!(but outbox);

        fn outbox(&self) -> &dyn xs2a::store::OutboxStore {
            self.inner.outbox()
        }
    };
    (but outbox) => {
        fn payments(&self) -> &dyn xs2a::store::PaymentStore {
            self.inner.payments()
        }

        fn sca(&self) -> &dyn xs2a::store::ScaStore {
            self.inner.sca()
        }

        fn psus(&self) -> &dyn xs2a::store::PsuStore {
            self.inner.psus()
        }

        fn consents(&self) -> &dyn xs2a::store::ConsentStore {
            self.inner.consents()
        }

        fn quotas(&self) -> &dyn xs2a::store::QuotaStore {
            self.inner.quotas()
        }

        fn audit(&self) -> &dyn xs2a::store::AuditStore {
            self.inner.audit()
        }

        fn replay(&self) -> &dyn xs2a::store::ReplayStore {
            self.inner.replay()
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
