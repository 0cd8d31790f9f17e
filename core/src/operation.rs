//! The one table of operations.
//!
//! Router, header checks, roles and the documentation come from its rows. A route that has no row does not
//! exist: it is answered 404.

use std::borrow::Cow;

use crate::limits::{PAGE_OFFSET_MAX, PAGE_TRANSACTIONS_DEFAULT, PAGE_TRANSACTIONS_MAX};

/// Which headers a call takes (contract: Headers).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeaderSet {
    /// Creation of a payment: the instant product's set, used for every product.
    PaymentCreation,
    /// The basket's set for authorisations and cancellations, where PSU-Context replaces PSU-ID.
    Basket,
    /// Creation of a signing basket: the basket's set as it is written.
    BasketCreation,
    /// The set of transaction details.
    TransactionDetails,
    /// Every other production call.
    Plain,
    /// A call of the sandbox.
    Sandbox,
    /// A POST of the sandbox: a Digest too.
    SandboxWithDigest,
}

/// Which role the TPP's certificate must have (ETSI TS 119 495).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RoleNeeded {
    /// PSP_AI: account information.
    AccountInformation,
    /// PSP_PI: payment initiation.
    PaymentInitiation,
    /// Either of the two.
    Either,
    /// Any, or none at all.
    Any,
}

/// A parameter that the query of a call may have. Others are not looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryParameter {
    /// Its name.
    pub name: &'static str,
    /// What it may be, and what it does.
    pub form: &'static str,
    /// What it may be, for programs.
    pub value: QueryValue,
    /// Whether it must be there.
    pub is_required: bool,
}

/// What the value of a parameter may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryValue {
    /// `true` or `false`.
    Switch,
    /// `YYYY-MM-DD`.
    Day,
    /// One of these.
    OneOf(&'static [&'static str]),
    /// A whole number.
    Whole {
        /// The least.
        from: u64,
        /// The most.
        to: u64,
        /// What is meant where it is not there.
        default: Option<u64>,
    },
}

impl QueryParameter {
    /// A parameter that may be there.
    pub const fn optional(name: &'static str, form: &'static str, value: QueryValue) -> Self {
        Self { name, form, value, is_required: false }
    }

    /// A parameter that must be there.
    pub const fn required(name: &'static str, form: &'static str, value: QueryValue) -> Self {
        Self { name, form, value, is_required: true }
    }
}

/// One row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// What it does.
    pub id: OperationId,
    /// Its name in documentation and logs.
    pub name: &'static str,
    /// The same in words.
    pub about: &'static str,
    /// Its method.
    pub method: &'static str,
    /// Its path after the base path. A segment in braces is a parameter; with bars in it, it takes exactly
    /// those values.
    pub path: &'static str,
    /// The headers it takes.
    pub headers: HeaderSet,
    /// The role it needs.
    pub role: RoleNeeded,
    /// Whether it takes a JSON body.
    pub takes_body: bool,
    /// What its query may have.
    pub query: &'static [QueryParameter],
}

/// Of the creation of a payment.
const OF_CREATION: &[QueryParameter] = &[QueryParameter::optional(
    "allowLogicalDuplicate",
    "`true` or `false`: whether a [like payment](guide/rules.md#duplicates) is taken all the same",
    QueryValue::Switch,
)];
/// Of accounts.
const OF_ACCOUNTS: &[QueryParameter] = &[QueryParameter::optional(
    "withBalance",
    "`true` or `false`: whether balances come along",
    QueryValue::Switch,
)];
/// Of lists of transactions.
const OF_TRANSACTIONS: &[QueryParameter] = &[
    QueryParameter::required(
        "bookingStatus",
        "required: `booked`, `pending`, `both` or, as that, `all`",
        QueryValue::OneOf(&["booked", "pending", "both", "all"]),
    ),
    QueryParameter::optional("dateFrom", "`YYYY-MM-DD`: the first booking day", QueryValue::Day),
    QueryParameter::optional("dateTo", "`YYYY-MM-DD`: the last booking day", QueryValue::Day),
    QueryParameter::optional(
        "offset",
        "how many are skipped",
        QueryValue::Whole { from: 0, to: PAGE_OFFSET_MAX, default: Some(0) },
    ),
    QueryParameter::optional(
        "limit",
        "how many come at most, [within its bounds](limits.md#pages-of-transactions)",
        QueryValue::Whole {
            from: 1,
            to: PAGE_TRANSACTIONS_MAX as u64,
            default: Some(PAGE_TRANSACTIONS_DEFAULT as u64),
        },
    ),
];

