//! What a fake answers as the thing inside it would.

/// Every subject of a `Store`, as `self.inner` has it.
macro_rules! reads_of_the_store_inside {
    () => {
        reads_of_the_store_inside!(but outbox);

        fn outbox(&self) -> &dyn xs2a::store::OutboxStore {
            self.inner.outbox()
        }
    };
    (but outbox) => {
        reads_of_the_store_inside!(but writable and outbox);

        fn check_writable(&self) -> xs2a::Result<()> {
            self.inner.check_writable()
        }
    };
    (but writable and outbox) => {
        fn bank_id(&self, for_database_without: Option<&str>) -> xs2a::Result<Option<String>> {
            self.inner.bank_id(for_database_without)
        }

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

        fn blocks(&self) -> &dyn xs2a::store::BlockStore {
            self.inner.blocks()
        }

        fn quotas(&self) -> &dyn xs2a::store::QuotaStore {
            self.inner.quotas()
        }

        fn audit(&self) -> &dyn xs2a::store::AuditStore {
            self.inner.audit()
        }

        fn statistics(&self) -> &dyn xs2a::store::StatisticsStore {
            self.inner.statistics()
        }

        fn retention(&self) -> &dyn xs2a::store::RetentionStore {
            self.inner.retention()
        }

        fn replay(&self) -> &dyn xs2a::store::ReplayStore {
            self.inner.replay()
        }
    };
}

pub(crate) use reads_of_the_store_inside;
