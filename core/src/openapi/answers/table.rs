//! Of each operation: with which status it is answered, and with what body.

use super::answer_object::{self, AnswerObject};
#[cfg(feature = "sandbox")]
use super::mock;
use super::{account, card, payment, psu, refusals};
use crate::limits::{MESSAGE_TEXT_CHARS_MAX, TPP_MESSAGES_MAX};
use crate::operation::Operation;
use crate::policy::Environment;
use crate::reason::Reason;
use crate::wire::json::Json;
use crate::wire::schema::Schema;

/// One way in which an operation succeeds.
struct Answer {
    operation: &'static str,
    status: u16,
    body: Body,
    /// Headers beyond those of every answer.
    headers: &'static [&'static str],
}

/// What is in the body, by the name of its schema.
enum Body {
    Empty,
    One(&'static str),
    Array(&'static str),
}

macro_rules! answers {
    ($table:ident: $(
        $operation:literal $status:literal $count:ident $($schema:literal)? $(with $header:literal)*;
    )+) => {
        const $table: &[Answer] = &[ $( Answer {
            operation: $operation,
            status: $status,
            body: Body::$count $(($schema))?,
            headers: &[$($header),*],
        }, )+ ];
    };
}

answers! { ANSWERS:
    "createPayment" 201 One "CreatedPayment" with "Location";
    "getPayment" 200 One "Payment";
    "getPaymentStatus" 200 One "PaymentStatus";
    "startPaymentAuthorisation" 201 One "StartedAuthorisation";
    "cancelPayment" 202 One "CancellationNeedsSca";
    "cancelPayment" 204 Empty;
    "startCancellationAuthorisation" 201 One "StartedAuthorisation";
    "createSigningBasket" 201 One "SigningBasket" with "Location";
    "getSigningBasket" 200 One "SigningBasket";
    "getSigningBasketStatus" 200 One "SigningBasket";
    "deleteSigningBasket" 204 Empty;
    "startSigningBasketAuthorisation" 201 One "StartedAuthorisation";
    "getAccounts" 200 One "Accounts";
    "getAccount" 200 One "OneAccount";
    "getBalances" 200 One "AccountBalances";
    "getTransactions" 200 One "Transactions";
    "getTransactionDetails" 200 One "TransactionDetails";
    "getCardAccounts" 200 One "CardAccounts";
    "getCardAccount" 200 One "OneCardAccount";
    "getCardBalances" 200 One "CardAccountBalances";
    "getCardTransactions" 200 One "CardTransactions";
    "startBankOfferedConsent" 201 One "StartedSca";
    "startConsent" 201 One "StartedSca" with "Deprecation" with "Link";
    "getUser" 200 One "StartedSca";
    "getAgreements" 200 One "Agreements";
}

#[cfg(feature = "sandbox")]
answers! { SANDBOX_ANSWERS:
    "initializeSandbox" 201 One "MockCustomers";
    "createMockCustomer" 201 One "MockCustomer" with "Location";
    "getMockCustomers" 200 One "MockCustomers";
    "getMockCustomer" 200 One "MockCustomer";
    "deleteMockCustomer" 204 Empty;
    "createMockAgreement" 201 One "MockAgreement" with "Location";
    "getMockAgreements" 200 One "MockAgreements";
    "getMockAgreement" 200 One "MockAgreement";
    "deleteMockAgreement" 204 Empty;
    "createMockEngagement" 201 One "MockEngagement";
    "deleteMockEngagement" 204 Empty;
    "createMockAccount" 201 One "MockAccount" with "Location";
    "getMockAccounts" 200 One "MockAccounts";
    "getMockAccount" 200 One "MockAccount";
    "deleteMockAccount" 204 Empty;
    "setMockAccountBalances" 200 Array "MockBalance";
    "createMockTransactions" 201 Array "MockTransaction";
    "getMockTransactions" 200 Array "MockTransaction";
    "deleteMockTransactions" 204 Empty;
    "getMockTransaction" 200 One "MockTransaction";
    "createMockCardAccount" 201 One "MockCardAccount" with "Location";
    "getMockCardAccounts" 200 One "MockCardAccounts";
    "getMockCardAccount" 200 One "MockCardAccount";
    "deleteMockCardAccount" 204 Empty;
    "setMockCardAccountBalances" 200 Array "MockBalance";
    "createMockCardTransactions" 201 One "MockCardTransactions";
    "getMockCardTransactions" 200 One "MockCardTransactions";
}

/// Every answer of this library.
fn every_answer() -> impl Iterator<Item = &'static Answer> {
    #[cfg(feature = "sandbox")]
    return ANSWERS.iter().chain(SANDBOX_ANSWERS);
    #[cfg(not(feature = "sandbox"))]
    ANSWERS.iter()
}

/// The answers of an operation.
pub(in crate::openapi) fn of(operation: &Operation) -> Json<'static> {
    let answers = every_answer().filter(|answer| answer.operation == operation.name);
    let succeeding = answers.map(|answer| (answer.status.to_string(), answer.response()));
    let refusing = refusals::of(operation).into_iter().map(|(status, codes)| {
        let response = match status {
            429 => too_many(),
            _ => refused_with(&codes),
        };
        (status.to_string(), response)
    });
    let otherwise = Json::object([("$ref", "#/components/responses/Refused")]);
    Json::object(succeeding.chain(refusing).chain([("default".to_owned(), otherwise)]))
}

