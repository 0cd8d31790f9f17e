//! What the path and the query of a call ask for.

use super::account_read::{AccountRead, Requested};
use crate::account::query::ListQuery;
use crate::operation::OperationId;
use crate::payment::product::{Product, Service};
use crate::reason::{Reason, Refusal};
use crate::types::{AccountId, BasketId, CardAccountId, PaymentId, TransactionId};
use crate::wire::target::Target;

/// What is asked for.
pub(crate) enum Call {
    CreatePayment {
        product: Product,
        allow_logical_duplicate: bool,
    },
    OnPayment(PaymentAct, PaymentPath),
    ReadAccounts(AccountRead<Requested>),
    StartConsent,
    IdentifyPsu,
    ListAgreements,
    CreateBasket,
    OnBasket(BasketAct, BasketPath),
    /// One of the bank's own operations, with the values of its path parameters.
    OfBank(Vec<String>),
}

/// What is done with an existing payment.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PaymentAct {
    Read,
    ReadStatus,
    StartAuthorisation,
    Cancel,
    StartCancelling,
}

/// What is done with an existing signing basket.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BasketAct {
    Read,
    ReadStatus,
    Delete,
    StartAuthorisation,
}

/// A payment as a path names it. `id` is `None` for a text that cannot be one: it is answered as an unknown one is.
#[derive(Debug, Clone)]
pub(crate) struct PaymentPath {
    pub(crate) product: Product,
    pub(crate) id: Option<PaymentId>,
}

/// A signing basket as a path names it, in the same way.
pub(crate) type BasketPath = Option<BasketId>;

impl Call {
    /// Reads the parameters of the path and the query.
    ///
    /// # Errors
    /// The reason why the path leads nowhere, or what is wrong with the query.
    pub(crate) fn read(
        operation: OperationId,
        parameters: &[&str],
        target: &Target<'_>,
    ) -> Result<Self, Refusal> {
        let on_payment = |act| Ok::<_, Reason>(Self::OnPayment(act, PaymentPath::read(parameters)?));
        let on_basket = |act| Self::OnBasket(act, parameters.first().and_then(|text| BasketId::parse(text)));
        let account = || parameters.first().and_then(|text| AccountId::parse(text));
        let card = || parameters.first().and_then(|text| CardAccountId::parse(text));
        Ok(match operation {
            OperationId::CreatePayment => Self::CreatePayment {
                product: PaymentPath::read(parameters)?.product,
                allow_logical_duplicate: switch(target, "allowLogicalDuplicate")?,
            },
            OperationId::ReadPayment => on_payment(PaymentAct::Read)?,
            OperationId::ReadPaymentStatus => on_payment(PaymentAct::ReadStatus)?,
            OperationId::StartPaymentAuthorisation => on_payment(PaymentAct::StartAuthorisation)?,
            OperationId::CancelPayment => on_payment(PaymentAct::Cancel)?,
            OperationId::StartCancellationAuthorisation => on_payment(PaymentAct::StartCancelling)?,
            OperationId::CreateBasket => Self::CreateBasket,
            OperationId::ReadBasket => on_basket(BasketAct::Read),
            OperationId::ReadBasketStatus => on_basket(BasketAct::ReadStatus),
            OperationId::DeleteBasket => on_basket(BasketAct::Delete),
            OperationId::StartBasketAuthorisation => on_basket(BasketAct::StartAuthorisation),
            OperationId::ListAccounts => Self::ReadAccounts(AccountRead::Accounts {
                with_balance: switch(target, "withBalance")?,
                accounts: (),
            }),
            OperationId::ReadAccount => Self::ReadAccounts(AccountRead::Account {
                account: account(),
                with_balance: switch(target, "withBalance")?,
                balances: (),
            }),
            OperationId::ReadBalances => {
                Self::ReadAccounts(AccountRead::Balances { account: account(), balances: () })
            }
            OperationId::ListTransactions => Self::ReadAccounts(AccountRead::Transactions {
                account: account(),
                query: ListQuery::read(target)?,
                listing: (),
            }),
            OperationId::ReadTransaction => {
                let transaction = parameters.get(1).and_then(|text| TransactionId::parse(text));
                Self::ReadAccounts(AccountRead::Transaction { account: account(), transaction })
            }
            OperationId::ListCardAccounts => Self::ReadAccounts(AccountRead::CardAccounts { cards: () }),
            OperationId::ReadCardAccount => {
                Self::ReadAccounts(AccountRead::CardAccount { card: card(), balances: () })
            }
            OperationId::ReadCardBalances => {
                Self::ReadAccounts(AccountRead::CardBalances { card: card(), balances: () })
            }
            OperationId::ListCardTransactions => Self::ReadAccounts(AccountRead::CardTransactions {
                card: card(),
                query: ListQuery::read(target)?,
                listing: (),
            }),
            OperationId::StartConsent | OperationId::StartConsentByOldPath => Self::StartConsent,
            OperationId::IdentifyPsu => Self::IdentifyPsu,
            OperationId::ListAgreements => Self::ListAgreements,
            OperationId::OfBank => Self::OfBank(parameters.iter().copied().map(str::to_owned).collect()),
        })
    }

    /// The payment that the path names.
    pub(crate) fn payment(&self) -> Option<&PaymentId> {
        match self {
            Self::OnPayment(_, path) => path.id.as_ref(),
            _ => None,
        }
    }

    /// The payment product that the path names.
    pub(crate) fn product(&self) -> Option<Product> {
        match self {
            Self::CreatePayment { product, .. } => Some(*product),
            Self::OnPayment(_, path) => Some(path.product),
            _ => None,
        }
    }
}

impl PaymentPath {
    /// Reads service, product and, where there is one, the id of the payment.
    ///
    /// # Errors
    /// The reason why the path leads nowhere.
    pub(crate) fn read(parameters: &[&str]) -> Result<Self, Reason> {
        let mut parameters = parameters.iter();
        let service = parameters.next().and_then(|name| Service::parse(name)).ok_or(Reason::PathUnknown)?;
        let name = parameters.next().ok_or(Reason::ProductUnknown)?;
        let product = Product::parse(service, name)?;
        Ok(Self { product, id: parameters.next().and_then(|text| PaymentId::parse(text)) })
    }
}

fn switch(target: &Target<'_>, name: &str) -> Result<bool, Refusal> {
    target.switch(name).map_err(|reason| Refusal::at(reason, name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::operation::{Operation, OPERATIONS};

    /// The parameters that are found to be repeated: those that are read.
    fn read_parameters(operation: &Operation, names: &BTreeSet<&str>) -> BTreeSet<String> {
        let query: Vec<_> = names.iter().map(|name| format!("{name}=&{name}=")).collect();
        let target = format!("/?{}", query.join("&"));
        let parameters = ["payments", "norwegian-domestic-credit-transfers", "id"];
        match Call::read(operation.id, &parameters, &Target::parse(&target).unwrap()) {
            Err(refusal) => refusal.findings().filter_map(|found| found.path.clone()).collect(),
            Ok(_) => BTreeSet::new(),
        }
    }

    #[test]
    fn the_queries_that_are_listed_are_those_that_are_read() {
        let names: BTreeSet<_> = OPERATIONS.iter().flat_map(|row| row.query).map(|row| row.name).collect();
        for operation in OPERATIONS {
            let listed: BTreeSet<_> = operation.query.iter().map(|row| row.name.to_owned()).collect();
            assert_eq!(read_parameters(operation, &names), listed, "{}", operation.name);
        }
    }
}
