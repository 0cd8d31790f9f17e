//! Changes of a request: of bytes, of headers, and of the members of a JSON body.

use arbitrary::Arbitrary;
use serde_json::{json, Value};

use super::call::Call;

/// A change of one part of a request. Numbers are taken modulo what there is.
#[derive(Debug, Arbitrary)]
pub enum Change {
    /// A value of the JSON body becomes one of [`strange`].
    Value(u8, u8),
    /// A member of an object of the JSON body is removed.
    RemoveMember(u8),
    /// An object of the JSON body gets a member.
    AddMember(u8, u8),
    /// A byte of the body.
    BodyByte(u16, u8),
    /// The body ends earlier.
    CutBody(u16),
    /// A byte of the target.
    TargetByte(u8, u8),
    /// A query.
    Query(u8),
    /// A byte of a header's value.
    HeaderByte(u8, u8, u8),
    /// A header's value becomes one of [`HEADER_VALUES`].
    HeaderValue(u8, u8),
    /// A header is removed.
    RemoveHeader(u8),
    /// A header is sent twice.
    RepeatHeader(u8),
}

const QUERIES: [&str; 6] = [
    "?allowLogicalDuplicate=true",
    "?allowLogicalDuplicate=yes",
    "?withBalance=true",
    "?bookingStatus=both&dateFrom=2026-01-01",
    "?bookingStatus=booked&limit=0&offset=18446744073709551615",
    "?%",
];

const HEADER_VALUES: [&str; 10] = [
    "",
    " ",
    "true",
    "CORPORATE",
    "https://tpp.example/\u{e6}",
    "=?utf-8?B?w6Y=?=",
    "192.0.2.300",
    "00000000-0000-0000-0000-000000000000",
    "Tue, 01 Sep 2026 10:02:01 GMT",
    "*/*;q=0",
];

const MEMBERS: [&str; 8] = [
    "requestedExecutionDate",
    "endToEndIdentification",
    "remittanceInformationStructured",
    "creditorAgent",
    "debtorName",
    "amount",
    "currency",
    "",
];

/// Values that no member expects, and values that some members do.
fn strange() -> Vec<Value> {
    let mut values =
        vec![json!(null), json!(true), json!(0), json!(-1), json!(1e300), json!([]), json!({}), json!([[]])];
    let texts = [
        "",
        " ",
        "\u{0}",
        "\u{1f600}",
        "\u{202e}",
        "0.00",
        "-1.00",
        "0.01",
        "100.001",
        "1e3",
        "99999999999999.99",
        "NOK",
        "EUR",
        "JPY",
        "XXX",
        "2026-02-30",
        "2026-09-01",
        "2026-09-05",
        "9999-12-31",
        "95360573002",
        "95360573010",
        "95360573037",
        "95360573003",
        "DE89370400440532013000",
        "DEUTDEFF",
        "Monthly",
        "NO",
        "no",
    ];
    values.extend(texts.map(Value::from));
    values.push("\u{e6}".repeat(150).into());
    values
}

impl Change {
    pub(super) fn apply(&self, call: &mut Call) {
        match *self {
            Self::Value(place, value) => change_json(call, |body| {
                let values = strange();
                let chosen = values[usize::from(value) % values.len()].clone();
                if let Some(found) = nth(body, &mut place.into()) {
                    *found = chosen;
                }
            }),
            Self::RemoveMember(place) => change_json(call, |body| {
                if let Some(Value::Object(members)) = nth_object(body, usize::from(place) / 8) {
                    let name = members.keys().nth(usize::from(place) % members.len().max(1)).cloned();
                    name.map(|name| members.remove(&name));
                }
            }),
            Self::AddMember(place, member) => change_json(call, |body| {
                let values = strange();
                let name = MEMBERS[usize::from(member) % MEMBERS.len()];
                if let Some(Value::Object(members)) = nth_object(body, usize::from(place) % 4) {
                    members.insert(name.to_owned(), values[usize::from(place) % values.len()].clone());
                }
            }),
            Self::BodyByte(at, byte) => set_byte(&mut call.body, at.into(), byte),
            Self::CutBody(at) => call.body.truncate(at.into()),
            Self::TargetByte(at, byte) => {
                let mut target = call.target.clone().into_bytes();
                set_byte(&mut target, at.into(), byte);
                call.target = String::from_utf8_lossy(&target).into_owned();
            }
            Self::Query(query) => call.target.push_str(QUERIES[usize::from(query) % QUERIES.len()]),
            Self::HeaderByte(header, at, byte) => {
                with_header(call, header, |value| set_byte(value, at.into(), byte));
            }
            Self::HeaderValue(header, value) => {
                let chosen = HEADER_VALUES[usize::from(value) % HEADER_VALUES.len()];
                with_header(call, header, |value| *value = chosen.as_bytes().to_vec());
            }
            Self::RemoveHeader(header) => {
                if let Some(place) = place(call, header) {
                    call.headers.remove(place);
                }
            }
            Self::RepeatHeader(header) => {
                let repeated = place(call, header).map(|place| call.headers[place].clone());
                call.headers.extend(repeated);
            }
        }
    }
}

fn set_byte(bytes: &mut [u8], at: usize, byte: u8) {
    let length = bytes.len();
    if let Some(found) = bytes.get_mut(at % length.max(1)) {
        *found = byte;
    }
}

fn place(call: &Call, header: u8) -> Option<usize> {
    usize::from(header).checked_rem(call.headers.len())
}

fn with_header(call: &mut Call, header: u8, change: impl FnOnce(&mut Vec<u8>)) {
    if let Some(place) = place(call, header) {
        change(&mut call.headers[place].1);
    }
}

fn change_json(call: &mut Call, change: impl FnOnce(&mut Value)) {
    if let Ok(mut body) = serde_json::from_slice(&call.body) {
        change(&mut body);
        call.body = body.to_string().into_bytes();
    }
}

/// The n-th value of a tree, the root first.
fn nth<'v>(value: &'v mut Value, left: &mut usize) -> Option<&'v mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Object(members) => members.values_mut().find_map(|member| nth(member, left)),
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, left)),
        _ => None,
    }
}

/// The n-th object that is a direct part of the root; the root itself if there are not so many.
fn nth_object(value: &mut Value, n: usize) -> Option<&mut Value> {
    let inner = value.as_object()?.iter().filter(|(_, member)| member.is_object()).nth(n);
    match inner.map(|(name, _)| name.clone()) {
        Some(name) => value.get_mut(&name),
        None => Some(value),
    }
}
