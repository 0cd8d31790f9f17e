//! The sandbox's bank behind JSON, written by hand after the docs and not with the library's own tables.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use parking_lot::Mutex;
use serde_json::{json, Map, Value};
use xs2a::bank::{
    Account, Balance, Bank, Cancellation, CardAccount, CardTransaction, CurrencyExchange, OrderStatus, Party,
    PaymentOrder, Product, Service, Transaction, TransactionQuery,
};
use xs2a::internal::{load_default_data, stored_payment as stored, Database, SandboxBank};
use xs2a::json_bank::{AnswerWriter, BankCalls, BankMethod};
use xs2a::types::{
    AccountId, AccountIdentification, AccountReference, ActingPsu, Bban, CardAccountId, Context,
    CorporateKey, Currency, Iban, IdentityNumber, Machine, Money, PaymentId, PsuKey, Rates, TransactionId,
};
use xs2a::{Error, Result};

/// The sandbox's bank with its default customers, in memory.
pub(crate) fn sandbox_bank() -> SandboxBank {
    let database = Arc::new(Database::open_memory_for_sandbox().unwrap());
    load_default_data(&database).unwrap();
    SandboxBank::new(database, Rates::default())
}

/// Answers each question as the bank inside does, and notes which it was asked.
pub(crate) struct Mirror {
    inner: SandboxBank,
    pub(crate) asked: Mutex<Vec<&'static str>>,
    /// Each question with its answer.
    pub(crate) exchanges: Mutex<Vec<(&'static str, Value, Value)>>,
    /// The question that it fails at.
    pub(crate) fails_at: Mutex<&'static str>,
}

impl Mirror {
    pub(crate) fn new() -> Self {
        Self {
            inner: sandbox_bank(),
            asked: Mutex::default(),
            exchanges: Mutex::default(),
            fails_at: Mutex::default(),
        }
    }

