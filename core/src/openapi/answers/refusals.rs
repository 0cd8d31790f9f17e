//! Of each operation: the statuses and codes with which it is refused, from the table of reasons.

use std::collections::BTreeMap;

use crate::operation::{Operation, OperationId, RoleNeeded};
use crate::reason::Reason;

/// The codes of an operation's refusals by status, in the order of the table of reasons.
pub(super) fn of(row: &Operation) -> BTreeMap<u16, Vec<&'static str>> {
    let mut codes: BTreeMap<u16, Vec<&'static str>> = BTreeMap::new();
    for reason in Reason::ALL.iter().filter(|reason| refuses(**reason, row)) {
        let of_status = codes.entry(reason.status()).or_default();
        if !of_status.contains(&reason.code().as_str()) {
            of_status.push(reason.code().as_str());
        }
    }
    codes
}

/// Whether a call of that operation may be refused for that reason. The first part of a reason's id is its kind. A kind
/// that the operation can meet counts as a whole, unless a reason in it would add a status or a code.
fn refuses(reason: Reason, row: &Operation) -> bool {
    let kind = reason.id().split('-').next().unwrap_or_default();
    match kind {
        "RTE" => refuses_way(reason, row),
        "NEG" => row.takes_body || !matches!(reason, Reason::ContentTypeNotJson | Reason::BodyEncoded),
        "HDR" | "CRT" | "DIG" | "DAT" | "SIG" | "RPL" | "SYS" => true,
        "TPP" => reason != Reason::TppRoleMissing || row.role != RoleNeeded::Any,
        "QRY" => row.query.iter().any(|asked| asked.is_required || reason != Reason::QueryParameterMissing),
        "PSU" => !is_of_sandbox(row),
        "AIS" => refuses_reading(reason, row),
        "JSN" | "BOD" | "CUR" | "CTY" | "ACC" => row.takes_body,
        "ADR" | "AMT" | "BIC" | "BLK" | "DAY" | "KID" | "REG" => row.id == OperationId::CreatePayment,
        "PAY" => refuses_payment(reason, row),
        "CAN" => match reason {
            Reason::PaymentNotCancellable => row.id == OperationId::CancelPayment,
            _ => row.id == OperationId::StartCancellationAuthorisation,
        },
        "BSK" => refuses_basket(reason, row),
        "SBX" => is_of_sandbox(row) && if reason.status() == 404 { names_one(row) } else { row.takes_body },
        // Of a message in bytes, of a fault that a test sets, of a call-back, or a warning.
        _ => false,
    }
}

/// A path or a method that leads nowhere is of no operation.
fn refuses_way(reason: Reason, row: &Operation) -> bool {
    match reason {
        Reason::PathUnknown | Reason::MethodNotAllowed => false,
        // The document has a path of its own for the creation of each product.
        Reason::ProductUnknown | Reason::ProductNotOfService => {
            row.path.contains("{payment-product}") && row.id != OperationId::CreatePayment
        }
        _ => true,
    }
}

/// For agreements an identified PSU is enough.
fn refuses_reading(reason: Reason, row: &Operation) -> bool {
    let is_of_agreements = row.id == OperationId::ListAgreements;
    match reason {
        Reason::PsuNotIdentified => reads_accounts(row),
        Reason::AccountUnknown | Reason::AccountNotGranted => reads_accounts(row) && names_one(row),
        Reason::TransactionUnknown | Reason::DetailsNeedSca => row.id == OperationId::ReadTransaction,
        Reason::HistoryNeedsSca => row.is_counted() && row.id != OperationId::ReadTransaction,
        Reason::AccessExceeded => row.is_counted(),
        _ => reads_accounts(row) && !is_of_agreements,
    }
}

fn refuses_payment(reason: Reason, row: &Operation) -> bool {
    match reason {
        Reason::PaymentUnknown => row.path.contains("{payment-id}"),
        Reason::PaymentNotAuthorisable => row.id == OperationId::StartPaymentAuthorisation,
        Reason::RaceLost => !is_of_sandbox(row) && (row.method != "GET" || reads_accounts(row)),
        Reason::DebtorAccountCurrency => row.takes_body,
        _ => row.id == OperationId::CreatePayment,
    }
}

