//! Accounts in order: pages of transactions, quotas, sessions that end, consents that expire.

use serde_json::{json, Value};
use xs2a::ScaAnswer;

use crate::recorder::{path_of, Answer, Recorder};
use crate::world::draft::Draft;
use crate::world::{
    approve_for, parameter, straks, COMPANY_AGREEMENT, PAYEE_ACCOUNT, PAYER, PAYER_ACCOUNT, REDIRECT_URI,
    STRAKS,
};

/// How a TPP reads: as which PSU, under which session.
struct Reader {
    psu_id: String,
    corporate_id: Option<String>,
    session: String,
}

impl Reader {
    /// A consent under a session, approved.
    fn consented(recorder: &mut Recorder, session: &str, answer: &ScaAnswer) -> Self {
        let draft = Draft::new("POST", "/v1/bank-offered-consents")
            .with("TPP-Redirect-URI", REDIRECT_URI)
            .with("TPP-Session-ID", session);
        let started = recorder.send("startBankOfferedConsent", draft);
        let callback = recorder.authorise("consent", &started.sca_link().unwrap(), answer).unwrap();
        Self {
            psu_id: parameter(&callback, "psu-id").unwrap(),
            corporate_id: parameter(&callback, "psu-corporate-id"),
            session: session.to_owned(),
        }
    }

    fn get(&self, recorder: &mut Recorder, target: &str) -> Answer {
        let draft = self.draft(target).with("PSU-IP-Address", "192.0.2.1");
        recorder.send("with the PSU", draft)
    }

    fn get_alone(&self, recorder: &mut Recorder, target: &str) -> Answer {
        recorder.send("without the PSU", self.draft(target))
    }

    fn draft(&self, target: &str) -> Draft {
        let draft = Draft::new("GET", target)
            .with("x-accept-fix", "")
            .with("TPP-Redirect-URI", REDIRECT_URI)
            .with("TPP-Session-ID", &self.session)
            .with("PSU-ID", &self.psu_id);
        match &self.corporate_id {
            Some(id) => draft.with("PSU-Corporate-ID", id),
            None => draft,
        }
    }
}

/// The path of the first item of a list.
fn first(answer: &Answer, list: &str) -> String {
    let id = answer.json().pointer(&format!("/{list}/0/resourceId")).and_then(Value::as_str).unwrap();
    let below = if list == "accounts" { "accounts" } else { "card-accounts" };
    format!("/v1/{below}/{id}")
}

pub(crate) fn recorded(mut recorder: Recorder) -> Vec<String> {
    fill(&mut recorder);
    let reader = Reader::consented(&mut recorder, "first", &ScaAnswer::approve(PAYER));
    let account = first(&reader.get(&mut recorder, "/v1/accounts?withBalance=true"), "accounts");
    let card = first(&reader.get(&mut recorder, "/v1/card-accounts"), "cardAccounts");
    follow_pages(&mut recorder, &reader, &account);
    follow_pages(&mut recorder, &reader, &card);
    queries(&mut recorder, &reader, &account);
    queries(&mut recorder, &reader, &card);
    use_up(&mut recorder, &reader, &account, &card);
    sessions(&mut recorder, &reader, &account);
    contexts(&mut recorder);
    age(&mut recorder, &reader, &account);
    recorder.into_blocks()
}

/// Transactions of some months on an account and on a card, and payments of the day.
fn fill(recorder: &mut Recorder) {
    let list = recorder.send("accounts", Draft::new("GET", "/v1/sandbox/accounts"));
    let account = id_of(&list, PAYER_ACCOUNT);
    let cards = recorder.send("cards", Draft::new("GET", "/v1/sandbox/card-accounts"));
    let card = cards.text.find("enc!!").map(|at| cards.text[at..at + 29].to_owned()).unwrap();
    let examples: Vec<Value> = ["createMockTransactions", "createMockCardTransactions"]
        .map(|wanted| crate::sandbox_examples::EXAMPLES.iter().find(|(name, _)| *name == wanted).unwrap().1)
        .map(|text| serde_json::from_str::<Value>(text).unwrap()[0].clone())
        .to_vec();
    for (place, path) in [format!("accounts/{account}"), format!("card-accounts/{card}")].iter().enumerate() {
        let mut transactions = Vec::new();
        for number in 0..30_usize {
            let mut transaction = examples[place].clone();
            let day = format!("2026-{:02}-{:02}", 2 + number / 5, 1 + number % 28);
            for member in ["bookingDate", "valueDate"] {
                transaction[member] = day.as_str().into();
            }
            let sum = 10 + recorder.dice.below(900);
            match place {
                0 => transaction["amount"] = json!(sum),
                _ => transaction["transactionAmount"]["amount"] = json!(sum),
            }
            transactions.push(transaction);
        }
        let draft = Draft::new("POST", &format!("/v1/sandbox/{path}/transactions"));
        let body = Value::Array(transactions).to_string().into_bytes();
        recorder.send("fill", Draft { body, ..draft.with("Content-Type", "application/json") });
    }
    for amount in ["1.00", "2.50", "99.99"] {
        let mut order = straks();
        order["instructedAmount"]["amount"] = amount.into();
        let created = recorder.send("createPayment", Draft::creation(STRAKS, &order));
        recorder.authorise("payment", &created.sca_link().unwrap(), &ScaAnswer::approve(PAYER));
    }
}

/// The id beside an account number.
fn id_of(list: &Answer, bban: &str) -> String {
    let items =
        list.json().as_array().or_else(|| list.json().as_object()?.values().next()?.as_array()).unwrap();
    let item = items.iter().find(|item| item.to_string().contains(bban)).unwrap().to_string();
    item.find("enc!!").map(|at| item[at..at + 29].to_owned()).unwrap()
}

