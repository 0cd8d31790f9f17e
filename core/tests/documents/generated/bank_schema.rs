//! The questions to a bank and their answers in JSON Schema, from the tables of `core/src/json_bank` and, for the
//! members of an order, from those of the OpenAPI document.

use std::collections::BTreeSet;

use serde_json::{json, Map, Value};
use xs2a::bank::PaymentStatus;
use xs2a::internal::{document, MemberRow, Shape};
use xs2a::json_bank::BankMethod;
use xs2a::policy::Environment;
use xs2a::types::Machine;

/// What an answer to a payment's details has beside the members of its order.
const NOT_OF_AN_ORDER: [&str; 7] = [
    "paymentId",
    "transactionStatus",
    "fundsAvailable",
    "psuMessage",
    "tppMessages",
    "transactionFees",
    "_links",
];

pub(crate) fn page() -> String {
    let definitions = definitions();
    let methods: Vec<_> = BankMethod::ALL.iter().map(|method| method.name()).collect();
    let of_method = |method: &BankMethod| {
        let name = method.name();
        json!({
            "if": {"properties": {"method": {"const": name}}},
            "then": {"properties": {"question": reference(&format!("{name}_question")),
                                    "answer": reference(&format!("{name}_answer"))}},
        })
    };
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A question of an xs2a engine to the bank behind it, with its answer",
        "$comment": "Printed from core/src/json_bank by core/tests/documents/generated.rs; do not edit.",
        "description": "Each question and each answer is a definition of its own. That an answer repeats what it \
            was asked, that an amount has the fraction digits of its currency, and that an IBAN is valid cannot be \
            expressed here: check_bank_answer() tests that too.",
        "type": "object",
        "required": ["method", "question", "answer"],
        "additionalProperties": false,
        "properties": {"method": {"enum": methods}, "question": true, "answer": true},
        "allOf": BankMethod::ALL.iter().map(of_method).collect::<Vec<_>>(),
        "$defs": definitions,
    });
    serde_json::to_string_pretty(&schema).expect("JSON") + "\n"
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

fn definitions() -> Map<String, Value> {
    let mut definitions = of_an_order();
    for shape in BankMethod::objects() {
        definitions.insert(shape.name.to_owned(), object(&shape.members, is_answer(&shape)));
    }
    for method in BankMethod::ALL {
        definitions.insert(format!("{method}_question"), question(*method));
        definitions.insert(format!("{method}_answer"), answer(*method));
    }
    definitions
}

/// Objects of questions have what the engine writes; a member that is absent is never null.
fn is_answer(shape: &Shape) -> bool {
    !matches!(shape.name, "psu" | "client")
}

fn question(method: BankMethod) -> Value {
    let mut schema = object(&method.question(), false);
    let properties = schema["properties"].as_object_mut().expect("an object");
    properties
        .insert("traceparent".to_owned(), json!({"type": "string", "description": "of the call that asks"}));
    properties.insert(
        "correlationId".to_owned(),
        json!({"type": "string", "minLength": 1, "maxLength": 64, "description": "of the call that asks"}),
    );
    schema["description"] = json!(method.meaning().trim());
    schema
}

fn answer(method: BankMethod) -> Value {
    let answer = method.answer();
    let asked = method.question();
    let mut members = answer.members.clone();
    for name in method.repeated() {
        if members.iter().all(|member| member.name != *name) {
            members.extend(asked.iter().filter(|member| member.name == *name).cloned());
        }
    }
    let mut schema = object(&members, true);
    if method == BankMethod::CancelPayment {
        // A cancelled payment has no other status; one that is too late to cancel has one.
        let (given, absent) = (json!({"type": "string"}), json!({"type": "null"}));
        schema["if"] = json!({"properties": {"cancelled": {"const": true}}});
        schema["then"] = json!({"properties": {"transactionStatus": absent, "fundsAvailable": absent}});
        schema["else"] =
            json!({"required": ["transactionStatus"], "properties": {"transactionStatus": given}});
    }
    match method.null() {
        Some(meaning) => json!({"anyOf": [schema, {"type": "null", "description": meaning}]}),
        None => schema,
    }
}

fn object(members: &[MemberRow], is_answer: bool) -> Value {
    let required: Vec<_> =
        members.iter().filter(|member| member.is_required).map(|member| member.name).collect();
    let property = |member: &MemberRow| {
        let mut schema = form(&member.form);
        if is_answer && !member.is_required {
            schema = json!({"anyOf": [schema, {"type": "null"}]});
        }
        schema["description"] = json!(member.meaning);
        (member.name.to_owned(), schema)
    };
    let properties: Map<_, _> = members.iter().map(property).collect();
    json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties})
}

