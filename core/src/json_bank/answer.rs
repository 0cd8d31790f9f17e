//! The objects that are answers.

use rust_decimal::Decimal;

use super::part::{Charge, Line};
use super::shape::{shape, Fault};
use crate::account::record::{
    Account, Balance, CardAccount, CardTransaction, CorporateAgreement, Transaction,
};
use crate::bank::ScaDemand;
use crate::limits::REFERENCE_CHARS_MAX;
use crate::payment::machine::PaymentStatus;
use crate::types::{Currency, KidAgreement, Modulus, Money, PsuKey};

/// Who a person is.
pub(super) struct Person {
    pub(super) person: PsuKey,
}

/// An account that may pay.
pub(super) struct Debtor {
    pub(super) currency: Currency,
    pub(super) other_numbers: Vec<String>,
}

/// What a payment costs.
pub(super) struct Fee {
    pub(super) fee: Money,
}

/// What one unit of a currency is worth.
pub(super) struct Rate {
    pub(super) rate: Decimal,
}

/// What the risk analysis comes to.
pub(super) struct Demand {
    pub(super) demand: ScaDemand,
}

/// The status of a payment.
pub(super) struct Status {
    pub(super) status: PaymentStatus,
    pub(super) funds_available: Option<bool>,
}

/// What became of a request to cancel.
pub(super) struct Cancelled {
    pub(super) cancelled: bool,
    pub(super) status: Option<PaymentStatus>,
    pub(super) funds_available: Option<bool>,
}

/// Agreements of a person.
pub(super) struct Agreements {
    pub(super) agreements: Vec<CorporateAgreement>,
}

/// Accounts of a PSU.
pub(super) struct Accounts {
    pub(super) accounts: Vec<Account>,
}

/// Card accounts of a PSU.
pub(super) struct CardAccounts {
    pub(super) card_accounts: Vec<CardAccount>,
}

/// Balances of an account.
pub(super) struct Balances {
    pub(super) balances: Vec<Balance>,
}

/// A part of the booked transactions.
pub(super) struct Booked {
    pub(super) transactions: Vec<Transaction>,
    pub(super) total: u64,
}

/// The pending transactions.
pub(super) struct Pending {
    pub(super) transactions: Vec<Transaction>,
}

/// A part of a card's booked transactions.
pub(super) struct CardBooked {
    pub(super) transactions: Vec<CardTransaction>,
    pub(super) total: u64,
}

/// A card's pending transactions.
pub(super) struct CardPending {
    pub(super) transactions: Vec<CardTransaction>,
}

shape! {
    Person "person" {
        person: PsuKey = required "person", "the bank's own reference to them; TPPs never see it";
    }
}

shape! {
    Debtor "debtor-account" {
        currency: Currency = required "currency", "the currency the account is held in";
        other_numbers: Vec<Line<REFERENCE_CHARS_MAX>> = defaulted "otherNumbers",
            "other numbers that payments name it by: a card account's number and its masked PAN; the first eight \
             count";
    }
}

shape! {
    KidAgreement "kid-agreement" {
        required: bool = required "required", "whether every payment to the account needs a KID";
        modulus: Modulus = required "modulus", "how check digits are computed";
        digits_min: u8 = required "digitsMin", "the fewest digits, the check digit counted";
        digits_max: u8 = required "digitsMax", "the most digits, the check digit counted";
    } and in_order
}

fn in_order(agreement: &KidAgreement) -> Result<(), Fault> {
    match agreement.digits_min <= agreement.digits_max {
        true => Ok(()),
        false => Err(Fault::new("is more than digitsMax").below("digitsMin")),
    }
}

shape! {
    Fee "fee" {
        fee: Charge = required "fee", "what the debtor pays for it, in the currency the bank charges in";
    }
}

shape! {
    Rate "rate" {
        rate: Decimal = required "rate", "how many units of the target one unit of the source is worth";
    }
}

shape! {
    Demand "demand" {
        demand: ScaDemand = required "demand", "as the rules have it, an SCA all the same, or none";
    }
}

shape! {
    Status "payment-status" {
        status: PaymentStatus = required "transactionStatus", "its status; `PDNG`: the bank settles it later";
        funds_available: bool = optional "fundsAvailable", "whether the money was there, where that is known";
    }
}

shape! {
    Cancelled "cancellation" {
        cancelled: bool = required "cancelled", "whether it will not be carried out, or not any more";
        status: PaymentStatus = optional "transactionStatus", "its status, if it is too late; required then";
        funds_available: bool = optional "fundsAvailable", "whether the money was there, if it is too late";
    } and consistent
}

fn consistent(answer: &Cancelled) -> Result<(), Fault> {
    match (answer.cancelled, answer.status, answer.funds_available) {
        (true, None, None) | (false, Some(_), _) => Ok(()),
        (true, _, _) => Err(Fault::new("a payment that is cancelled has no other status")),
        (false, None, _) => Err(Fault::new("is missing").below("transactionStatus")),
    }
}

shape! {
    Agreements "agreements" {
        agreements: Vec<CorporateAgreement> = required "agreements", "the oldest first";
    }
}

shape! {
    Accounts "accounts" {
        accounts: Vec<Account> = required "accounts", "the oldest first";
    }
}

shape! {
    CardAccounts "card-accounts" {
        card_accounts: Vec<CardAccount> = required "cardAccounts", "the oldest first";
    }
}

shape! {
    Balances "balances" {
        balances: Vec<Balance> = required "balances", "its balances";
    }
}

shape! {
    Booked "booked" {
        transactions: Vec<Transaction> = required "transactions",
            "the newest first by booking date, then by creation; within the period, and at most `limit`. With fewer \
             than there are, the rest is asked for, in at most 32 questions";
        total: u64 = required "total", "how many there are in the period, independent of offset and limit";
    }
}

shape! {
    Pending "pending" {
        transactions: Vec<Transaction> = required "transactions", "all of them, the newest first";
    }
}

shape! {
    CardBooked "card-booked" {
        transactions: Vec<CardTransaction> = required "transactions",
            "the newest first by booking date, then by creation; within the period, and at most `limit`. With fewer \
             than there are, the rest is asked for, in at most 32 questions";
        total: u64 = required "total", "how many there are in the period, independent of offset and limit";
    }
}

shape! {
    CardPending "card-pending" {
        transactions: Vec<CardTransaction> = required "transactions", "all of them, the newest first";
    }
}