macro_rules! operations {
    ($(
        $(#[doc = $doc:literal])+
        $id:ident $name:literal $method:literal $path:literal $headers:ident $role:ident $body:ident
            $(asks $query:ident)?;
    )+) => {
        /// What an operation does.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum OperationId {
            $( $(#[doc = $doc])+ $id, )+
            /// One of the bank's own, which the bank knows by its name and performs itself.
            OfBank,
        }

        /// Every operation there is, those of a bank's own aside.
        pub const OPERATIONS: &[Operation] = &[ $( Operation {
            id: OperationId::$id,
            name: $name,
            about: concat!($( $doc ),+),
            method: $method,
            path: $path,
            headers: HeaderSet::$headers,
            role: RoleNeeded::$role,
            takes_body: operations!(@takes $body),
            query: operations!(@query $($query)?),
        }, )+ ];
    };
    (@takes body) => { true };
    (@takes bare) => { false };
    (@query) => { &[] };
    (@query $query:ident) => { $query };
}

operations! {
    // Name, method, path, header set, role, whether it takes a JSON body, and what its query may have.
    /// Creates a payment.
    CreatePayment "createPayment" "POST" "/v1/{payments|periodic-payments|bulk-payments}/{payment-product}"
        PaymentCreation PaymentInitiation body asks OF_CREATION;
    /// Reads what was ordered.
    ReadPayment "getPayment" "GET"
        "/v1/{payments|periodic-payments|bulk-payments}/{payment-product}/{payment-id}"
        Plain PaymentInitiation bare;
    /// Reads the status of a payment.
    ReadPaymentStatus "getPaymentStatus" "GET"
        "/v1/{payments|periodic-payments|bulk-payments}/{payment-product}/{payment-id}/status"
        Plain PaymentInitiation bare;
    /// Starts the authorisation of a payment.
    StartPaymentAuthorisation "startPaymentAuthorisation" "POST"
        "/v1/{payments|periodic-payments|bulk-payments}/{payment-product}/{payment-id}/authorisations"
        Basket PaymentInitiation bare;
    /// Cancels a payment, or says how.
    CancelPayment "cancelPayment" "DELETE"
        "/v1/{payments|periodic-payments|bulk-payments}/{payment-product}/{payment-id}"
        Basket PaymentInitiation bare;
    /// Starts the authorisation of a cancellation.
    StartCancellationAuthorisation "startCancellationAuthorisation" "POST"
        "/v1/{payments|periodic-payments|bulk-payments}/{payment-product}/{payment-id}/cancellation-authorisations"
        Basket PaymentInitiation bare;
    /// Creates a signing basket.
    CreateBasket "createSigningBasket" "POST" "/v1/signing-baskets" BasketCreation PaymentInitiation body;
    /// Reads what is in a signing basket.
    ReadBasket "getSigningBasket" "GET" "/v1/signing-baskets/{basket-id}" Plain PaymentInitiation bare;
    /// Reads the status of a signing basket.
    ReadBasketStatus "getSigningBasketStatus" "GET" "/v1/signing-baskets/{basket-id}/status"
        Plain PaymentInitiation bare;
    /// Gives a signing basket up.
    DeleteBasket "deleteSigningBasket" "DELETE" "/v1/signing-baskets/{basket-id}"
        Basket PaymentInitiation bare;
    /// Starts the authorisation of a signing basket.
    StartBasketAuthorisation "startSigningBasketAuthorisation" "POST"
        "/v1/signing-baskets/{basket-id}/authorisations"
        Basket PaymentInitiation bare;
    /// Lists the accounts the PSU opened to the TPP.
    ListAccounts "getAccounts" "GET" "/v1/accounts" Plain AccountInformation bare asks OF_ACCOUNTS;
    /// Reads one account.
    ReadAccount "getAccount" "GET" "/v1/accounts/{id}" Plain AccountInformation bare asks OF_ACCOUNTS;
    /// Reads an account's balances.
    ReadBalances "getBalances" "GET" "/v1/accounts/{id}/balances" Plain AccountInformation bare;
    /// Lists an account's transactions.
    ListTransactions "getTransactions" "GET" "/v1/accounts/{id}/transactions"
        Plain AccountInformation bare asks OF_TRANSACTIONS;
    /// Reads one transaction.
    ReadTransaction "getTransactionDetails" "GET" "/v1/accounts/{id}/transactions/{transactionId}"
        TransactionDetails AccountInformation bare;
    /// Lists the card accounts the PSU opened to the TPP.
    ListCardAccounts "getCardAccounts" "GET" "/v1/card-accounts" Plain AccountInformation bare;
    /// Reads one card account.
    ReadCardAccount "getCardAccount" "GET" "/v1/card-accounts/{id}" Plain AccountInformation bare;
    /// Reads a card account's balances.
    ReadCardBalances "getCardBalances" "GET" "/v1/card-accounts/{id}/balances" Plain AccountInformation bare;
    /// Lists a card account's transactions.
    ListCardTransactions "getCardTransactions" "GET" "/v1/card-accounts/{id}/transactions"
        Plain AccountInformation bare asks OF_TRANSACTIONS;
    /// Starts an SCA in which the PSU opens accounts.
    StartConsent "startBankOfferedConsent" "POST" "/v1/bank-offered-consents" Plain AccountInformation bare;
    /// Starts an SCA in which the PSU opens accounts, by its deprecated path.
    StartConsentByOldPath "startConsent" "POST" "/v1/consents" Plain AccountInformation bare;
    /// Starts an SCA that makes the PSU known.
    IdentifyPsu "getUser" "GET" "/v1/{user|users}" Plain PaymentInitiation bare;
    /// Lists the corporate agreements of the PSU.
    ListAgreements "getAgreements" "GET" "/v1/agreements" Plain Either bare;
}

impl Operation {
    /// Whether a call of one of the bank's own operations may change something there: every method but GET may.
    pub(crate) fn may_change_the_bank(&self) -> bool {
        self.method != "GET"
    }

    /// Whether calls without the PSU are counted, and refused beyond the daily limit.
    pub fn is_counted(&self) -> bool {
        matches!(
            self.id,
            OperationId::ListTransactions | OperationId::ReadTransaction | OperationId::ListCardTransactions
        )
    }

    /// The path that takes the place of a deprecated one (contract: Versioning, announced changes).
    pub fn successor(&self) -> Option<&'static str> {
        match self.id {
            OperationId::StartConsentByOldPath => Some("/v1/bank-offered-consents"),
            _ => None,
        }
    }
}

/// The operation of that name, of those that every bank has.
pub(crate) fn named(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}

/// The path that takes the place of the one of those segments, which are below the base path, by any method.
pub(crate) fn successor(segments: &[Cow<'_, str>]) -> Option<&'static str> {
    let mut deprecated = OPERATIONS.iter().filter(|operation| operation.successor().is_some());
    deprecated.find(|operation| match_path(operation.path, segments).is_some())?.successor()
}

/// Where a method and a path lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route<'s> {
    /// To an operation, with the values of its path parameters in the order of the path.
    Found(&'static Operation, Vec<&'s str>),
    /// To a path that takes other methods.
    OtherMethods(Vec<&'static str>),
    /// Nowhere.
    Unknown,
}

/// Looks a call up in the table and among the bank's own operations. `segments` are those after the base path.
pub fn route<'s>(method: &str, segments: &'s [Cow<'_, str>], of_bank: &'static [Operation]) -> Route<'s> {
    let mut others = Vec::new();
    for operation in OPERATIONS.iter().chain(of_bank) {
        let Some(parameters) = match_path(operation.path, segments) else { continue };
        if operation.method == method {
            return Route::Found(operation, parameters);
        }
        others.push(operation.method);
    }
    if others.is_empty() {
        Route::Unknown
    } else {
        Route::OtherMethods(others)
    }
}

fn match_path<'s>(template: &str, segments: &'s [Cow<'_, str>]) -> Option<Vec<&'s str>> {
    let mut wanted = template.split('/').skip(1);
    let mut parameters = Vec::new();
    for segment in segments {
        let pattern = wanted.next()?;
        match pattern.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(name) if takes(name, segment) => parameters.push(segment.as_ref()),
            None if pattern == segment => {}
            _ => return None,
        }
    }
    wanted.next().is_none().then_some(parameters)
}

/// Whether a parameter may have that value.
fn takes(name: &str, value: &str) -> bool {
    match name.contains('|') {
        true => name.split('|').any(|listed| listed == value),
        false => !value.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(path: &str) -> Vec<Cow<'_, str>> {
        path.split('/').skip(1).map(Cow::Borrowed).collect()
    }

    #[test]
    fn every_row_finds_itself() {
        for operation in OPERATIONS {
            let path = operation
                .path
                .replace("{payments|periodic-payments|bulk-payments}", "bulk-payments")
                .replace("{user|users}", "users");
            match route(operation.method, &segments(&path), &[]) {
                Route::Found(found, _) => assert_eq!(found, operation),
                other => panic!("{}: {other:?}", operation.name),
            }
        }
    }

    #[test]
    fn parameters_come_in_the_order_of_the_path() {
        let segments = segments("/v1/payments/product/id/status");
        let Route::Found(_, parameters) = route("GET", &segments, &[]) else { panic!("found") };
        assert_eq!(parameters, ["payments", "product", "id"]);
    }

    #[test]
    fn another_method_gets_the_right_ones_and_another_path_is_unknown() {
        assert_eq!(route("PUT", &segments("/v1/payments/p"), &[]), Route::OtherMethods(vec!["POST"]));
        assert_eq!(
            route("HEAD", &segments("/v1/payments/p/i"), &[]),
            Route::OtherMethods(vec!["GET", "DELETE"])
        );
        for path in [
            "/",
            "/v1",
            "/v1/payments",
            "/v1/payments/",
            "/v1/payments/p/i/",
            "/v1/payments/p/i/x",
            "/v2/payments/p",
        ] {
            assert_eq!(route("GET", &segments(path), &[]), Route::Unknown, "{path}");
        }
    }

    #[test]
    fn method_names_are_case_sensitive() {
        assert_eq!(route("post", &segments("/v1/payments/p"), &[]), Route::OtherMethods(vec!["POST"]));
    }

    #[test]
    fn an_operation_of_the_bank_is_found_where_the_bank_has_it() {
        const OF_BANK: &[Operation] = &[Operation {
            id: OperationId::OfBank,
            name: "own",
            about: "",
            method: "PUT",
            path: "/v1/own/{id}",
            headers: HeaderSet::SandboxWithDigest,
            role: RoleNeeded::Any,
            takes_body: true,
            query: &[],
        }];
        let segments = segments("/v1/own/7");
        assert_eq!(route("PUT", &segments, OF_BANK), Route::Found(&OF_BANK[0], vec!["7"]));
        assert_eq!(route("GET", &segments, OF_BANK), Route::OtherMethods(vec!["PUT"]));
        assert_eq!(route("PUT", &segments, &[]), Route::Unknown);
    }
}
