//! The pages of the SCA site, as a browser asks for them: each kind of request, each person, each language.

use crate::orders::plain;
use crate::recorder::{path_of, Answer, Recorder};
use crate::world::baskets::BASKETS;
use crate::world::draft::Draft;
use crate::world::products::{BULK, DOMESTIC, PERIODIC};
use crate::world::{
    parameter, straks, COMPANY_ACCOUNT, CROSS_BORDER, PAYEE, PAYER, PROXY, REDIRECT_URI, STRAKS,
};

const LANGUAGES: [&str; 4] = ["en", "nb", "nn;q=0.5, en;q=0.1", "de"];
const PEOPLE: [&str; 4] = [PAYER, PROXY, PAYEE, "00000000000"];

/// Makes what a PSU is to approve, and returns its link.
type MakeLink = fn(&mut Recorder) -> Option<String>;

/// What the PSU is asked for: a new link for each.
const KINDS: [(&str, MakeLink); 9] = [
    ("payment", |recorder| create(recorder, STRAKS, "PRIVATE")),
    ("payment of a company", |recorder| create(recorder, STRAKS, "CORPORATE")),
    ("domestic payment", |recorder| create(recorder, DOMESTIC, "PRIVATE")),
    ("payment abroad", |recorder| create(recorder, CROSS_BORDER, "PRIVATE")),
    ("periodic payment", |recorder| create(recorder, PERIODIC, "PRIVATE")),
    ("bulk", |recorder| create(recorder, BULK, "PRIVATE")),
    ("consent", consent),
    ("cancellation", cancellation),
    ("basket", basket),
];

fn create(recorder: &mut Recorder, product: &str, context: &str) -> Option<String> {
    let mut body = plain(product);
    if context == "CORPORATE" {
        body["debtorAccount"]["bban"] = COMPANY_ACCOUNT.into();
    }
    let draft = Draft::creation(&format!("{product}?allowLogicalDuplicate=true"), &body);
    recorder.send("createPayment", draft.with("PSU-Context", context)).sca_link()
}

fn consent(recorder: &mut Recorder) -> Option<String> {
    let draft = Draft::new("POST", "/v1/bank-offered-consents")
        .with("TPP-Redirect-URI", REDIRECT_URI)
        .with("TPP-Session-ID", "session-1");
    recorder.send("startBankOfferedConsent", draft).sca_link()
}

fn with_headers(method: &str, target: &str) -> Draft {
    let draft = Draft::creation(target, &serde_json::Value::Null).without("Content-Type");
    Draft { method: method.to_owned(), body: Vec::new(), ..draft }
}

/// The cancellation of a payment that is authorised and waits for its day.
fn cancellation(recorder: &mut Recorder) -> Option<String> {
    let mut body = straks();
    body["requestedExecutionDate"] = "2026-12-01".into();
    let target = format!("{DOMESTIC}?allowLogicalDuplicate=true");
    let created = recorder.send("createPayment", Draft::creation(&target, &body));
    recorder.authorise("approve", &created.sca_link()?, &xs2a::ScaAnswer::approve(PAYER));
    let target = format!("{}/cancellation-authorisations", created.link("self"));
    recorder.send("startCancellationAuthorisation", with_headers("POST", &target)).sca_link()
}

/// The authorisation of a basket of two payments.
fn basket(recorder: &mut Recorder) -> Option<String> {
    let psu_id = psu_id(recorder)?;
    let named = |draft: Draft| draft.without("PSU-Context").with("PSU-ID", &psu_id);
    let mut ids = Vec::new();
    for _ in 0..2 {
        let draft = Draft::creation(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks());
        ids.push(recorder.send("createPayment", named(draft)).at("/paymentId").to_owned());
    }
    let draft = Draft::creation(BASKETS, &serde_json::json!({ "paymentIds": ids }));
    let created = recorder.send("createSigningBasket", named(draft));
    let target = format!("{}/authorisations", created.link("self"));
    recorder.send("startSigningBasketAuthorisation", named(with_headers("POST", &target))).sca_link()
}

fn psu_id(recorder: &mut Recorder) -> Option<String> {
    let link = create(recorder, STRAKS, "PRIVATE")?;
    let callback = recorder.authorise("a first payment", &link, &xs2a::ScaAnswer::approve(PAYER))?;
    parameter(&callback, "psu-id")
}

/// A link in a browser of one language.
struct Browser {
    path: String,
    language: &'static str,
}

type Fields = Vec<(String, String)>;

impl Browser {
    fn draft(&self, method: &str) -> Draft {
        Draft::new(method, &self.path)
            .with("Host", "sca.bank.example")
            .with("Accept", "text/html")
            .with("Accept-Language", self.language)
    }

    fn get(&self, recorder: &mut Recorder) -> Answer {
        recorder.send_as_is("page", &self.draft("GET"))
    }

    fn post(&self, recorder: &mut Recorder, label: &str, fields: &Fields) -> Answer {
        let draft = self.draft("POST").with("Content-Type", "application/x-www-form-urlencoded");
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        recorder.send_as_is(label, &Draft { body: body.into_bytes(), ..draft })
    }
}

/// The inputs of a page of some type, by name and value.
fn inputs(page: &str, kind: &str) -> Fields {
    let tags = page.split("<input").skip(1).map(|rest| rest.split('>').next().unwrap());
    let of_kind = tags.filter(|tag| attribute(tag, "type").as_deref() == Some(kind));
    of_kind.filter_map(|tag| Some((attribute(tag, "name")?, attribute(tag, "value")?))).collect()
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let value = rest.split('"').next()?.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
    Some(value.replace("&amp;", "&"))
}