/// From page to page by the links of the answers.
fn follow_pages(recorder: &mut Recorder, reader: &Reader, path: &str) {
    for limit in [1, 7, 20] {
        let mut next = format!("{path}/transactions?bookingStatus=both&limit={limit}&dateFrom=2026-06-05");
        for _ in 0..6 {
            let answer = reader.get(recorder, &next);
            let link =
                ["/_links/next/href", "/transactions/_links/next/href", "/cardTransactions/_links/next/href"]
                    .into_iter()
                    .map(|pointer| answer.at(pointer))
                    .find(|link| !link.is_empty());
            match link {
                Some(link) => next = path_of(link).to_owned(),
                None => break,
            }
        }
    }
}

fn queries(recorder: &mut Recorder, reader: &Reader, path: &str) {
    for status in ["booked", "pending", "both", "all", "none"] {
        for more in [
            "",
            "&dateFrom=2026-08-01",
            "&dateFrom=2026-06-01&dateTo=2026-06-30",
            "&dateTo=2026-07-01",
            "&dateFrom=2026-08-02&dateTo=2026-08-01",
            "&offset=29&limit=3",
            "&offset=1000",
            "&limit=0",
            "&limit=2&dateFrom=2026-07-01",
            "&limit=2&limit=2",
        ] {
            reader.get(recorder, &format!("{path}/transactions?bookingStatus={status}{more}"));
        }
    }
    reader.get(recorder, path);
    reader.get(recorder, &format!("{path}?withBalance=true"));
    reader.get(recorder, &format!("{path}/balances"));
    reader.get(recorder, &format!("{path}/transactions"));
}

/// Four reads without the PSU, a fifth that is refused, and the next day.
fn use_up(recorder: &mut Recorder, reader: &Reader, account: &str, card: &str) {
    let list = format!("{account}/transactions?bookingStatus=booked&dateFrom=2026-08-25");
    let found = reader.get(recorder, &list);
    let id = found.json().pointer("/transactions/booked/0/transactionId").and_then(Value::as_str).unwrap();
    let detail = format!("{account}/transactions/{id}");
    let of_card = format!("{card}/transactions?bookingStatus=both");
    for _ in 0..2 {
        for target in [&list, &detail, &of_card] {
            for _ in 0..5 {
                reader.get_alone(recorder, target);
            }
            reader.get(recorder, target);
        }
        reader.get_alone(recorder, account);
        reader.get_alone(recorder, "/v1/accounts");
        recorder.advance(24 * 60);
    }
}

/// A session of an hour, replaced by a newer one.
fn sessions(recorder: &mut Recorder, reader: &Reader, account: &str) {
    let long_ago = format!("{account}/transactions?bookingStatus=booked&dateFrom=2020-01-01");
    let second = Reader::consented(recorder, "second", &ScaAnswer::approve(PAYER));
    for minutes in [0, 59, 1, 1, 600] {
        recorder.advance(minutes);
        second.get(recorder, &long_ago);
        second.get(recorder, "/v1/accounts");
        reader.get(recorder, "/v1/accounts");
        reader.get_alone(recorder, "/v1/accounts");
    }
}

/// The same person in private and for a company.
fn contexts(recorder: &mut Recorder) {
    let company = Reader::consented(recorder, "company", &approve_for(COMPANY_AGREEMENT));
    let private = Reader::consented(recorder, "private", &ScaAnswer::approve(crate::world::PROXY));
    let some = ScaAnswer {
        accounts: Some(vec![PAYEE_ACCOUNT.to_owned()]),
        ..ScaAnswer::approve(crate::world::PAYEE)
    };
    let payee = Reader::consented(recorder, "payee", &some);
    for reader in [&company, &private, &payee] {
        for target in ["/v1/accounts", "/v1/card-accounts", "/v1/agreements", "/v1/user"] {
            reader.get(recorder, target);
            reader.get_alone(recorder, target);
        }
    }
    for (one, other) in [(&company, &private), (&private, &payee), (&payee, &company)] {
        let mixed = Reader {
            psu_id: one.psu_id.clone(),
            corporate_id: other.corporate_id.clone(),
            session: other.session.clone(),
        };
        mixed.get(recorder, "/v1/accounts");
        mixed.get_alone(recorder, "/v1/accounts");
    }
}

/// 91 days and 181 days after a consent.
fn age(recorder: &mut Recorder, reader: &Reader, account: &str) {
    let list = format!("{account}/transactions?bookingStatus=booked");
    let details = reader.get(recorder, &list);
    let id = details.at("/transactions/booked/0/transactionId").to_owned();
    for days in [30, 59, 1, 1, 88, 1, 1, 1] {
        recorder.advance(days * 24 * 60);
        let without_session =
            Reader { psu_id: reader.psu_id.clone(), corporate_id: None, session: "first".into() };
        without_session.get_alone(recorder, &format!("{account}/transactions/{id}"));
        without_session.get_alone(recorder, &list);
        recorder.send("no session", reader.draft("/v1/accounts").without("TPP-Session-ID"));
        recorder.send("no session", reader.draft(&list).without("TPP-Session-ID"));
        reader.get(recorder, "/v1/card-accounts");
    }
    let again = Reader::consented(recorder, "renewed", &ScaAnswer::approve(PAYER));
    again.get(recorder, "/v1/accounts?withBalance=true");
    again.get(recorder, &list);
}
