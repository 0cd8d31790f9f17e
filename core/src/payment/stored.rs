//! The text an order is stored as: the same JSON that details show.

use super::body;
use super::order::Order;
use super::view::OrderView;
use crate::error::{Error, Result};
use crate::wire::json;

/// Writes an order.
///
/// # Errors
/// [`Error::Internal`]: an order that cannot be written is a bug.
pub fn to_text(order: &Order) -> Result<String> {
    // `json::write` allocates the buffer in advance, because every stored payment is written here.
    let text = String::from_utf8(json::write(&OrderView::from(order))?);
    text.map_err(|error| Error::Internal(format!("an order that is no text: {error}")))
}

/// Reads an order back.
///
/// # Errors
/// [`Error::Record`] for a text that [`to_text`] did not write.
pub fn from_text(text: &str) -> Result<Order> {
    body::read_stored(text.as_bytes()).ok_or_else(|| Error::Record("a stored order cannot be read".into()))
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use proptest::option::of;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::payment::order::{
        Address, Bulk, CreditTransfer, Periodic, RemittanceInformation, Schedule, StructuredReference,
    };
    use crate::types::{
        AccountIdentification, AccountReference, Amount, Bban, Bic, Country, Currency, DayOfExecution,
        ExecutionRule, Frequency, Iban, PurposeCode, Repertoire, ServiceLevel, Text,
    };

    fn text<const MAX: usize>() -> impl Strategy<Value = Text<MAX>> {
        let text = proptest::string::string_regex("[ -~æøåÆØÅłŁ日本/]{0,9}[!-~æøåŁ日]").unwrap();
        text.prop_map(|text| Text::parse(text, Repertoire::Bmp).unwrap())
    }

    fn day() -> impl Strategy<Value = NaiveDate> {
        (0..3_652_059_i32).prop_map(|days| NaiveDate::from_num_days_from_ce_opt(days + 1).unwrap())
    }

    fn currency() -> impl Strategy<Value = Currency> {
        select(["NOK", "EUR", "JPY", "KWD", "XDR"].as_slice()).prop_map(|code| Currency::parse(code).unwrap())
    }

    fn amount() -> impl Strategy<Value = Amount> {
        let spellings = [("1.05", "NOK"), ("9999999999999.99", "EUR"), ("100", "JPY"), ("0.001", "KWD")];
        select(spellings.to_vec())
            .prop_map(|(digits, code)| Amount::parse(digits, Currency::parse(code).unwrap()).unwrap())
    }

    fn account() -> impl Strategy<Value = AccountReference> {
        let identification = prop_oneof![
            "[0-9A-Z]{1,30}".prop_map(|text| AccountIdentification::Bban(Bban::parse(&text).unwrap())),
            Just(AccountIdentification::Iban(Iban::parse("DE89370400440532013000").unwrap())),
        ];
        (identification, currency())
            .prop_map(|(identification, currency)| AccountReference { identification, currency })
    }

    fn debtor() -> impl Strategy<Value = AccountReference> {
        let card = "[0-9*]{1,35}".prop_map(AccountIdentification::Card);
        let card = (card, currency())
            .prop_map(|(identification, currency)| AccountReference { identification, currency });
        prop_oneof![account(), card]
    }

    fn address() -> impl Strategy<Value = Address> {
        let country = select(Country::LIST);
        // Where both members have the town, it is the same.
        let town = (of(text()), 0..3_u8);
        (of(text()), of(text()), of(text()), town, country).prop_map(
            |(street, building_number, postal_code, (town, place), country)| Address {
                street,
                building_number,
                postal_code,
                town_name: town.clone().filter(|_| place != 0),
                city: town.filter(|_| place != 1),
                country,
            },
        )
    }

    fn reference() -> impl Strategy<Value = StructuredReference> {
        (text(), of(text()), of(text())).prop_map(|(reference, reference_type, reference_issuer)| {
            StructuredReference { reference, reference_type, reference_issuer }
        })
    }

    fn remittance() -> impl Strategy<Value = RemittanceInformation> {
        prop_oneof![
            text().prop_map(RemittanceInformation::Unstructured),
            reference().prop_map(RemittanceInformation::Structured),
            prop::collection::vec(reference(), 0..3).prop_map(RemittanceInformation::StructuredArray),
        ]
    }

    fn transfer() -> impl Strategy<Value = CreditTransfer> {
        let agent = select(["DEUTDEFF", "DNBANOKK123"].as_slice()).prop_map(|bic| Bic::parse(bic).unwrap());
        let payee = (text(), account(), of(agent), of(address()));
        let reason = (of(select(PurposeCode::LIST)), of(remittance()), of(text()), of(text()));
        let level = of(select(ServiceLevel::LIST));
        (amount(), payee, debtor(), of(text()), reason, level, of(day())).prop_map(
            |(instructed_amount, payee, debtor_account, ultimate_debtor, reason, service_level, day)| {
                CreditTransfer {
                    instructed_amount,
                    creditor_name: payee.0,
                    creditor_account: payee.1,
                    creditor_agent: payee.2,
                    creditor_address: payee.3,
                    debtor_account,
                    ultimate_debtor,
                    purpose_code: reason.0,
                    remittance: reason.1,
                    regulatory_reporting_code: reason.2,
                    regulatory_reporting_information: reason.3,
                    service_level,
                    requested_execution_date: day,
                }
            },
        )
    }

    fn schedule() -> impl Strategy<Value = Schedule> {
        let day_of_execution = (1..=31_u8).prop_map(|day| DayOfExecution::parse(&day.to_string()).unwrap());
        let rule = select(ExecutionRule::LIST);
        (day(), of(day()), of(rule), select(Frequency::LIST), of(day_of_execution)).prop_map(
            |(start_date, end_date, execution_rule, frequency, day_of_execution)| Schedule {
                start_date,
                end_date,
                execution_rule,
                frequency,
                day_of_execution,
            },
        )
    }

    fn periodic() -> impl Strategy<Value = Order> {
        (transfer(), schedule()).prop_map(|(transfer, schedule)| {
            let transfer = CreditTransfer { requested_execution_date: None, ..transfer };
            Order::Periodic(Periodic { transfer, schedule })
        })
    }

    fn bulk() -> impl Strategy<Value = Order> {
        let entries = prop::collection::vec(transfer(), 1..5);
        (of(text()), debtor(), of(day()), entries).prop_map(
            |(payment_information_id, debtor_account, requested_execution_date, entries)| {
                let entry = |transfer| CreditTransfer {
                    debtor_account: debtor_account.clone(),
                    requested_execution_date: None,
                    ..transfer
                };
                let entries = entries.into_iter().map(entry).collect();
                Order::Bulk(Bulk {
                    payment_information_id,
                    debtor_account: debtor_account.clone(),
                    requested_execution_date,
                    entries,
                })
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back_as_it_was(
            order in prop_oneof![transfer().prop_map(Order::Single), periodic(), bulk()],
        ) {
            let text = to_text(&order).unwrap();
            prop_assert_eq!(from_text(&text).unwrap(), order, "{}", text);
        }

        #[test]
        fn what_no_repertoire_takes_any_more_is_read_back(
            transfer in transfer(),
            name in "a[\u{61C}\u{200B}\u{200E}]",
        ) {
            prop_assert!(Text::<2>::parse(name.as_str(), Repertoire::Bmp).is_err());
            let creditor_name = Text::parse(name, None).unwrap();
            let order = Order::Single(CreditTransfer { creditor_name, ..transfer });
            prop_assert_eq!(from_text(&to_text(&order).unwrap()).unwrap(), order);
        }

        #[test]
        fn any_other_text_is_refused_without_a_panic(text in "\\PC{0,40}") {
            prop_assert!(from_text(&text).is_err());
        }
    }

    #[test]
    fn an_order_that_lacks_a_part_is_refused() {
        for text in ["", "{}", "[]", r#"{"payments":[]}"#, r#"{"frequency":"Monthly"}"#] {
            assert!(matches!(from_text(text), Err(Error::Record(_))), "{text}");
        }
    }
}
