//! Answers of a bank in JSON: what the engine takes is JSON for another reader too, with the members of the question
//! that an answer repeats; what it refuses is the bank's error and names the question. The first byte chooses the
//! question.

use serde_json::Value;
use xs2a::bank::{Bank, Order, PaymentOrder, Product, PsuClient, ScaOccasion, ScaQuestion, TransactionQuery};
use xs2a::internal::stored_payment;
use xs2a::json_bank::{AnswerWriter, BankCalls, BankMethod, JsonBank};
use xs2a::types::{
    AccountId, AccountIdentification, AccountReference, ActingPsu, Bban, CardAccountId, Context, Currency,
    IdentityNumber, Money, PaymentId, PsuKey, TransactionId,
};
use xs2a::{Error, Result};

/// A bank that gives one answer.
struct Says(Vec<u8>);

impl BankCalls for Says {
    fn call(&self, _method: BankMethod, _request: &str, answer: &mut AnswerWriter) -> Result<()> {
        answer.write(&self.0)
    }
}

const ORDER: &str = r#"{"instructedAmount":{"amount":"250.00","currency":"NOK"},"creditorName":"Testodius To",
"creditorAccount":{"bban":"95360573037","currency":"NOK"},"creditorAddress":{"townName":"Oslo","country":"NO"},
"debtorAccount":{"bban":"95360573002","currency":"NOK"},"remittanceInformationUnstructured":"Invoice 1001"}"#;

/// Asks one question.
fn ask(bank: &dyn Bank, method: BankMethod) -> Result<()> {
    let psu = ActingPsu { psu: PsuKey::new("p"), context: Context::Private, corporate: None };
    let order: Order = stored_payment::from_text(ORDER)?;
    let now = "2026-09-01T10:00:00Z".parse().expect("a time");
    let account = AccountId::parse("a").expect("an id");
    let card = CardAccountId::parse("c").expect("an id");
    let bban = Bban::parse("95360573002").expect("an account number");
    let payment_id = PaymentId::parse("p").expect("an id");
    let query = TransactionQuery { offset: 0, limit: 100, from: None, to: None };
    match method {
        BankMethod::Psu => {
            let identity = IdentityNumber::parse("13039319955").expect("an identity number");
            bank.customers().psu(&identity).map(drop)
        }
        BankMethod::Agreements => bank.customers().agreements(&psu.psu).map(drop),
        BankMethod::DebtorAccount => {
            let identification = AccountIdentification::Bban(bban);
            let reference = AccountReference { identification, currency: Currency::NOK };
            bank.payments().debtor_account(&psu, &reference).map(drop)
        }
        BankMethod::KidAgreement => bank.payments().kid_agreement(&bban).map(drop),
        BankMethod::Fee => bank.payments().fee(Product::InstantDomesticStraks, &order).map(drop),
        BankMethod::Rate => bank.payments().rate(Currency::EUR, Currency::NOK).map(drop),
        BankMethod::RequiresSca => {
            let occasion = ScaOccasion::Payment { product: Product::Domestic, order: &order };
            let client = PsuClient::default();
            bank.risk()
                .requires_sca(&ScaQuestion { occasion, tpp: "t", psu: &psu, client: &client })
                .map(drop)
        }
        BankMethod::SubmitPayment => {
            let product = Product::InstantDomesticStraks;
            let fee = Money::zero(Currency::NOK);
            let order = PaymentOrder { payment_id, product, psu, order, fee, authorised_at: now };
            bank.payments().submit_payment(&order, now).map(drop)
        }
        BankMethod::CancelPayment => bank.payments().cancel_payment(&payment_id, now).map(drop),
        BankMethod::Accounts => bank.account_data().accounts(&psu).map(drop),
        BankMethod::Account => bank.account_data().account(&psu, &account).map(drop),
        BankMethod::Balances => bank.account_data().balances(&account).map(drop),
        BankMethod::Booked => bank.account_data().booked(&account, &query).map(drop),
        BankMethod::Pending => bank.account_data().pending(&account).map(drop),
        BankMethod::Transaction => {
            let transaction = TransactionId::parse("t").expect("an id");
            bank.account_data().transaction(&account, &transaction).map(drop)
        }
        BankMethod::CardAccounts => bank.card_account_data().card_accounts(&psu).map(drop),
        BankMethod::CardAccount => bank.card_account_data().card_account(&psu, &card).map(drop),
        BankMethod::CardBalances => bank.card_account_data().card_balances(&card).map(drop),
        BankMethod::CardBooked => bank.card_account_data().card_booked(&card, &query).map(drop),
        BankMethod::CardPending => bank.card_account_data().card_pending(&card).map(drop),
    }
}

pub(super) fn check(input: &[u8]) {
    let Some((chosen, answer)) = input.split_first() else { return };
    let method = BankMethod::ALL[usize::from(*chosen) % BankMethod::ALL.len()];
    let bank = JsonBank::new(Says(answer.to_vec()));
    match ask(&bank, method) {
        Ok(()) => {
            let value: Value = serde_json::from_slice(answer).expect("JSON");
            if value.is_null() {
                assert!(method.null().is_some(), "{method} has no answer null");
                return;
            }
            for member in method.repeated() {
                assert!(value.get(member).is_some(), "{method} without {member}");
            }
            let text = std::str::from_utf8(answer).expect("JSON is UTF-8");
            let identities =
                [("accountId", "a"), ("cardAccountId", "c"), ("paymentId", "p"), ("person", "p")];
            for (member, asked) in identities {
                let repeats = method.repeated().contains(&member);
                assert!(!repeats || value[member] == asked, "{method} answered for another {member}: {text}");
            }
        }
        Err(Error::BankAnswer(text) | Error::Bank(text)) => {
            assert!(text.contains(method.name()), "{method} is not named: {text}");
        }
        Err(other) => panic!("{method}: {other}"),
    }
}
