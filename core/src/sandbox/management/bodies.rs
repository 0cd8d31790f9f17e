//! What the docs print of the bodies that the sandbox's own routes take.

use super::account::AccountBody;
use super::account_number::AccountNumbers;
use super::account_transaction::TransactionBody;
use super::agreement::AgreementBody;
use super::balance::BalanceBody;
use super::card_account::CardAccountBody;
use super::card_transaction_body::{AddressBody, CardTransactionBody, ExchangeBody};
use super::customer::CustomerBody;
use super::engaging::EngagementBody;
use super::members::{Limit, Sum};
use crate::wire::described::Tabled;
pub use crate::wire::described::{MemberRow, Object};

/// The body of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Body {
    /// The name of the route.
    pub operation: &'static str,
    /// Whether it is an array of objects.
    pub is_array: bool,
    /// What the docs call the object.
    pub object: &'static str,
}

macro_rules! bodies {
    ($( $operation:literal $count:ident $object:literal; )+) => {
        /// Of each route that takes a body, which.
        pub const BODIES: &[Body] = &[
            $( Body { operation: $operation, is_array: bodies!(@is_array $count), object: $object }, )+
        ];
    };
    (@is_array one) => { false };
    (@is_array array) => { true };
}

bodies! {
    "createMockCustomer" one "customer";
    "createMockAgreement" one "agreement";
    "createMockEngagement" one "engagement";
    "createMockAccount" one "account";
    "setMockAccountBalances" array "balance";
    "createMockTransactions" array "account-transaction";
    "createMockCardAccount" one "card-account";
    "setMockCardAccountBalances" array "balance";
    "createMockCardTransactions" array "card-transaction";
}

/// Every object of them, those they hold too.
pub fn objects() -> Vec<Object> {
    vec![
        CustomerBody::object(),
        AccountBody::object(),
        BalanceBody::object(),
        TransactionBody::object(),
        CardAccountBody::object(),
        CardTransactionBody::object(),
        AgreementBody::object(),
        EngagementBody::object(),
        AccountNumbers::object(),
        Sum::object(),
        Limit::object(),
        AddressBody::object(),
        ExchangeBody::object(),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::OPERATIONS;
    use super::*;

    #[test]
    fn every_route_that_takes_a_body_says_which() {
        let taking = OPERATIONS.iter().filter(|row| row.takes_body).map(|row| row.name);
        let declared: Vec<_> = BODIES.iter().map(|body| body.operation).collect();
        assert_eq!(taking.collect::<Vec<_>>(), declared);
    }

    #[test]
    fn every_object_that_is_named_has_a_table() {
        let objects = objects();
        let names: Vec<_> = objects.iter().map(|object| object.name).collect();
        assert!(BODIES.iter().all(|body| names.contains(&body.object)));
        for row in objects.iter().flat_map(|object| &object.members) {
            let linked = row.form.split_once("](#").and_then(|(_, rest)| rest.split_once(')'));
            assert!(linked.is_none_or(|(name, _)| names.contains(&name)), "{row:?}");
        }
    }
}
