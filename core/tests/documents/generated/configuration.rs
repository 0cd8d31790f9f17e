//! How an engine over a bank's own core is set up.

use serde_json::{json, Map, Value};
use xs2a::internal::{Form, Setting, POLICIES, SETTINGS};

use crate::generated::{heading, row};

pub(crate) fn page() -> String {
    let mut page = heading(
        "Configuration",
        "An engine over a bank's own core is set up by one JSON object (C: `xs2a_engine_new`; Python: the arguments\n\
         of `xs2a.Engine`; Rust: `EngineConfig::from_json`). An unknown key is refused, as is a value of another\n\
         type; null is as if the key were not there. Editors take [the schema](configuration.schema.json).\n\n\
         ```json\n\
         {\n  \"database\": \"sqlite:///var/lib/xs2a/gateway.db\",\n  \
         \"trust_anchors\": \"-----BEGIN CERTIFICATE-----\\n…\",\n  \
         \"policy\": {\"base_path\": \"/psd2\", \"sca_origin\": \"https://sca.bank.example\"}\n}\n\
         ```",
        "core/src/engine/setting.rs",
    );
    page.push_str("| key | value | default | |\n|---|---|---|---|\n");
    page.push_str(&SETTINGS.iter().map(setting).collect::<String>());
    page.push_str("\n## The keys of `policy`\n\nA sandbox takes them too.\n\n");
    page.push_str("| key | value | default | |\n|---|---|---|---|\n");
    page.push_str(&POLICIES.iter().map(setting).collect::<String>());
    page
}

fn setting(setting: &Setting) -> String {
    let default = match (setting.default, setting.in_sandbox) {
        (Some(default), Some(sandbox)) => format!("`{default}`; in the sandbox `{sandbox}`"),
        (Some(default), None) => format!("`{default}`"),
        (None, Some(sandbox)) => format!("of a sandbox alone: `{sandbox}`"),
        (None, None) => String::new(),
    };
    row(&[&format!("`{}`", setting.key), &setting.form.to_string(), &default, setting.meaning])
}

/// The same in JSON Schema. It cannot express that a member occurs once, that a file, a certificate or a key is valid,
/// that a day is in the calendar, and that a currency is supported.
pub(crate) fn schema() -> String {
    let mut schema = object(SETTINGS);
    let head = [
        ("$schema", json!("https://json-schema.org/draft/2020-12/schema")),
        ("title", json!("The configuration of an xs2a engine")),
        (
            "$comment",
            json!(
                "Printed from core/src/engine/setting.rs by core/tests/documents/generated.rs; do not edit."
            ),
        ),
        // A signer needs a key.
        ("if", signs()),
        ("then", json!({"required": ["response_key"], "properties": {"response_key": {"type": "object"}}})),
    ];
    let members = schema.as_object_mut().expect("an object");
    members.extend(head.map(|(name, value)| (name.to_owned(), value)));
    serde_json::to_string_pretty(&schema).expect("JSON") + "\n"
}

fn signs() -> Value {
    let properties = json!({"sign_responses": {"const": true}});
    let policy = json!({"type": "object", "required": ["sign_responses"], "properties": properties});
    json!({"required": ["policy"], "properties": {"policy": policy}})
}

fn object(settings: &[Setting]) -> Value {
    let property = |setting: &Setting| (setting.key.to_owned(), described(setting));
    let of_an_engine = settings.iter().filter(|setting| !setting.is_of_a_sandbox_alone());
    let properties: Map<_, _> = of_an_engine.map(property).collect();
    let required: Vec<_> =
        settings.iter().filter(|setting| setting.required).map(|setting| setting.key).collect();
    json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties})
}

fn described(setting: &Setting) -> Value {
    let mut schema = form(setting.form);
    if !setting.required {
        let kind = schema["type"].take();
        schema["type"] = json!([kind, "null"]);
        if let Some(choices) = schema.get_mut("enum").and_then(Value::as_array_mut) {
            choices.push(Value::Null);
        }
    }
    schema["description"] = json!(setting.meaning);
    if let Some(default) = setting.default {
        schema["default"] = serde_json::from_str(default).expect("a default is JSON");
    }
    schema
}

fn form(form: Form) -> Value {
    match form {
        Form::Text(_, pattern) => json!({"type": "string", "pattern": pattern}),
        Form::Whole(from, to) => json!({"type": "integer", "minimum": from, "maximum": to}),
        Form::Flag => json!({"type": "boolean"}),
        Form::OneOf(choices) => json!({"type": "string", "enum": choices}),
        Form::List(_, pattern) => json!({"type": "array", "items": {"type": "string", "pattern": pattern}}),
        Form::Members(_, required, optional) => {
            let names: Vec<_> = required.iter().map(|(name, _)| name).collect();
            let members = required.iter().chain(optional);
            let properties: Map<_, _> =
                members.map(|(name, member)| ((*name).to_owned(), self::form(*member))).collect();
            json!({"type": "object", "additionalProperties": false, "required": names, "properties": properties})
        }
        Form::Map(_, keys, values) => json!({
            "type": "object",
            "propertyNames": {"pattern": keys},
            "additionalProperties": {"type": "string", "pattern": values},
        }),
        Form::Policies => object(POLICIES),
    }
}
