//! What the audit notes. One row for each kind of line; the page of the audit is printed from it.

macro_rules! kinds {
    ($( $variant:ident $name:literal $subject:literal $meaning:literal; )+) => {
        /// The kind of a line of the audit.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum AuditKind {
            $( #[doc = $meaning] $variant, )+
        }

        impl AuditKind {
            /// Every kind, in the order of the page.
            pub const ALL: &'static [Self] = &[$( Self::$variant, )+];

            /// Its stable name: what is stored and exported. Never reused.
            pub fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// What the member `id` of the line names.
            pub fn subject(self) -> &'static str {
                match self { $( Self::$variant => $subject, )+ }
            }

            /// What it means, as a sentence.
            pub fn meaning(self) -> &'static str {
                match self { $( Self::$variant => $meaning, )+ }
            }

            /// The kind of that name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|kind| kind.as_str() == name)
            }
        }
    };
}

kinds! {
    PaymentCreated "payment.created" "paymentId" "A TPP created a payment.";
    PaymentStatus "payment.status" "paymentId" "A payment got another status.";
    PaymentCancelled "payment.cancelled" "paymentId" "A TPP cancelled a payment that was not authorised.";
    OrderDeadLetter "order.dead-letter" "paymentId"
        "An order became a dead letter: it waits until the operator retries it.";
    OrderRetried "order.retried" "paymentId" "The operator had a dead letter delivered again.";
    OrderResolved "order.resolved" "paymentId"
        "The bank reported the status of a payment that had a dead letter: the order is not delivered any more, unless \
         the bank was asked to cancel the payment.";
    BasketCreated "basket.created" "basketId" "A TPP put payments into a signing basket.";
    BasketAuthorised "basket.authorised" "basketId" "The PSU approved a signing basket.";
    BasketDeleted "basket.deleted" "basketId" "A TPP deleted a signing basket.";
    AuthorisationStarted "authorisation.started" "authorisationId" "A link to the SCA site was made.";
    AuthorisationFinalised "authorisation.finalised" "authorisationId" "The PSU approved.";
    AuthorisationFailed "authorisation.failed" "authorisationId"
        "The PSU aborted, was not authenticated, or approved what could not be carried out.";
    SessionOpened "session.opened" "TPP-Session-ID"
        "A completed SCA opened a session, in place of the others of that TPP, PSU and context.";
    ConsentGranted "consent.granted" "nothing" "A PSU opened accounts to a TPP, in place of those opened before.";
    ConsentRevoked "consent.revoked" "nothing" "A consent of a PSU to a TPP was revoked, in every context.";
    AccountRead "account.read" "nothing" "A TPP read account data of a PSU.";
    PaymentRead "payment.read" "paymentId" "A TPP read the details or the status of a payment.";
    Blocked "tpp.blocked" "nothing" "The operator blocked a TPP or a certificate.";
    Unblocked "tpp.unblocked" "nothing" "The operator removed a block.";
    PsuErased "psu.erased" "nothing" "The operator erased a person: what no law keeps was deleted.";
    CallRefused "call.refused" "nothing" "A caller could not be identified, authenticated or authorised.";
    CallsRefused "calls.refused" "nothing"
        "So many more calls were refused for one reason within a minute; they have no lines of their own.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_of_its_own_that_reads_back() {
        for kind in AuditKind::ALL {
            assert_eq!(AuditKind::parse(kind.as_str()), Some(*kind));
        }
        assert_eq!(AuditKind::parse("payment"), None);
    }
}
