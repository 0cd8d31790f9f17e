//! What the bank returns about accounts, cards, balances and transactions (contract: Account information, Transaction
//! details).

use std::fmt::{self, Debug};

use chrono::NaiveDate;
use rust_decimal::Decimal;

use crate::types::{AccountId, Bban, Bic, CardAccountId, CorporateKey, Currency, Iban, Money, TransactionId};

/// An ordinary account.
#[derive(Clone, PartialEq, Eq)]
pub struct Account {
    /// Its id in paths: opaque, stable.
    pub id: AccountId,
    /// Its domestic number.
    pub bban: Option<Bban>,
    /// The same as an IBAN.
    pub iban: Option<Iban>,
    /// The bank that holds it.
    pub bic: Option<Bic>,
    /// The currency it is held in.
    pub currency: Currency,
    /// What its owner calls it; up to 70 characters.
    pub name: Option<String>,
    /// What the bank calls its kind.
    pub product: Option<String>,
    /// ISO 20022 `ExternalCashAccountType1Code`, such as CACC.
    pub cash_account_type: Option<String>,
}

/// A card account.
#[derive(Clone, PartialEq, Eq)]
pub struct CardAccount {
    /// Its id in paths: opaque, stable.
    pub id: CardAccountId,
    /// The card's number, all but its ends masked.
    pub masked_pan: String,
    /// The currency it is held in.
    pub currency: Currency,
    /// What its owner calls it; up to 70 characters.
    pub name: Option<String>,
    /// What the bank calls its kind.
    pub product: Option<String>,
    /// How much may be owed.
    pub credit_limit: Option<Money>,
}

/// Which balance it is (names of the Berlin Group's `balanceType`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BalanceType {
    /// Of all that is booked.
    ClosingBooked,
    /// What is booked and what is reserved.
    Expected,
    /// What can be spent, credit included.
    ForwardAvailable,
}

impl BalanceType {
    /// Every type.
    pub const ALL: [Self; 3] = [Self::ClosingBooked, Self::Expected, Self::ForwardAvailable];

    /// The type as it is answered.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClosingBooked => "closingBooked",
            Self::Expected => "expected",
            Self::ForwardAvailable => "forwardAvailable",
        }
    }
}

/// One balance of an account.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    /// Which one.
    pub kind: BalanceType,
    /// The sum; negative where money is owed.
    pub amount: Money,
}

/// The other side of a transaction, or this one.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Party {
    /// Its name.
    pub name: Option<String>,
    /// Its account number.
    pub bban: Option<Bban>,
    /// Its IBAN.
    pub iban: Option<Iban>,
    /// Its bank.
    pub agent: Option<Bic>,
}

/// How a sum became one of another currency (contract: Transaction details, currencyExchange).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrencyExchange {
    /// The currency given.
    pub source: Currency,
    /// The currency got for it.
    pub target: Currency,
    /// The currency of which the rate prices one unit.
    pub unit: Currency,
    /// How many units of the other currency one unit is worth.
    pub rate: Decimal,
    /// The day of the rate.
    pub quotation_date: NaiveDate,
    /// `contractIdentification`.
    pub contract: Option<String>,
}

/// A structured reference of a transaction; texts of up to 35 characters.
#[derive(Clone, PartialEq, Eq)]
pub struct TransactionReference {
    /// The reference itself.
    pub reference: String,
    /// Its type, such as SCOR.
    pub reference_type: Option<String>,
    /// Who issued it.
    pub reference_issuer: Option<String>,
}

/// A transaction on an ordinary account. What the contract calls not offered is not here.
#[derive(Clone, PartialEq, Eq)]
pub struct Transaction {
    /// Its id, which never changes; a pending one has none.
    pub id: Option<TransactionId>,
    /// `endToEndId`.
    pub end_to_end_id: Option<String>,
    /// When it was booked, or is expected to be.
    pub booking_date: Option<NaiveDate>,
    /// From when on it bears interest.
    pub value_date: Option<NaiveDate>,
    /// The sum in the account's currency; what leaves the account is negative.
    pub amount: Money,
    /// The exchange, where there was one.
    pub exchange: Option<CurrencyExchange>,
    /// Who is paid.
    pub creditor: Party,
    /// Who pays.
    pub debtor: Party,
    /// The free message.
    pub unstructured: Option<String>,
    /// The structured references.
    pub structured: Vec<TransactionReference>,
    /// Why, as a code.
    pub purpose_code: Option<String>,
    /// What it is in ISO 20022: 4 to 14 characters.
    pub bank_transaction_code: Option<String>,
    /// What the bank calls it.
    pub proprietary_code: Option<String>,
}