/// The schema of a form, as the tables name it. A form that is not here fails the test.
fn form(form: &str) -> Value {
    if let Some(item) = form.strip_prefix("a list, each ") {
        return json!({"type": "array", "items": self::form(item)});
    }
    if let Some(money) = form.strip_prefix("`{amount, currency}`") {
        return reference(if money.ends_with("not negative") { "charge" } else { "money" });
    }
    if let Some((name, _)) = form.strip_prefix('[').and_then(|form| form.split_once(']')) {
        return reference(&name.replace(' ', "-"));
    }
    if let Some(range) = form.strip_prefix("a text of ").and_then(|form| form.split_once(" characters")) {
        let (range, rest) = range;
        let (from, to) = range.split_once(" to ").expect("a range");
        let number = |text: &str| text.parse::<u32>().expect("a number");
        let mut schema = json!({"type": "string", "minLength": number(from), "maxLength": number(to)});
        if rest == " without U+0000" {
            schema["pattern"] = json!("^[^\\u0000]*$");
        }
        return schema;
    }
    match form {
        "a text" | "an IP address" => json!({"type": "string"}),
        "a UUID" => json!({"type": "string", "format": "uuid"}),
        "a port" => json!({"type": "integer", "minimum": 0, "maximum": 65535}),
        "`true` or `false`" | "a boolean" => json!({"type": "boolean"}),
        "11 digits" => json!({"type": "string", "pattern": "^[0-9]{11}$"}),
        "an id" | "an id of 1 to 64 letters, digits, `!`, `=`, `-`, `_`" => {
            json!({"type": "string", "pattern": "^[0-9A-Za-z!=_-]{1,64}$"})
        }
        "an account number" | "an account number of 1 to 30 letters and digits" => {
            json!({"type": "string", "pattern": "^[. ]*([0-9A-Za-z][. ]*){1,30}$"})
        }
        "an IBAN" => {
            json!({"type": "string", "pattern": "^ *[A-Za-z] *[A-Za-z]( *[0-9]){2}( *[0-9A-Za-z]){1,30} *$"})
        }
        "a BIC" => json!({"type": "string", "pattern": "^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?$"}),
        "a currency's code" => reference("CurrencyCode"),
        "a day `YYYY-MM-DD`" => {
            json!({"type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"})
        }
        "a time by RFC 3339 in UTC, with 0, 3, 6 or 9 digits of a second" => {
            json!({"type": "string", "format": "date-time", "pattern": "Z$"})
        }
        "a positive decimal number as text" => {
            json!({"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?$", "not": {"pattern": "^[0.]*$"}})
        }
        "a whole number" | "a whole number, not negative" => json!({"type": "integer", "minimum": 0}),
        "a whole number from 0 to 255" => json!({"type": "integer", "minimum": 0, "maximum": 255}),
        "a card number of 1 to 35 characters, at most 12 of them digits" => {
            json!({"type": "string", "minLength": 1, "maxLength": 35, "pattern": "^[^0-9]*([0-9][^0-9]*){0,12}$"})
        }
        "service and product, as in the path" => json!({"type": "string", "pattern": "^[a-z-]+/[a-z-]+$"}),
        "a `transactionStatus`" => {
            let statuses: Vec<_> = PaymentStatus::STATES.iter().map(|status| status.as_str()).collect();
            json!({"type": "string", "enum": statuses})
        }
        "`10` or `11`" => json!({"type": "integer", "enum": [10, 11]}),
        choices if choices.starts_with('`') => {
            let choices: Vec<_> = choices.split('`').skip(1).step_by(2).collect();
            json!({"type": "string", "enum": choices})
        }
        other => panic!("the schema of a bank does not have the form {other:?}"),
    }
}

/// The definitions of an order, of an account reference and of money, with those that they refer to.
fn of_an_order() -> Map<String, Value> {
    let openapi = serde_json::to_value(document(Environment::Production, "")).expect("JSON");
    let schemas = &openapi["components"]["schemas"];
    let mut order = schemas["Payment"].clone();
    let properties = order["properties"].as_object_mut().expect("an object");
    properties.retain(|name, _| !NOT_OF_AN_ORDER.contains(&name.as_str()));
    order["required"] = json!([]);
    order["description"] =
        json!("The body of the payment, as it was understood: docs/bodies.md, docs/bank.md.");
    let mut definitions = Map::new();
    definitions.insert("order".to_owned(), order);
    definitions.insert("account-reference".to_owned(), schemas["PaymentAccount"].clone());
    definitions.insert("money".to_owned(), money("^-?(0|[1-9][0-9]{0,17})(\\.[0-9]{1,5})?$"));
    definitions.insert("charge".to_owned(), money("^(-0(\\.0{1,5})?|(0|[1-9][0-9]{0,17})(\\.[0-9]{1,5})?)$"));
    definitions.insert("CurrencyCode".to_owned(), schemas["CurrencyCode"].clone());
    // What they refer to, and what that refers to.
    loop {
        let all = Value::Object(definitions.clone()).to_string();
        let missing: BTreeSet<_> = all
            .split("#/components/schemas/")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .filter(|name| !definitions.contains_key(*name))
            .map(str::to_owned)
            .collect();
        if missing.is_empty() {
            let text = all.replace("#/components/schemas/", "#/$defs/");
            return serde_json::from_str(&text).expect("JSON");
        }
        definitions.extend(missing.into_iter().map(|name| {
            let schema = schemas[&name].clone();
            (name, schema)
        }));
    }
}

fn money(pattern: &str) -> Value {
    json!({
        "type": "object", "additionalProperties": false, "required": ["amount", "currency"],
        "properties": {"amount": {"type": "string", "pattern": pattern}, "currency": reference("CurrencyCode")},
        "description": "The amount in exactly the currency's minor units.",
    })
}
