//! What the docs print of the values that the sandbox's bodies hold.

use super::account_number::{AccountNumbers, NumbersIfKnown};
use super::card_transaction_body::{Invoiced, Rate};
use super::members::{BankTransactionCode, Int, SettableBalance, Switch};
use super::moment::Moment;
use crate::limits::{BANK_TRANSACTION_CODE_CHARS_MAX, BANK_TRANSACTION_CODE_CHARS_MIN};
use crate::store::sqlite::sandbox::{CardStatus, CustomerNumber, CustomerType, Role};
use crate::types::{Bban, Iban};
use crate::wire::described::{forms, link, Described, MemberRow, Object, Tabled};
use crate::wire::or_empty::OrEmpty;

impl<const MIN: i32> Described for Int<MIN> {
    fn form() -> String {
        format!("whole number from {MIN} to {}, without a fraction", i32::MAX)
    }
}

forms! {
    Switch: "`true` or `false`";
    Invoiced: "`true` or `false`, or either as text; or empty";
    CustomerNumber: "text of 6 to 11 digits";
    CustomerType: "`PRIVATE` or `CORPORATE`, in any case";
    CardStatus: "`enabled`, `blocked` or `deleted`, in any case";
    Role: "`OWNER`, `DISPOSAL`, `VIEW`, `REGISTER`, `APPROVE`, `INTERNAL_TRANSFER` or `SALARY`";
    SettableBalance: "`closingBooked` or `expected`, in any case";
    BankTransactionCode:
        format!("text of {BANK_TRANSACTION_CODE_CHARS_MIN} to {BANK_TRANSACTION_CODE_CHARS_MAX} characters");
    Moment: "`YYYY-MM-DD`, or a date-time with an offset";
    Rate: format!("text of digits, with a point if need be, at most {} characters; not zero", Rate::CHARS_MAX);
    AccountNumbers: link(AccountNumbers::NAME);
    NumbersIfKnown: format!("{}; of the other account, both may be empty", link(AccountNumbers::NAME));
}

impl Tabled for AccountNumbers {
    fn object() -> Object {
        let row =
            |name, form, note: &str| MemberRow { name, form, is_required: false, note: note.to_owned() };
        let members = vec![
            row("iban", OrEmpty::<Iban>::form(), "The number as an IBAN."),
            row("bban", OrEmpty::<Bban>::form(), "The number as its country writes it."),
        ];
        let about = "The numbers of an account: either, or both where they are the same number.".to_owned();
        Object { name: Self::NAME, about, members }
    }
}
