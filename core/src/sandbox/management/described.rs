//! What the docs print of the values that the sandbox's bodies hold.

use super::account_number::{AccountNumbers, NumbersIfKnown};
use super::card_transaction_body::{Invoiced, Rate};
use super::members::{BankTransactionCode, Int, SettableBalance, Switch};
use super::moment::Moment;
use crate::account::record::BalanceType;
use crate::limits::{BANK_TRANSACTION_CODE_CHARS_MAX, BANK_TRANSACTION_CODE_CHARS_MIN};
use crate::store::sqlite::sandbox::{CardStatus, CustomerNumber, CustomerType, Role};
use crate::types::{Bban, Iban};
use crate::wire::described::{component, forms, link, listed, Described, MemberRow, Object, Tabled};
use crate::wire::or_empty::OrEmpty;
use crate::wire::schema::Schema;

impl<const MIN: i32> Described for Int<MIN> {
    fn form() -> String {
        format!("whole number from {MIN} to {}, without a fraction", i32::MAX)
    }

    fn schema() -> Schema {
        Schema::whole(MIN.into(), i32::MAX.into())
    }
}

forms! {
    Switch: "`true` or `false`", Schema::switch();
    Invoiced: "`true` or `false`, or either as text; or empty",
        Schema::any_of([Schema::switch(), Schema::one_of(["true", "false", ""])]);
    CustomerNumber: "text of 6 to 11 digits", Schema::pattern("^[0-9]{6,11}$");
    CustomerType: in_any_case(CustomerType::NAMES), Schema::in_any_case(CustomerType::NAMES);
    CardStatus: in_any_case(CardStatus::NAMES), Schema::in_any_case(CardStatus::NAMES);
    Role: listed(Role::NAMES.iter().copied()), Schema::one_of(Role::NAMES.iter().copied());
    SettableBalance: in_any_case(&SettableBalance::TYPES.map(BalanceType::as_str)),
        Schema::in_any_case(&SettableBalance::TYPES.map(BalanceType::as_str));
    BankTransactionCode:
        format!("text of {BANK_TRANSACTION_CODE_CHARS_MIN} to {BANK_TRANSACTION_CODE_CHARS_MAX} characters"),
        Schema::text_of(BANK_TRANSACTION_CODE_CHARS_MIN, BANK_TRANSACTION_CODE_CHARS_MAX);
    Moment: "`YYYY-MM-DD`, or a date-time with an offset",
        Schema::pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ].+)?$");
    Rate: format!("text of digits, with a point if need be, at most {} characters; not zero", Rate::CHARS_MAX),
        Schema::pattern("^[0-9]+(\\.[0-9]+)?$");
    AccountNumbers: link(AccountNumbers::NAME), Schema::named(&component(AccountNumbers::NAME));
    NumbersIfKnown: format!("{}; of the other account, both may be empty", link(AccountNumbers::NAME)),
        AccountNumbers::schema();
}

fn in_any_case(names: &[&'static str]) -> String {
    format!("{}, in any case", listed(names.iter().copied()))
}

impl Tabled for AccountNumbers {
    fn object() -> Object {
        let row = |name, form, schema, note: &str| MemberRow {
            name,
            form,
            schema,
            is_required: false,
            note: note.to_owned(),
        };
        let members = vec![
            row("iban", OrEmpty::<Iban>::form(), OrEmpty::<Iban>::schema(), "The number as an IBAN."),
            row(
                "bban",
                OrEmpty::<Bban>::form(),
                OrEmpty::<Bban>::schema(),
                "The number as its country writes it.",
            ),
        ];
        let about = "The numbers of an account: either, or both where they are the same number.".to_owned();
        Object { name: Self::NAME, about, members }
    }
}
