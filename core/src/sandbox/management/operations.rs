//! The table of the sandbox's own routes, each with its handler.

use chrono::{DateTime, Utc};

use super::desk::Desk;
use super::halt::{Halt, Outcome};
use super::listing::{OF_CARD_TRANSACTIONS, OF_CUSTOMERS, OF_TRANSACTIONS};
use super::{
    account, account_transaction, agreement, card_account, card_transaction, customer, engagement, initialize,
};
use crate::bank::{BankAnswer, BankCall};
use crate::error::{Error, Result};
use crate::operation::{HeaderSet, Operation, OperationId, RoleNeeded};
use crate::reason::Refusal;
use crate::sandbox::SandboxBank;

/// What answers a call.
type Handler = fn(&Desk<'_>) -> Outcome<BankAnswer>;

/// One row: name, method, path, what it takes, what its query may have, handler. It takes the body of a POST or of a
/// PUT; the Digest alone, which every POST must have (contract: Sandbox management); neither.
macro_rules! operations {
    ($( $name:literal $method:literal $path:literal $body:ident $(asks $query:ident)? => $handler:path; )+) => {
        /// The sandbox's own routes.
        pub const OPERATIONS: &[Operation] = &[ $( Operation {
            id: OperationId::OfBank,
            name: $name,
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
    "initializeSandbox" "POST" "/v1/sandbox/initialize" digest => initialize::initialize;

    "createMockCustomer" "POST" "/v1/sandbox/customers" body => customer::create;
    "getMockCustomers" "GET" "/v1/sandbox/customers" bare asks OF_CUSTOMERS => customer::list;
    "getMockCustomer" "GET" "/v1/sandbox/customers/{customerId}" bare => customer::show;
    "deleteMockCustomer" "DELETE" "/v1/sandbox/customers/{customerId}" bare => customer::delete;

    "createMockAgreement" "POST" "/v1/sandbox/agreements" body => agreement::create;
    "getMockAgreements" "GET" "/v1/sandbox/agreements" bare => agreement::list;
    "getMockAgreement" "GET" "/v1/sandbox/agreements/{mockAgreementId}" bare => agreement::show;
    "deleteMockAgreement" "DELETE" "/v1/sandbox/agreements/{mockAgreementId}" bare => agreement::delete;
    "createMockEngagement" "POST" "/v1/sandbox/agreements/{mockAgreementId}/engagements" body
        => engagement::create;
    "deleteMockEngagement" "DELETE" "/v1/sandbox/agreements/{mockAgreementId}/engagements/{mockEngagementId}" bare
        => engagement::delete;

    "createMockAccount" "POST" "/v1/sandbox/accounts" body => account::create;
    "getMockAccounts" "GET" "/v1/sandbox/accounts" bare => account::list;
    "getMockAccount" "GET" "/v1/sandbox/accounts/{mockAccountId}" bare => account::show;
    "deleteMockAccount" "DELETE" "/v1/sandbox/accounts/{mockAccountId}" bare => account::delete;
    "setMockAccountBalances" "PUT" "/v1/sandbox/accounts/{mockAccountId}/balances" put
        => account::set_balances;
    "createMockTransactions" "POST" "/v1/sandbox/accounts/{mockAccountId}/transactions" body
        => account_transaction::create;
    "getMockTransactions" "GET" "/v1/sandbox/accounts/{mockAccountId}/transactions" bare asks OF_TRANSACTIONS
        => account_transaction::list;
    "deleteMockTransactions" "DELETE" "/v1/sandbox/accounts/{mockAccountId}/transactions" bare
        => account_transaction::delete;
    "getMockTransaction" "GET" "/v1/sandbox/accounts/{mockAccountId}/transactions/{mockTransactionId}" bare
        => account_transaction::show;

    "createMockCardAccount" "POST" "/v1/sandbox/card-accounts" body => card_account::create;
    "getMockCardAccounts" "GET" "/v1/sandbox/card-accounts" bare => card_account::list;
    "getMockCardAccount" "GET" "/v1/sandbox/card-accounts/{mockCardAccountId}" bare => card_account::show;
    "deleteMockCardAccount" "DELETE" "/v1/sandbox/card-accounts/{mockCardAccountId}" bare
        => card_account::delete;
    "setMockCardAccountBalances" "PUT" "/v1/sandbox/card-accounts/{mockCardAccountId}/balances" put
        => card_account::set_balances;
    "createMockCardTransactions" "POST" "/v1/sandbox/card-accounts/{mockCardAccountId}/transactions" body
        => card_transaction::create;
    "getMockCardTransactions" "GET" "/v1/sandbox/card-accounts/{mockCardAccountId}/transactions"
        bare asks OF_CARD_TRANSACTIONS
        => card_transaction::list;
}

/// Answers a call of one of [`OPERATIONS`].
pub(in crate::sandbox) fn perform(
    bank: &SandboxBank,
    call: &BankCall<'_>,
    now: DateTime<Utc>,
) -> Result<std::result::Result<BankAnswer, Refusal>> {
    let unknown = || Error::Internal(format!("the sandbox has no {}", call.operation.name));
    let handler = handler(call.operation.name).ok_or_else(unknown)?;
    let desk = Desk { database: &bank.database, rates: &bank.rates(), moving: &bank.moving, call, now };
    match handler(&desk) {
        Ok(answer) => Ok(Ok(answer)),
        Err(Halt::Refused(refusal)) => Ok(Err(refusal)),
        Err(Halt::Failed(error)) => Err(error),
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
