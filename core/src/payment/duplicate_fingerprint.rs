//! Which payments look the same: the key of logical duplicates.

use super::order::{CreditTransfer, Order, RemittanceInformation};
use super::product::Product;
use crate::crypto::sha256;
use crate::limits::DEBTOR_OTHER_NUMBERS_MAX;
use crate::types::{bare_card_number, AccountIdentification, Bic, DecimalText, Iban};

/// SHA-256 over TPP, product, debtor, creditor, amount, currency and reference. Every part is led by its
/// length and every list by how long it is, so that no two different orders read the same. The days of an
/// order do not count, nor does a schedule: the same payment on another day looks the same. The PSU is compared
/// beside it, because a single SCA makes it known only later.
pub(crate) fn duplicate_fingerprint(tpp: &str, product: Product, order: &Order) -> [u8; 32] {
    by_number(&order.debtor_account().identification, |number| paid_from(number, tpp, product, order))
}

/// A Norwegian account is one account, whether its account number or its IBAN names it, and a card account however its
/// number is set out.
fn by_number<T>(account: &AccountIdentification, then: impl FnOnce(&str) -> T) -> T {
    match account {
        AccountIdentification::Iban(iban) => by_iban(iban, then),
        AccountIdentification::Card(number) => then(&bare_card_number(number)),
        AccountIdentification::Bban(bban) => then(bban.as_str()),
    }
}

fn by_iban<T>(iban: &Iban, then: impl FnOnce(&str) -> T) -> T {
    match iban.bban() {
        Some(bban) => then(bban.as_str()),
        None => then(iban.as_str()),
    }
}

/// The bank that a payee's bban abroad is an account of: banks there may have the same number. An IBAN names its bank,
/// and so does a Norwegian account number.
fn agent_abroad(product: Product, transfer: &CreditTransfer) -> Option<&str> {
    match &transfer.creditor_account.identification {
        AccountIdentification::Bban(_) if !transfer.has_norwegian_bban(product) => {
            transfer.creditor_agent.as_ref().map(Bic::without_branch)
        }
        _ => None,
    }
}

/// The fingerprints of the order if it named the debtor account by one of these numbers instead.
pub(crate) fn duplicate_fingerprints_by(
    tpp: &str,
    product: Product,
    order: &Order,
    other_numbers: &[String],
) -> Vec<[u8; 32]> {
    let numbers = other_numbers.iter().take(DEBTOR_OTHER_NUMBERS_MAX);
    let paid_from = |number: &str| paid_from(number, tpp, product, order);
    // The bank returns the number as its customers write it.
    numbers
        .map(|number| match Iban::parse(number) {
            Ok(iban) => by_iban(&iban, paid_from),
            Err(_) => paid_from(&bare_card_number(number)),
        })
        .collect()
}

