//! The table of the sandbox's own routes, each with its handler.

use super::handler_context::HandlerContext;
use super::listing::{OF_CARD_TRANSACTIONS, OF_CUSTOMERS, OF_TRANSACTIONS};
use super::outcome::Outcome;
use super::{
    account, account_transaction, agreement, card_account, card_transaction, customer, engagement, initialize,
};
use crate::bank::BankAnswer;
use crate::error::{Error, Result};
use crate::handler_error::HandlerError;
use crate::operation::{HeaderSet, Operation, OperationId, RoleNeeded};
use crate::reason::Refusal;

/// What answers a call.
type Handler = fn(&HandlerContext<'_>) -> Outcome<BankAnswer>;

/// One row: what it does, name, method, path, what it takes, what its query may have, handler. It takes the body of a
/// POST or of a PUT; the Digest alone, which every POST must have (contract: Sandbox management); neither.
macro_rules! operations {
    ($(
        $(#[doc = $about:literal])+
        $name:literal $method:literal $path:literal $body:ident $(asks $query:ident)? => $handler:path;
    )+) => {
        /// The sandbox's own routes.
        pub const OPERATIONS: &[Operation] = &[ $( Operation {
            id: OperationId::OfBank,
            name: $name,
            about: concat!($( $about ),+),
            method: $method,
            path: $path,
            headers: operations!(@headers $body),
            role: RoleNeeded::Any,
            takes_body: operations!(@takes $body),
            query: operations!(@query $($query)?),
        }, )+ ];

        fn handler(name: &str) -> Option<Handler> {
            match name { $( $name => Some($handler), )+ _ => None }
        }
    };
    (@headers body) => { HeaderSet::SandboxWithDigest };
    (@headers digest) => { HeaderSet::SandboxWithDigest };
    (@headers $without:ident) => { HeaderSet::Sandbox };
    (@takes body) => { true };
    (@takes put) => { true };
    (@takes $without:ident) => { false };
    (@query) => { &[] };
    (@query $query:ident) => { $query };
}

operations! {
    /// Goes back to the default set: everything else is gone.
    "initializeSandbox" "POST" "/v1/sandbox/initialize" digest => initialize::initialize;

    /// Makes a customer.
    "createMockCustomer" "POST" "/v1/sandbox/customers" body => customer::create;
    /// Lists the customers.
    "getMockCustomers" "GET" "/v1/sandbox/customers" bare asks OF_CUSTOMERS => customer::list;
    /// Reads a customer.
    "getMockCustomer" "GET" "/v1/sandbox/customers/{customerId}" bare => customer::show;
    /// Deletes a customer with all that is theirs.
    "deleteMockCustomer" "DELETE" "/v1/sandbox/customers/{customerId}" bare => customer::delete;

    /// Makes an agreement of a corporate customer.
    "createMockAgreement" "POST" "/v1/sandbox/agreements" body => agreement::create;
    /// Lists the agreements.
    "getMockAgreements" "GET" "/v1/sandbox/agreements" bare => agreement::list;
    /// Reads an agreement.
    "getMockAgreement" "GET" "/v1/sandbox/agreements/{mockAgreementId}" bare => agreement::show;
    /// Deletes an agreement.
    "deleteMockAgreement" "DELETE" "/v1/sandbox/agreements/{mockAgreementId}" bare => agreement::delete;
    /// Engages a person with an account under an agreement.
    "createMockEngagement" "POST" "/v1/sandbox/agreements/{mockAgreementId}/engagements" body
        => engagement::create;
    /// Ends an engagement.
    "deleteMockEngagement" "DELETE" "/v1/sandbox/agreements/{mockAgreementId}/engagements/{mockEngagementId}" bare
        => engagement::delete;

    /// Makes an account.
    "createMockAccount" "POST" "/v1/sandbox/accounts" body => account::create;
    /// Lists the accounts.
    "getMockAccounts" "GET" "/v1/sandbox/accounts" bare => account::list;
    /// Reads an account.
    "getMockAccount" "GET" "/v1/sandbox/accounts/{mockAccountId}" bare => account::show;
    /// Deletes an account.
    "deleteMockAccount" "DELETE" "/v1/sandbox/accounts/{mockAccountId}" bare => account::delete;
    /// Sets balances of an account.
    "setMockAccountBalances" "PUT" "/v1/sandbox/accounts/{mockAccountId}/balances" put
        => account::set_balances;
    /// Books transactions on an account, all or none.
    "createMockTransactions" "POST" "/v1/sandbox/accounts/{mockAccountId}/transactions" body
        => account_transaction::create;
    /// Lists the transactions of an account.
    "getMockTransactions" "GET" "/v1/sandbox/accounts/{mockAccountId}/transactions" bare asks OF_TRANSACTIONS
        => account_transaction::list;
    /// Deletes the transactions of an account.
    "deleteMockTransactions" "DELETE" "/v1/sandbox/accounts/{mockAccountId}/transactions" bare
        => account_transaction::delete;
    /// Reads a transaction of an account.
    "getMockTransaction" "GET" "/v1/sandbox/accounts/{mockAccountId}/transactions/{mockTransactionId}" bare
        => account_transaction::show;

    /// Makes a card account.
    "createMockCardAccount" "POST" "/v1/sandbox/card-accounts" body => card_account::create;
    /// Lists the card accounts.
    "getMockCardAccounts" "GET" "/v1/sandbox/card-accounts" bare => card_account::list;
    /// Reads a card account.
    "getMockCardAccount" "GET" "/v1/sandbox/card-accounts/{mockCardAccountId}" bare => card_account::show;
    /// Marks a card account deleted, for ever.
    "deleteMockCardAccount" "DELETE" "/v1/sandbox/card-accounts/{mockCardAccountId}" bare
        => card_account::delete;
    /// Sets balances of a card account.
    "setMockCardAccountBalances" "PUT" "/v1/sandbox/card-accounts/{mockCardAccountId}/balances" put
        => card_account::set_balances;
    /// Books uses of a card, all or none.
    "createMockCardTransactions" "POST" "/v1/sandbox/card-accounts/{mockCardAccountId}/transactions" body
        => card_transaction::create;
    /// Lists the uses of a card that were booked by the sandbox's own route.
    "getMockCardTransactions" "GET" "/v1/sandbox/card-accounts/{mockCardAccountId}/transactions"
        bare asks OF_CARD_TRANSACTIONS
        => card_transaction::list;
}

/// Answers a call of one of [`OPERATIONS`].
pub(in crate::sandbox) fn perform(
    context: &HandlerContext<'_>,
) -> Result<std::result::Result<BankAnswer, Refusal>> {
    let name = context.call.operation.name;
    let unknown = || Error::Internal(format!("the sandbox has no {name}"));
    let handler = handler(name).ok_or_else(unknown)?;
    match handler(context) {
        Ok(answer) => Ok(Ok(answer)),
        Err(HandlerError::Refused(refusal)) => Ok(Err(refusal)),
        Err(HandlerError::Failed(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_route_has_a_name_and_a_place_of_its_own() {
        let names: BTreeSet<_> = OPERATIONS.iter().map(|row| row.name).collect();
        let places: BTreeSet<_> = OPERATIONS.iter().map(|row| (row.method, row.path)).collect();
        assert_eq!((names.len(), places.len()), (OPERATIONS.len(), OPERATIONS.len()));
        assert!(OPERATIONS.iter().all(|row| row.path.starts_with("/v1/sandbox/")));
        for row in OPERATIONS {
            assert_eq!(row.method == "POST", row.headers == HeaderSet::SandboxWithDigest, "{}", row.name);
            assert_eq!(
                row.method == "PUT" || row.method == "POST" && row.name != "initializeSandbox",
                row.takes_body
            );
        }
    }
}
