//! One read of account data, from what the path asks for to what the bank answered.

use crate::account::listing::Listing;
use crate::account::query::ListQuery;
use crate::account::record::{Account, Balance, CardAccount, CardTransaction, Transaction};
use crate::types::{AccountId, CardAccountId, TransactionId};

/// How far a read has come: what an account is represented by, and whether the bank's data is there yet.
pub(crate) trait ReadState {
    /// An ordinary account.
    type Account;
    /// A card account.
    type Card;
    /// One booked transaction.
    type Transaction;
    /// Data that only the bank has.
    type Data<T>;
}

/// The path names the account by an id. The id is `None` for a text that cannot be one: it is answered as an unknown
/// one is.
pub(crate) enum Requested {}

/// The bank knows the account for this PSU.
pub(crate) enum Found {}

/// The bank answered.
pub(crate) enum Answered {}

impl ReadState for Requested {
    type Account = Option<AccountId>;
    type Card = Option<CardAccountId>;
    type Transaction = Option<TransactionId>;
    type Data<T> = ();
}

impl ReadState for Found {
    type Account = Account;
    type Card = CardAccount;
    type Transaction = Option<TransactionId>;
    type Data<T> = ();
}

impl ReadState for Answered {
    type Account = Account;
    type Card = CardAccount;
    type Transaction = Box<Transaction>;
    type Data<T> = T;
}

/// Accounts, each with its balances where they are asked for.
pub(crate) type AccountsRead = Vec<(Account, Option<Vec<Balance>>)>;

/// What is read.
pub(crate) enum AccountRead<S: ReadState> {
    /// The accounts that the PSU opened, each with its balances where they are asked for.
    Accounts { with_balance: bool, accounts: S::Data<AccountsRead> },
    /// One account, with its balances where they are asked for.
    Account { account: S::Account, with_balance: bool, balances: S::Data<Option<Vec<Balance>>> },
    /// The balances of an account.
    Balances { account: S::Account, balances: S::Data<Vec<Balance>> },
    /// A page of an account's transactions.
    Transactions { account: S::Account, query: ListQuery, listing: S::Data<Listing<Transaction>> },
    /// One transaction of an account.
    Transaction { account: S::Account, transaction: S::Transaction },
    /// The card accounts that the PSU opened, with their balances.
    CardAccounts { cards: S::Data<Vec<(CardAccount, Vec<Balance>)>> },
    /// One card account with its balances.
    CardAccount { card: S::Card, balances: S::Data<Vec<Balance>> },
    /// The balances of a card account.
    CardBalances { card: S::Card, balances: S::Data<Vec<Balance>> },
    /// A page of a card account's transactions.
    CardTransactions { card: S::Card, query: ListQuery, listing: S::Data<Listing<CardTransaction>> },
}

/// The account that a read is about.
pub(crate) enum AccountOf<'r, S: ReadState> {
    /// None: the read is about all of them.
    All,
    /// An ordinary account.
    Account(&'r S::Account),
    /// A card account.
    Card(&'r S::Card),
}

impl<S: ReadState> AccountRead<S> {
    /// The account that the read is about.
    pub(crate) fn account(&self) -> AccountOf<'_, S> {
        match self {
            Self::Accounts { .. } | Self::CardAccounts { .. } => AccountOf::All,
            Self::Account { account, .. }
            | Self::Balances { account, .. }
            | Self::Transactions { account, .. }
            | Self::Transaction { account, .. } => AccountOf::Account(account),
            Self::CardAccount { card, .. }
            | Self::CardBalances { card, .. }
            | Self::CardTransactions { card, .. } => AccountOf::Card(card),
        }
    }

    /// The query, where a list of transactions is asked for.
    pub(crate) fn list_query(&self) -> Option<&ListQuery> {
        match self {
            Self::Transactions { query, .. } | Self::CardTransactions { query, .. } => Some(query),
            _ => None,
        }
    }
}
