//! Bodies of payments: one member changed at a time for each product, several at once, and what is no JSON.

use serde_json::Value;

use crate::orders::{full, plain, pointers, replaced_at, replacements, PRODUCTS};
use crate::recorder::Recorder;
use crate::world::draft::Draft;
use crate::world::products::{BULK, INSTANT, PLAIN_CROSS_BORDER};
use crate::world::STRAKS;

/// Products whose rules are those of another one: a part of the changes is enough.
const SAMPLED: [&str; 3] = [INSTANT, STRAKS, PLAIN_CROSS_BORDER];

/// Each member of each product with each replacement.
pub(crate) fn one_member_each(mut recorder: Recorder) -> Vec<String> {
    for product in PRODUCTS {
        create(&mut recorder, product, "plain", &plain(product));
        let body = full(product);
        create(&mut recorder, product, "full", &body);
        for pointer in pointers(&body) {
            for value in replacements(&pointer, body.pointer(&pointer).unwrap()) {
                if !SAMPLED.contains(&product) || recorder.dice.one_in(4) {
                    let label = format!("{pointer} replaced");
                    create(&mut recorder, product, &label, &replaced_at(&body, &pointer, &value));
                }
            }
        }
    }
    recorder.into_blocks()
}

/// Two or three members at once, as often as asked for.
pub(crate) fn several_members(mut recorder: Recorder, times: usize) -> Vec<String> {
    for _ in 0..times {
        let product = recorder.dice.pick(&PRODUCTS);
        let mut body = if recorder.dice.one_in(3) { plain(product) } else { full(product) };
        for _ in 0..1 + recorder.dice.below(3) {
            body = with_a_change(&mut recorder, &body);
        }
        create(&mut recorder, product, "several members", &body);
    }
    recorder.into_blocks()
}

fn with_a_change(recorder: &mut Recorder, body: &Value) -> Value {
    let places = pointers(body);
    let Some(at) = recorder.dice.choose(&places).cloned() else { return body.clone() };
    let values = replacements(&at, body.pointer(&at).unwrap());
    let value = recorder.dice.choose(&values).unwrap();
    let changed = replaced_at(body, &at, value);
    match recorder.dice.below(8) {
        0 => replaced_at(&changed, "/unknownMember", &serde_json::json!("x")),
        1 if changed["creditorAddress"].is_object() => {
            replaced_at(&changed, "/creditorAddress/city", &serde_json::json!("Oslo"))
        }
        _ => changed,
    }
}

/// Bytes that are no JSON object of a payment, and members that occur twice or too deep.
pub(crate) fn no_json(mut recorder: Recorder) -> Vec<String> {
    let sound = plain(STRAKS).to_string();
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let mut bodies: Vec<Vec<u8>> =
        ["", " ", "null", "[]", "17", "\"text\"", "{", "{}", "{\"a\":}", "{\"a\":1,}"]
            .iter()
            .map(|text| text.as_bytes().to_vec())
            .collect();
    bodies.extend([
        deep.into_bytes(),
        format!("\u{feff}{sound}").into_bytes(),
        sound.replace("\"Oslo\"", "\"\\ud800\"").into_bytes(),
        sound.replace("\"Oslo\"", "1e999").into_bytes(),
        sound.replacen('{', "{\"creditorName\":\"a\",", 1).into_bytes(),
        sound.replacen('{', "{\"a\":{\"b\":1,\"b\":2},", 1).into_bytes(),
        format!("{sound} x").into_bytes(),
        format!("\n\t{sound}\r\n").into_bytes(),
        [&sound.as_bytes()[..20], &[0xFF, 0xFE]].concat(),
        vec![b' '; (1 << 20) + 1],
    ]);
    for _ in 0..60 {
        let mut bytes = sound.clone().into_bytes();
        let at = recorder.dice.below(bytes.len());
        match recorder.dice.below(3) {
            0 => drop(bytes.remove(at)),
            1 => bytes.truncate(at),
            _ => bytes.insert(at, *recorder.dice.choose(b"{}[],:\"\\0a\x01\xC3").unwrap()),
        }
        bodies.push(bytes);
    }
    for body in bodies {
        for product in [STRAKS, BULK] {
            if product == STRAKS || body.len() < 40 {
                let draft =
                    Draft::raw_creation(&format!("{product}?allowLogicalDuplicate=true"), body.clone());
                recorder.send("no sound JSON", draft);
            }
        }
    }
    recorder.into_blocks()
}

fn create(recorder: &mut Recorder, product: &str, label: &str, body: &Value) {
    let draft = Draft::creation(&format!("{product}?allowLogicalDuplicate=true"), body);
    let draft = if recorder.dice.one_in(4) { draft.with("Accept-Language", "nb") } else { draft };
    recorder.send(label, draft);
}