/// What every refusal is, with the codes that a status comes with.
fn refused_with(codes: &[&str]) -> Json<'static> {
    Json::object([
        ("$ref", Json::from("#/components/responses/Refused")),
        ("description", format!("It was refused: {}.", codes.join(", ")).into()),
    ])
}

impl Answer {
    fn response(&self) -> Json<'static> {
        let about = match self.status {
            201 => "It was created.",
            202 => "The PSU has to authorise it.",
            204 => "It was deleted.",
            _ => "The content is in the body.",
        };
        let body = match self.body {
            Body::Empty => None,
            Body::One(name) => Some(Schema::named(name)),
            Body::Array(name) => Some(Schema::each(Schema::named(name))),
        };
        response(about, self.headers, body)
    }
}

/// Of calls that are counted where the PSU does not take part.
fn too_many() -> Json<'static> {
    response(
        "It was refused: ACCESS_EXCEEDED, too often today without the PSU.",
        &["Retry-After"],
        Some(Schema::named("Refusal")),
    )
}

/// What every refusal is.
pub(in crate::openapi) fn refused() -> Json<'static> {
    response("It was refused: the messages say why.", &[], Some(Schema::named("Refusal")))
}

fn response(about: &'static str, headers: &[&'static str], body: Option<Schema>) -> Json<'static> {
    let in_every = ["Date", "X-Request-ID"].into_iter();
    let of_body = body.iter().map(|_| "Content-Language");
    let headers = in_every
        .chain(of_body)
        .chain(headers.iter().copied())
        .map(|name| (name, Json::object([("$ref", Json::from(format!("#/components/headers/{name}")))])));
    let mut members = vec![("description", Json::from(about)), ("headers", Json::object(headers))];
    if let Some(schema) = body {
        let content = Json::object([("schema", schema)]);
        members.push(("content", Json::object([("application/json", content)])));
    }
    Json::object(members)
}

/// Headers of answers.
pub(in crate::openapi) fn headers() -> Json<'static> {
    let header = |(name, about, schema): (&'static str, &'static str, Schema)| {
        (name, Json::object([("description", Json::from(about)), ("schema", schema.into())]))
    };
    Json::object(
        [
            ("Date", "When it was answered.", Schema::text()),
            ("X-Request-ID", "That of the request, where it is a UUID.", Schema::format("uuid")),
            ("Content-Language", "The language of the texts.", Schema::one_of(["en", "nb"])),
            ("Location", "The path of what was made.", Schema::text()),
            ("Deprecation", "Since when the path has a successor (RFC 9745).", Schema::text()),
            ("Link", "That successor.", Schema::text()),
            ("Retry-After", "Seconds until the count of calls starts again.", Schema::pattern("^[0-9]+$")),
        ]
        .map(header),
    )
}

/// Every schema that answers are made of, by its name.
pub(in crate::openapi) fn schemas(environment: Environment) -> Vec<(String, Schema)> {
    let mut objects = common();
    objects.extend(payment::schemas());
    objects.extend(psu::schemas());
    objects.extend(account::schemas());
    objects.extend(card::schemas());
    match environment {
        #[cfg(feature = "sandbox")]
        Environment::Sandbox => objects.extend(mock::schemas()),
        _ => {}
    }
    objects.into_iter().map(|object| (object.name.to_owned(), object.schema())).collect()
}