    /// The answer to a question, as a value.
    pub(crate) fn answer(&self, method: &str, asked: &Value) -> Result<Value> {
        let bank = &self.inner;
        Ok(match method {
            "psu" => {
                match bank.customers().psu(&IdentityNumber::parse(string(asked, "identity")).unwrap())? {
                    Some(person) => json!({ "person": person.as_str() }),
                    None => Value::Null,
                }
            }
            "debtor_account" => {
                match bank.payments().debtor_account(&psu(&asked["psu"]), &reference(&asked["account"]))? {
                    Some(found) => json!({
                        "account": asked["account"],
                        "currency": found.currency.code(),
                        "otherNumbers": found.other_numbers,
                    }),
                    None => Value::Null,
                }
            }
            "kid_agreement" => {
                match bank.payments().kid_agreement(&Bban::parse(string(asked, "bban")).unwrap())? {
                    Some(agreed) => json!({
                        "bban": asked["bban"],
                        "required": agreed.required,
                        "modulus": agreed.modulus.number(),
                        "digitsMin": agreed.digits_min,
                        "digitsMax": agreed.digits_max,
                    }),
                    None => Value::Null,
                }
            }
            "fee" => {
                let order = stored::from_text(&asked["order"].to_string()).unwrap();
                json!({ "fee": money(bank.payments().fee(product(asked), &order)?) })
            }
            "rate" => {
                match bank
                    .payments()
                    .rate(currency(asked, "sourceCurrency"), currency(asked, "targetCurrency"))?
                {
                    Some(rate) => json!({
                        "sourceCurrency": asked["sourceCurrency"],
                        "targetCurrency": asked["targetCurrency"],
                        "rate": rate.to_string(),
                    }),
                    None => Value::Null,
                }
            }
            "requires_sca" => Value::Null,
            "submit_payment" => {
                let payment = PaymentOrder {
                    payment_id: PaymentId::parse(string(asked, "paymentId")).unwrap(),
                    product: product(asked),
                    psu: psu(&asked["psu"]),
                    order: stored::from_text(&asked["order"].to_string()).unwrap(),
                    fee: Money::parse(string(&asked["fee"], "amount"), currency(&asked["fee"], "currency"))
                        .unwrap(),
                    authorised_at: time(asked, "authorisedAt"),
                };
                let mut answer = status(bank.payments().submit_payment(&payment, time(asked, "now"))?);
                answer["paymentId"] = asked["paymentId"].clone();
                answer
            }
            "cancel_payment" => {
                let id = PaymentId::parse(string(asked, "paymentId")).unwrap();
                let mut answer = match bank.payments().cancel_payment(&id, time(asked, "now"))? {
                    Cancellation::Cancelled => json!({ "cancelled": true }),
                    Cancellation::TooLate(at_bank) => {
                        let mut answer = status(at_bank);
                        answer["cancelled"] = false.into();
                        answer
                    }
                };
                answer["paymentId"] = asked["paymentId"].clone();
                answer
            }
            "agreements" => {
                let agreements = bank.customers().agreements(&PsuKey::new(string(asked, "person")))?;
                let each = agreements.iter().map(|agreement| {
                    json!({
                        "corporate": agreement.corporate.as_str(),
                        "name": agreement.name,
                        "owner": agreement.owner,
                    })
                });
                json!({ "person": asked["person"], "agreements": each.collect::<Vec<_>>() })
            }
            "accounts" => {
                let accounts = bank.account_data().accounts(&psu(&asked["psu"]))?;
                json!({ "psu": asked["psu"], "accounts": accounts.iter().map(account).collect::<Vec<_>>() })
            }
            "account" => bank
                .account_data()
                .account(&psu(&asked["psu"]), &account_id(asked))?
                .as_ref()
                .map_or(Value::Null, account),
            "balances" => {
                let balances = bank.account_data().balances(&account_id(asked))?;
                json!({ "accountId": asked["accountId"], "balances": balances.iter().map(balance).collect::<Vec<_>>() })
            }
            "booked" => {
                let page = bank.account_data().booked(&account_id(asked), &query(asked))?;
                let items: Vec<_> = page.items.iter().map(transaction).collect();
                json!({ "accountId": asked["accountId"], "transactions": items, "total": page.total })
            }
            "pending" => {
                let items: Vec<_> =
                    bank.account_data().pending(&account_id(asked))?.iter().map(transaction).collect();
                json!({ "accountId": asked["accountId"], "transactions": items })
            }
            "transaction" => {
                let id = TransactionId::parse(string(asked, "transactionId")).unwrap();
                let found = bank.account_data().transaction(&account_id(asked), &id)?;
                found.map_or(Value::Null, |found| {
                    let mut answer = transaction(&found);
                    answer["accountId"] = asked["accountId"].clone();
                    answer
                })
            }
            "card_accounts" => {
                let cards = bank.card_account_data().card_accounts(&psu(&asked["psu"]))?;
                json!({ "psu": asked["psu"], "cardAccounts": cards.iter().map(card).collect::<Vec<_>>() })
            }
            "card_account" => bank
                .card_account_data()
                .card_account(&psu(&asked["psu"]), &card_id(asked))?
                .as_ref()
                .map_or(Value::Null, card),
            "card_balances" => {
                let balances = bank.card_account_data().card_balances(&card_id(asked))?;
                let balances: Vec<_> = balances.iter().map(balance).collect();
                json!({ "cardAccountId": asked["cardAccountId"], "balances": balances })
            }
            "card_booked" => {
                let page = bank.card_account_data().card_booked(&card_id(asked), &query(asked))?;
                let items: Vec<_> = page.items.iter().map(card_transaction).collect();
                json!({ "cardAccountId": asked["cardAccountId"], "transactions": items, "total": page.total })
            }
            "card_pending" => {
                let items: Vec<_> = bank
                    .card_account_data()
                    .card_pending(&card_id(asked))?
                    .iter()
                    .map(card_transaction)
                    .collect();
                json!({ "cardAccountId": asked["cardAccountId"], "transactions": items })
            }
            other => panic!("asked {other}"),
        })
    }
}

impl BankCalls for Mirror {
    fn call(&self, method: BankMethod, request: &str, answer: &mut AnswerWriter) -> Result<()> {
        self.asked.lock().push(method.name());
        if *self.fails_at.lock() == method.name() {
            return Err(Error::Bank("the line is dead".to_owned()));
        }
        let question: Value = serde_json::from_str(request).unwrap();
        let answered = Self::answer(self, method.name(), &question)?;
        self.exchanges.lock().push((method.name(), question, answered.clone()));
        answer.write(answered.to_string().as_bytes())
    }
}

fn string<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} in {value}"))
}