fn refuses_basket(reason: Reason, row: &Operation) -> bool {
    let acts_on_payment = row.path.contains("{payment-id}") && row.method != "GET";
    let is_of_basket = row.path.contains("{basket-id}");
    match reason {
        Reason::BasketUnknown | Reason::PsuOfAnotherBasket => is_of_basket,
        Reason::BasketNotAuthorisable => row.id == OperationId::StartBasketAuthorisation,
        Reason::BasketNotDeletable => row.id == OperationId::DeleteBasket,
        Reason::PaymentInBasket => acts_on_payment,
        _ => row.id == OperationId::CreateBasket,
    }
}

fn is_of_sandbox(row: &Operation) -> bool {
    row.id == OperationId::OfBank
}

/// Its path has an id, of an account or of something in the sandbox.
fn names_one(row: &Operation) -> bool {
    row.path.contains('{')
}

/// Accounts, card accounts, and the agreements that they are reached by.
fn reads_accounts(row: &Operation) -> bool {
    ["/v1/accounts", "/v1/card-accounts", "/v1/agreements"].iter().any(|path| row.path.starts_with(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::OPERATIONS;

    /// The names of the operations that are refused for a reason.
    fn refused(reason: Reason) -> Vec<&'static str> {
        OPERATIONS.iter().filter(|row| refuses(reason, row)).map(|row| row.name).collect()
    }

    #[test]
    fn what_only_some_operations_meet_is_of_those_alone() {
        let counted = ["getTransactions", "getTransactionDetails", "getCardTransactions"];
        assert_eq!(refused(Reason::AccessExceeded), counted);
        assert_eq!(refused(Reason::ContentTypeNotJson), ["createPayment", "createSigningBasket"]);
        assert_eq!(refused(Reason::LogicalDuplicate), ["createPayment"]);
        assert_eq!(refused(Reason::QueryParameterMissing), ["getTransactions", "getCardTransactions"]);
        assert_eq!(refused(Reason::ProductUnknown).len(), 5);
        assert_eq!(refused(Reason::BasketNotDeletable), ["deleteSigningBasket"]);
        assert_eq!(refused(Reason::PathUnknown), [""; 0]);
        assert_eq!(refused(Reason::SignatureInvalid).len(), OPERATIONS.len());
    }

    #[test]
    fn codes_are_listed_once_for_each_status() {
        let row = OPERATIONS.iter().find(|row| row.name == "getTransactions").unwrap();
        let codes = of(row);
        assert_eq!(codes.keys().copied().collect::<Vec<_>>(), [400, 401, 403, 404, 406, 409, 413, 429, 500]);
        assert_eq!(codes[&403], ["FORBIDDEN", "CONSENT_UNKNOWN"]);
        assert_eq!(codes[&429], ["ACCESS_EXCEEDED"]);
        assert_eq!(codes[&500], ["SYSTEM_ERROR"]);
    }

    #[test]
    #[cfg(feature = "sandbox")]
    fn every_other_reason_is_of_an_operation() {
        use crate::sandbox::management::OPERATIONS as SANDBOX_OPERATIONS;
        let without =
            |reason: &&Reason| !OPERATIONS.iter().chain(SANDBOX_OPERATIONS).any(|row| refuses(**reason, row));
        let kinds: Vec<_> = Reason::ALL.iter().filter(without).map(|reason| reason.id()).collect();
        let of_none = |id: &str| {
            ["MSG", "SCN", "FLT", "SCA", "WRN"].iter().any(|kind| id.starts_with(kind))
                || id == "RTE-02"
                || id == "RTE-03"
        };
        assert!(kinds.iter().all(|id| of_none(id)), "{kinds:?}");
        assert_eq!(kinds.len(), Reason::ALL.iter().filter(|reason| of_none(reason.id())).count());
    }
}