/// What all of them use.
fn common() -> Vec<AnswerObject> {
    vec![
        AnswerObject::object("Refusal", "Why a call was refused.")
            .always(
                "tppMessages",
                Schema::each(Schema::named("TppMessage")).of_items(1, TPP_MESSAGES_MAX),
                "",
            )
            .sometimes("_links", Schema::named("ScaLinks"), "Where an SCA cures it."),
        AnswerObject::object("TppMessage", "An error or a warning.")
            .always("category", Schema::one_of(["ERROR", "WARNING"]), "")
            .always("code", Schema::one_of(codes()), "What kind of fault it is.")
            .sometimes(
                "path",
                Schema::text(),
                "A JSON Pointer into the body, or the name of a header or parameter.",
            )
            .always("text", Schema::text_of(1, MESSAGE_TEXT_CHARS_MAX), "What to mend."),
        AnswerObject::object("Link", "Where something is.")
            .always(
                "href",
                Schema::text(),
                "Without a host, beginning with /v1/; that of scaRedirect is absolute.",
            )
            .always(
                "verbs",
                Schema::each(Schema::one_of(["GET", "PUT", "POST", "DELETE"])),
                "The methods it takes.",
            ),
        AnswerObject::object("ScaLinks", "The way to an SCA.").always(
            "scaRedirect",
            answer_object::link(),
            "Where to send the PSU.",
        ),
        AnswerObject::object("Money", "A sum of money.")
            .always(
                "amount",
                Schema::pattern("^-?(0|[1-9][0-9]*)(\\.[0-9]{1,5})?$"),
                "With the currency's fraction digits; negative where money was spent or is owed.",
            )
            .always("currency", answer_object::currency(), ""),
        AnswerObject::object("CurrencyExchange", "An exchange of currencies.")
            .always("sourceCurrency", answer_object::currency(), "The currency given.")
            .always(
                "exchangeRate",
                Schema::pattern("^[0-9]+(\\.[0-9]+)?$"),
                "What one unit is worth in the other currency.",
            )
            .always(
                "unitCurrency",
                answer_object::currency(),
                "The currency of which the rate prices one unit.",
            )
            .always("targetCurrency", answer_object::currency(), "The currency got.")
            .always("quotationDate", Schema::day(), "The day of the rate.")
            .sometimes("contractIdentification", Schema::text(), "The contract it was made under."),
    ]
}

/// The codes of all reasons, each once.
fn codes() -> Vec<&'static str> {
    let mut codes = Vec::new();
    for reason in Reason::ALL {
        if !codes.contains(&reason.code().as_str()) {
            codes.push(reason.code().as_str());
        }
    }
    codes
}

#[cfg(test)]
#[cfg(feature = "sandbox")]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::openapi::{bodies, document};
    use crate::operation::OPERATIONS;
    use crate::sandbox::management::OPERATIONS as SANDBOX_OPERATIONS;
    use crate::wire::json::write_text;

    #[test]
    fn every_operation_has_an_answer_and_every_answer_an_operation() {
        let answered: BTreeSet<_> = every_answer().map(|answer| answer.operation).collect();
        let rows: BTreeSet<_> = OPERATIONS.iter().chain(SANDBOX_OPERATIONS).map(|row| row.name).collect();
        assert_eq!(answered, rows);
    }

    #[test]
    fn every_schema_has_a_name_of_its_own_and_is_used() {
        for environment in [Environment::Sandbox, Environment::Production] {
            let schemas = [bodies::schemas(environment), schemas(environment)].concat();
            let names: BTreeSet<_> = schemas.iter().map(|(name, _)| name.clone()).collect();
            assert_eq!(names.len(), schemas.len());
            let text = write_text(&document(environment, "")).unwrap();
            let reference = "\"#/components/schemas/";
            let used: BTreeSet<_> = text
                .split(reference)
                .skip(1)
                .map(|rest| rest.split('"').next().unwrap().to_owned())
                .collect();
            assert_eq!(used, names);
        }
    }
}