fn currency(value: &Value, name: &str) -> Currency {
    Currency::parse(string(value, name)).unwrap()
}

fn time(value: &Value, name: &str) -> DateTime<Utc> {
    DateTime::parse_from_rfc3339(string(value, name)).unwrap().to_utc()
}

fn account_id(asked: &Value) -> AccountId {
    AccountId::parse(string(asked, "accountId")).unwrap()
}

fn card_id(asked: &Value) -> CardAccountId {
    CardAccountId::parse(string(asked, "cardAccountId")).unwrap()
}

fn psu(value: &Value) -> ActingPsu {
    ActingPsu {
        psu: PsuKey::new(string(value, "person")),
        context: Context::parse(string(value, "context")).unwrap(),
        corporate: value.get("corporate").map(|corporate| CorporateKey::new(corporate.as_str().unwrap())),
    }
}

fn reference(value: &Value) -> AccountReference {
    let identification = match (value["bban"].as_str(), value["iban"].as_str()) {
        (Some(bban), None) => AccountIdentification::Bban(Bban::parse(bban).unwrap()),
        (None, Some(iban)) => AccountIdentification::Iban(Iban::parse(iban).unwrap()),
        _ => AccountIdentification::Card(string(&value["other"], "identification").to_owned()),
    };
    AccountReference { identification, currency: currency(value, "currency") }
}

fn product(asked: &Value) -> Product {
    let (service, name) = string(asked, "product").split_once('/').unwrap();
    Product::parse(Service::parse(service).unwrap(), name).unwrap()
}

fn query(asked: &Value) -> TransactionQuery {
    let day = |name: &str| asked.get(name).map(|day| day.as_str().unwrap().parse::<NaiveDate>().unwrap());
    TransactionQuery {
        from: day("dateFrom"),
        to: day("dateTo"),
        offset: asked["offset"].as_u64().unwrap(),
        limit: u32::try_from(asked["limit"].as_u64().unwrap()).unwrap(),
    }
}

pub(crate) fn money(money: Money) -> Value {
    json!({ "amount": money.to_string(), "currency": money.currency().code() })
}

fn status(at_bank: OrderStatus) -> Value {
    let mut answer = json!({ "transactionStatus": at_bank.status.as_str() });
    if let Some(available) = at_bank.funds_available {
        answer["fundsAvailable"] = available.into();
    }
    answer
}

/// An object of what is there.
fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let there = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(there.collect::<Map<_, _>>())
}

fn text(value: &Option<String>) -> Option<Value> {
    value.as_deref().map(Value::from)
}

fn day(value: Option<NaiveDate>) -> Option<Value> {
    value.map(|day| day.format("%Y-%m-%d").to_string().into())
}

fn account(account: &Account) -> Value {
    object([
        ("accountId", Some(account.id.as_str().into())),
        ("bban", account.bban.map(|bban| bban.as_str().into())),
        ("iban", account.iban.map(|iban| iban.as_str().into())),
        ("bic", account.bic.map(|bic| bic.as_str().into())),
        ("currency", Some(account.currency.code().into())),
        ("name", text(&account.name)),
        ("product", text(&account.product)),
        ("cashAccountType", text(&account.cash_account_type)),
    ])
}