/// What a browser sends of a page: hidden fields, what was chosen, and the button.
fn filled_in(recorder: &mut Recorder, page: &str, action: &str) -> Fields {
    let mut fields = inputs(page, "hidden");
    let choices = inputs(page, "radio");
    fields.extend(recorder.dice.choose(&choices).cloned());
    let boxes = inputs(page, "checkbox");
    fields.extend(boxes.into_iter().filter(|_| !recorder.dice.one_in(4)));
    fields.push(("action".to_owned(), action.to_owned()));
    fields
}

/// Every kind of link, answered by every person in turn.
pub(crate) fn every_link(mut recorder: Recorder) -> Vec<String> {
    for (kind, make) in KINDS {
        for person in PEOPLE {
            let language = LANGUAGES[recorder.dice.below(LANGUAGES.len())];
            let Some(link) = make(&mut recorder) else { continue };
            recorder.note(kind, person);
            let browser = Browser { path: path_of(&link).to_owned(), language };
            answer(&mut recorder, &browser, person);
            browser.get(&mut recorder);
            if recorder.dice.one_in(2) {
                recorder.advance(11);
            }
        }
    }
    recorder.into_blocks()
}

/// The way through the pages: who it is, for whom, and whether to approve.
fn answer(recorder: &mut Recorder, browser: &Browser, person: &str) {
    let page = browser.get(recorder);
    let mut fields = filled_in(recorder, &page.text, "continue");
    fields.insert(2.min(fields.len()), ("customerNumber".to_owned(), person.to_owned()));
    let mut page = browser.post(recorder, "who", &fields);
    for _ in 0..3 {
        if page.status != 200 {
            break;
        }
        if recorder.dice.one_in(5) {
            let fields = filled_in(recorder, &page.text, "continue");
            let spoilt = spoil(recorder, fields);
            browser.post(recorder, "a field spoilt", &spoilt);
        }
        let action = if recorder.dice.one_in(5) { "cancel" } else { "continue" };
        let fields = filled_in(recorder, &page.text, action);
        page = browser.post(recorder, action, &fields);
    }
}

/// The fields with one of them left out, repeated, unknown or with another value.
fn spoil(recorder: &mut Recorder, fields: Fields) -> Fields {
    let mut fields = fields;
    let at = recorder.dice.below(fields.len());
    match recorder.dice.below(4) {
        0 => drop(fields.remove(at)),
        1 => fields.push(fields[at].clone()),
        2 => fields.push(("amount".to_owned(), "1".to_owned())),
        _ => fields[at].1 = recorder.dice.pick(&["", "x", "enc!!AAAAAAAAAAAAAAAAAAAAAAAA"]).to_owned(),
    }
    fields
}

/// Requests to the site that no browser of ours makes, and links that are old, used or unknown.
pub(crate) fn odd_requests(mut recorder: Recorder) -> Vec<String> {
    let link = create(&mut recorder, STRAKS, "PRIVATE").unwrap();
    let browser = Browser { path: path_of(&link).to_owned(), language: "en" };
    for method in ["HEAD", "PUT", "DELETE", "OPTIONS", "POST"] {
        recorder.send_as_is("method", &browser.draft(method));
    }
    let of_page: [(&str, &[&str]); 8] = [
        ("Accept", &["application/json", "*/*", "text/plain", ""]),
        ("Accept-Encoding", &["gzip", "br", "identity;q=0"]),
        ("Accept-Language", &["nb", "no", "fr, nb;q=0.2", "", "*"]),
        ("Host", &["", "other.example", "sca.bank.example:443"]),
        ("Origin", &["null", "https://sca.bank.example", "https://other.example", "http://sca.bank.example"]),
        ("Sec-Fetch-Site", &["same-origin", "cross-site", "none"]),
        (
            "Content-Type",
            &["application/json", "text/plain", "application/x-www-form-urlencoded; charset=utf-8"],
        ),
        ("Cookie", &["a=b"]),
    ];
    let page = browser.get(&mut recorder);
    let mut fields = inputs(&page.text, "hidden");
    fields.push(("customerNumber".to_owned(), PAYER.to_owned()));
    fields.push(("action".to_owned(), "continue".to_owned()));
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(&fields).finish();
    for (name, values) in of_page {
        for value in values {
            recorder.send_as_is(name, &browser.draft("GET").with(name, value));
            let draft = browser.draft("POST").with("Content-Type", "application/x-www-form-urlencoded");
            recorder.send_as_is(name, &Draft { body: body.clone().into_bytes(), ..draft.with(name, value) });
        }
    }
    for body in ["", "a", "a=b&a=b", "step=identify", "%zz=%zz", "step=identify&token=x&action=continue"] {
        let draft = browser.draft("POST").with("Content-Type", "application/x-www-form-urlencoded");
        recorder.send_as_is("form", &Draft { body: body.as_bytes().to_vec(), ..draft });
    }
    for path in [
        "/sca",
        "/sca/",
        "/sca/x",
        "/sca/enc!!AAAAAAAAAAAAAAAAAAAAAAAA",
        "/sca/a/b",
        "/%73ca/x",
        "/sca/x?y=1",
    ] {
        let other = Browser { path: path.to_owned(), language: "nb" };
        other.get(&mut recorder);
    }
    for number in [PAYER, PAYEE, "", "1303931995", "130393199555", "13039319955 ", "abc", PROXY] {
        for field in &mut fields {
            if field.0 == "customerNumber" {
                number.clone_into(&mut field.1);
            }
        }
        browser.post(&mut recorder, "customer number", &fields);
    }
    recorder.advance(10);
    browser.get(&mut recorder);
    browser.post(&mut recorder, "too late", &fields);
    recorder.into_blocks()
}