/// The fingerprint of an order that names the debtor account by that number.
fn paid_from(debtor_number: &str, tpp: &str, product: Product, order: &Order) -> [u8; 32] {
    let mut text = Vec::with_capacity(256);
    let mut add = |part: &str| {
        text.extend_from_slice(&part.len().to_be_bytes());
        text.extend_from_slice(part.as_bytes());
    };
    for part in [tpp, product.path()] {
        add(part);
    }
    for transfer in order.transfers() {
        let (debtor, creditor) = (&transfer.debtor_account, &transfer.creditor_account);
        add(debtor_number);
        add(debtor.currency.code());
        by_number(&creditor.identification, &mut add);
        // It is longer than the currency that follows, so no two orders read the same for its being there.
        agent_abroad(product, transfer).into_iter().for_each(&mut add);
        add(creditor.currency.code());
        let amount = transfer.instructed_amount;
        add(DecimalText::of(amount.value().normalize()).as_str());
        add(amount.currency().code());
        let texts = || transfer.remittance.iter().flat_map(RemittanceInformation::texts);
        add(DecimalText::of(texts().count().into()).as_str());
        texts().for_each(&mut add);
    }
    sha256(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payment::stored::from_text;
    use crate::types::Bban;

    /// A bulk whose payments differ in their references alone.
    fn bulk(references: &[&[&str]]) -> [u8; 32] {
        duplicate_fingerprint("TPP", Product::BulkDomestic, &order(references))
    }

    fn order(references: &[&[&str]]) -> Order {
        let account = r#"{"bban":"91351631959","currency":"NOK"}"#;
        let entry = |texts: &&[&str]| {
            let list: Vec<_> = texts.iter().map(|text| format!(r#"{{"reference":"{text}"}}"#)).collect();
            format!(
                r#"{{"instructedAmount":{{"currency":"NOK","amount":"12.50"}},"creditorName":"Kari",
                "creditorAccount":{account},"remittanceInformationStructuredArray":[{}]}}"#,
                list.join(",")
            )
        };
        let entries: Vec<_> = references.iter().map(entry).collect();
        let order = format!(r#"{{"debtorAccount":{account},"payments":[{}]}}"#, entries.join(","));
        from_text(&order).unwrap()
    }

    #[test]
    fn a_norwegian_account_is_one_by_either_of_its_numbers() {
        let of = |debtor: &str, creditor: &str| {
            let order = format!(
                r#"{{"debtorAccount":{{{debtor},"currency":"NOK"}},"creditorName":"Kari",
                "creditorAccount":{{{creditor},"currency":"NOK"}},
                "instructedAmount":{{"currency":"NOK","amount":"12.50"}}}}"#
            );
            duplicate_fingerprint("TPP", Product::CrossBorder, &from_text(&order).unwrap())
        };
        let (bban, iban) = (r#""bban":"86011117947""#, r#""iban":"NO9386011117947""#);
        let (other, abroad) = (r#""bban":"91351631959""#, r#""iban":"SE4550000000058398257466""#);
        assert_eq!(of(bban, iban), of(iban, bban));
        assert_eq!(of(other, iban), of(other, bban));
        assert_ne!(of(bban, iban), of(bban, other));
        assert_ne!(of(bban, iban), of(bban, abroad));
    }

    #[test]
    fn a_bban_abroad_is_an_account_of_its_bank_for_every_branch() {
        let of = |account: &str, agent: &str| {
            let order = format!(
                r#"{{"debtorAccount":{{"bban":"91351631959","currency":"NOK"}},"creditorName":"Kari",
                "creditorAccount":{{{account},"currency":"USD"}},"creditorAgent":"{agent}",
                "instructedAmount":{{"currency":"USD","amount":"12.50"}}}}"#
            );
            let order: Order = from_text(&order).unwrap();
            let named_otherwise =
                duplicate_fingerprints_by("TPP", Product::CrossBorder, &order, &["91351631959".to_owned()]);
            let own = duplicate_fingerprint("TPP", Product::CrossBorder, &order);
            assert_eq!(named_otherwise, [own]);
            own
        };
        let (abroad, eleven_digits) = (r#""bban":"000123456789""#, r#""bban":"86011117947""#);
        for account in [abroad, eleven_digits] {
            assert_ne!(of(account, "CHASUS33"), of(account, "BOFAUS3N"));
            assert_eq!(of(account, "CHASUS33"), of(account, "CHASUS33XXX"));
            assert_ne!(of(account, "CHASUS33"), of(account, "DNBANOKK"));
        }
        // Eleven digits identify an account of any bank in Norway; other numbers do not.
        assert_eq!(of(eleven_digits, "DNBANOKK"), of(eleven_digits, "NDEANOKK"));
        assert_ne!(of(abroad, "DNBANOKK"), of(abroad, "NDEANOKK"));
        assert_eq!(of(eleven_digits, "DNBANOKK"), of(r#""iban":"NO9386011117947""#, "CHASUS33"));
        let iban = r#""iban":"SE4550000000058398257466""#;
        assert_eq!(of(iban, "CHASUS33"), of(iban, "BOFAUS3N"));
    }

    #[test]
    fn a_payment_is_looked_for_by_eight_other_numbers_and_no_ninth() {
        let order = order(&[&["a"]]);
        let by = |count: u64| {
            let numbers: Vec<_> = (1..=count).map(|number| (91_351_631_950 + number).to_string()).collect();
            duplicate_fingerprints_by("TPP", Product::BulkDomestic, &order, &numbers)
        };
        assert_eq!([7, 8, 9].map(|count| by(count).len()), [7, 8, 8]);
        assert_eq!(by(9), by(8));
        // The ninth is the number that the order names.
        assert!(!by(9).contains(&duplicate_fingerprint("TPP", Product::BulkDomestic, &order)));
        let own = [order.debtor_account().identification.as_str().to_owned()];
        assert_eq!(
            duplicate_fingerprints_by("TPP", Product::BulkDomestic, &order, &own),
            [duplicate_fingerprint("TPP", Product::BulkDomestic, &order)]
        );
    }

    #[test]
    fn an_other_number_that_is_a_norwegian_iban_is_the_account_number_too() {
        let order = order(&[&["a"]]);
        let own = duplicate_fingerprint("TPP", Product::BulkDomestic, &order);
        let by = |number: &str| {
            duplicate_fingerprints_by("TPP", Product::BulkDomestic, &order, &[number.to_owned()])
        };
        let number = order.debtor_account().identification.as_str();
        let iban = Iban::of_norwegian(&Bban::parse(number).unwrap()).unwrap();
        assert_eq!(by(iban.as_str()), [own]);
        assert_ne!(by("NO9386011117947"), [own]);
    }

    #[test]
    fn a_card_account_is_one_however_its_number_is_set_out() {
        let of = |number: &str| {
            let order = format!(
                r#"{{"debtorAccount":{{"other":{{"identification":"{number}",
                "schemeNameProprietary":"creditCardAccount"}},"currency":"NOK"}},"creditorName":"Kari",
                "creditorAccount":{{"bban":"91351631959","currency":"NOK"}},
                "instructedAmount":{{"currency":"NOK","amount":"12.50"}}}}"#
            );
            let order: Order = from_text(&order).unwrap();
            let others =
                duplicate_fingerprints_by("TPP", Product::Domestic, &order, &["1503.10 12345".to_owned()]);
            (duplicate_fingerprint("TPP", Product::Domestic, &order), others)
        };
        let (own, others) = of("15031012345");
        assert_eq!(others, [own]);
        for number in ["1503.10.12345", "1503 10 12345", "1503-10-12345"] {
            assert_eq!(of(number).0, own, "{number}");
        }
        assert_ne!(of("15031012346").0, own);
    }

    #[test]
    fn how_references_are_shared_among_payments_counts() {
        let orders: [&[&[&str]]; 6] = [
            &[&["a"], &["b", "c"]],
            &[&["a", "b"], &["c"]],
            &[&["b", "c"], &["a"]],
            &[&["a", "b", "c"]],
            &[&["abc"]],
            &[&["a"], &["b"], &["c"]],
        ];
        let mut found: Vec<_> = orders.iter().map(|order| bulk(order)).collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), orders.len());
        assert_eq!(bulk(orders[0]), bulk(orders[0]));
    }

    #[test]
    fn a_reference_that_reads_as_the_next_payment_does_not_make_it_one() {
        let account = ["91351631959", "NOK", "91351631959", "NOK", "12.5", "NOK"];
        let spelt_out: Vec<&str> = [&["a"][..], &account].concat();
        assert_ne!(bulk(&[&spelt_out]), bulk(&[&["a"], &[]]));
    }
}