fn card(card: &CardAccount) -> Value {
    object([
        ("cardAccountId", Some(card.id.as_str().into())),
        ("maskedPan", Some(card.masked_pan.as_str().into())),
        ("currency", Some(card.currency.code().into())),
        ("name", text(&card.name)),
        ("product", text(&card.product)),
        ("creditLimit", card.credit_limit.map(money)),
    ])
}

fn balance(balance: &Balance) -> Value {
    json!({ "balanceType": balance.kind.as_str(), "balanceAmount": money(balance.amount) })
}

fn party(party: &Party) -> Value {
    object([
        ("name", text(&party.name)),
        ("bban", party.bban.map(|bban| bban.as_str().into())),
        ("iban", party.iban.map(|iban| iban.as_str().into())),
        ("agent", party.agent.map(|bic| bic.as_str().into())),
    ])
}

fn exchange(exchange: &CurrencyExchange) -> Value {
    object([
        ("sourceCurrency", Some(exchange.source.code().into())),
        ("targetCurrency", Some(exchange.target.code().into())),
        ("unitCurrency", Some(exchange.unit.code().into())),
        ("exchangeRate", Some(exchange.rate.to_string().into())),
        ("quotationDate", day(Some(exchange.quotation_date))),
        ("contractIdentification", text(&exchange.contract)),
    ])
}

pub(crate) fn transaction(found: &Transaction) -> Value {
    let references = found.structured.iter().map(|reference| {
        object([
            ("reference", Some(reference.reference.as_str().into())),
            ("referenceType", text(&reference.reference_type)),
            ("referenceIssuer", text(&reference.reference_issuer)),
        ])
    });
    object([
        ("transactionId", found.id.as_ref().map(|id| id.as_str().into())),
        ("endToEndId", text(&found.end_to_end_id)),
        ("bookingDate", day(found.booking_date)),
        ("valueDate", day(found.value_date)),
        ("transactionAmount", Some(money(found.amount))),
        ("currencyExchange", found.exchange.as_ref().map(exchange)),
        ("creditor", Some(party(&found.creditor))),
        ("debtor", Some(party(&found.debtor))),
        ("remittanceInformationUnstructured", text(&found.unstructured)),
        ("remittanceInformationStructuredArray", Some(references.collect())),
        ("purposeCode", text(&found.purpose_code)),
        ("bankTransactionCode", text(&found.bank_transaction_code)),
        ("proprietaryBankTransactionCode", text(&found.proprietary_code)),
    ])
}

pub(crate) fn card_transaction(found: &CardTransaction) -> Value {
    let address = found.card_acceptor_address.as_ref().map(|address| {
        object([
            ("street", text(&address.street)),
            ("buildingNumber", text(&address.building_number)),
            ("postalCode", text(&address.postal_code)),
            ("city", text(&address.city)),
            ("country", text(&address.country)),
        ])
    });
    object([
        ("cardTransactionId", text(&found.id)),
        ("terminalId", text(&found.terminal_id)),
        ("bookingDate", day(found.booking_date)),
        ("transactionDate", day(found.transaction_date)),
        ("valueDate", day(found.value_date)),
        ("transactionAmount", Some(money(found.amount))),
        ("originalAmount", found.original_amount.map(money)),
        ("currencyExchange", found.exchange.as_ref().map(exchange)),
        ("markupFee", found.markup_fee.map(money)),
        ("markupFeePercentage", text(&found.markup_fee_percentage)),
        ("cardAcceptorId", text(&found.card_acceptor_id)),
        ("cardAcceptorAddress", address),
        ("merchantCategoryCode", text(&found.merchant_category_code)),
        ("maskedPan", text(&found.masked_pan)),
        ("transactionDetails", text(&found.details)),
        ("invoiced", found.invoiced.map(Value::from)),
        ("proprietaryBankTransactionCode", text(&found.proprietary_code)),
    ])
}
