//! The one table of what a bank is asked.

use super::shape::{MemberRow, Shape};
use super::{account_answer, answer, question};
use crate::account::record::{Account, CardAccount, Transaction};
use crate::json_bank::shape::Shaped;
use crate::types::KidAgreement;

macro_rules! methods {
    ($( $(#[doc = $doc:literal])+ $variant:ident $name:literal
        $kind:ident $question:ident, answers $answer:path, repeats [$($repeated:literal),*]
        $(, null: $null:literal)?; )+) => {
        /// A question of the engine to the bank.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum BankMethod {
            $( $(#[doc = $doc])+ $variant, )+
        }

        impl BankMethod {
            /// Every question.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// The question of that name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|method| method.name() == name)
            }

            /// What is asked.
            pub fn meaning(self) -> &'static str {
                match self { $( Self::$variant => concat!($($doc),+), )+ }
            }

            /// The members of the request.
            pub fn question(self) -> Vec<MemberRow> {
                match self { $( Self::$variant => question::$question::shape().members, )+ }
            }

            /// The members of the answer, beside what it repeats.
            pub fn answer(self) -> Shape {
                match self { $( Self::$variant => <$answer>::shape(), )+ }
            }

            /// The members of the request that an answer repeats, as they were asked: so that an answer to another
            /// question is not taken for this one's.
            pub fn repeated(self) -> &'static [&'static str] {
                match self { $( Self::$variant => &[$($repeated),*], )+ }
            }

            /// Whether it is a deed: by the time it answers, the bank has changed something. All else only asks.
            pub fn is_deed(self) -> bool {
                match self { $( Self::$variant => methods!(@is_deed $kind), )+ }
            }

            /// What the answer `null` means, where it is one.
            pub fn null(self) -> Option<&'static str> {
                let null: &[&'static str] = match self { $( Self::$variant => &[$($null)?], )+ };
                null.first().copied()
            }
        }
    };
    (@is_deed asks) => { false };
    (@is_deed does) => { true };
}

methods! {
    /// The person with a national identity number.
    Psu "psu" asks PsuQuestion, answers answer::Person, repeats [], null: "the bank knows no such person";
    /// Whether this PSU may pay from an account in this role.
    DebtorAccount "debtor_account" asks DebtorQuestion, answers answer::Debtor, repeats ["account"],
        null: "not an account they may pay from";
    /// What a creditor agreed with the bank about KIDs.
    KidAgreement "kid_agreement" asks CreditorQuestion, answers KidAgreement, repeats ["bban"],
        null: "no agreement, or not an account of this bank";
    /// What a payment costs.
    Fee "fee" asks FeeQuestion, answers answer::Fee, repeats [];
    /// The bank's exchange rate.
    Rate "rate" asks RateQuestion, answers answer::Rate, repeats ["sourceCurrency", "targetCurrency"],
        null: "not traded";
    /// Whether the bank's risk analysis wants an SCA. A bank need not have this one.
    RequiresSca "requires_sca" asks RiskQuestion, answers answer::Demand, repeats [], null: "as the rules have it";
    /// Take an authorised payment. It may come again with the same id, after a crash, or where it was to be cancelled
    /// and the answer was lost, by and by until it can be cancelled no more: answer its status, and do nothing
    /// else. The same for one that was cancelled before: `CANC`. Its `requestedExecutionDate`, or the `endDate` of a
    /// periodic one, may be over, if the PSU approved late or the bank was away: execute it on the next day you can, or
    /// answer `RJCT`.
    SubmitPayment "submit_payment" does SubmitQuestion, answers answer::Status, repeats ["paymentId"];
    /// Give up a payment, for ever: an order that comes later is not carried out. It may come again.
    CancelPayment "cancel_payment" does CancelQuestion, answers answer::Cancelled, repeats ["paymentId"];
    /// The corporate agreements a person may act under.
    Agreements "agreements" asks PersonQuestion, answers answer::Agreements, repeats ["person"];
    /// The ordinary accounts that this PSU may open to a TPP in this role.
    Accounts "accounts" asks OwnerQuestion, answers answer::Accounts, repeats ["psu"];
    /// One of `accounts`.
    Account "account" asks AccountQuestion, answers Account, repeats ["accountId"], null: "none of theirs";
    /// The balances of one of `accounts`.
    Balances "balances" asks OfAccountQuestion, answers answer::Balances, repeats ["accountId"];
    /// A part of the booked transactions of one of `accounts`.
    Booked "booked" asks BookedQuestion, answers answer::Booked, repeats ["accountId"];
    /// The pending transactions of one of `accounts`.
    Pending "pending" asks OfAccountQuestion, answers answer::Pending, repeats ["accountId"];
    /// One booked transaction of one of `accounts`.
    Transaction "transaction" asks TransactionQuestion, answers Transaction, repeats ["accountId", "transactionId"],
        null: "the account has no such transaction";
    /// The card accounts that this PSU may open to a TPP in this role.
    CardAccounts "card_accounts" asks OwnerQuestion, answers answer::CardAccounts, repeats ["psu"];
    /// One of `card_accounts`.
    CardAccount "card_account" asks CardQuestion, answers CardAccount, repeats ["cardAccountId"],
        null: "none of theirs";
    /// The balances of one of `card_accounts`.
    CardBalances "card_balances" asks OfCardQuestion, answers answer::Balances, repeats ["cardAccountId"];
    /// A part of the booked transactions of one of `card_accounts`.
    CardBooked "card_booked" asks CardBookedQuestion, answers answer::CardBooked, repeats ["cardAccountId"];
    /// The pending transactions of one of `card_accounts`.
    CardPending "card_pending" asks OfCardQuestion, answers answer::CardPending, repeats ["cardAccountId"];
}

impl BankMethod {
    /// The objects that questions and answers hold.
    pub fn objects() -> Vec<Shape> {
        let mut objects = question::shapes();
        objects.extend(account_answer::shapes());
        objects
    }
}

impl std::fmt::Display for BankMethod {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.name())
    }
}