/// Where a card was used.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct CardAcceptorAddress {
    /// Street name.
    pub street: Option<String>,
    /// Setup number.
    pub building_number: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Town.
    pub city: Option<String>,
    /// ISO 3166-1 alpha-2.
    pub country: Option<String>,
}

/// A transaction on a card account.
#[derive(Clone, PartialEq, Eq)]
pub struct CardTransaction {
    /// `cardTransactionId`.
    pub id: Option<String>,
    /// `terminalId`.
    pub terminal_id: Option<String>,
    /// When it was booked.
    pub booking_date: Option<NaiveDate>,
    /// When the card was used. Without a booking date, a pending use is chosen by it.
    pub transaction_date: Option<NaiveDate>,
    /// From when on it bears interest.
    pub value_date: Option<NaiveDate>,
    /// The sum in the account's currency; what was spent is positive.
    pub amount: Money,
    /// The sum in the currency it was spent in.
    pub original_amount: Option<Money>,
    /// The exchange between the two.
    pub exchange: Option<CurrencyExchange>,
    /// What the exchange cost.
    pub markup_fee: Option<Money>,
    /// The same in percent, as text.
    pub markup_fee_percentage: Option<String>,
    /// `cardAcceptorId`.
    pub card_acceptor_id: Option<String>,
    /// `cardAcceptorAddress`.
    pub card_acceptor_address: Option<CardAcceptorAddress>,
    /// ISO 18245.
    pub merchant_category_code: Option<String>,
    /// The card that was used, masked.
    pub masked_pan: Option<String>,
    /// What the statement says.
    pub details: Option<String>,
    /// Whether it is on an invoice.
    pub invoiced: Option<bool>,
    /// What the bank calls it.
    pub proprietary_code: Option<String>,
}

/// Which booked transactions are asked for: by booking date, both ends inclusive, the newest first. The library itself
/// chooses pending ones of cards by the same days, and those of accounts if policy `pending_unfiltered` is off: by
/// booking date, or for a use of a card without one by transaction date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransactionQuery {
    /// The first day.
    pub from: Option<NaiveDate>,
    /// The last day.
    pub to: Option<NaiveDate>,
    /// How many are skipped.
    pub offset: u64,
    /// How many are answered at most; with 0 the total alone is asked for. With fewer than there are, the rest is asked
    /// for.
    pub limit: u32,
}

impl TransactionQuery {
    /// Whether a day lies in the period. What has no day lies in the one without ends alone.
    pub fn covers(&self, day: Option<NaiveDate>) -> bool {
        self.from.is_none_or(|from| day.is_some_and(|day| day >= from))
            && self.to.is_none_or(|to| day.is_some_and(|day| day <= to))
    }
}

/// A part of a list.
#[derive(Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The asked-for part.
    pub items: Vec<T>,
    /// How many there are in all.
    pub total: u64,
}

/// A corporate agreement that a person may act under.
#[derive(Clone, PartialEq, Eq)]
pub struct CorporateAgreement {
    /// The customer the person then acts for.
    pub corporate: CorporateKey,
    /// What the agreement is called.
    pub name: String,
    /// The customer's number at the bank.
    pub owner: String,
}

macro_rules! log_safe {
    ($($name:ident $($id:ident)?;)+) => { $(
        /// Log-safe: nothing but the id.
        impl Debug for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.debug_struct(stringify!($name))$(.field("id", &self.$id))?.finish_non_exhaustive()
            }
        }
    )+ };
}

log_safe! {
    Account id;
    CardAccount id;
    Balance;
    Party;
    TransactionReference;
    Transaction id;
    CardAcceptorAddress;
    CardTransaction;
    CorporateAgreement;
}

/// Log-safe: the numbers alone.
impl<T> Debug for Page<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Page").field("items", &self.items.len()).field("total", &self.total).finish()
    }
}
