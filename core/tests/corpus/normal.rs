//! Replaces what depends on random numbers by its order of appearance: ids, UUIDs, form tokens,
//! signatures, and account numbers that the sandbox gives out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use xs2a::SandboxOptions;

use crate::world::{at, plain_headers, World};

/// What the ids of the engine and the sandbox begin with, and how many characters follow.
const ID_START: &str = "enc!!";
const ID_CHARS: usize = 24;
const UUID_CHARS: usize = 36;
/// What the account numbers that the sandbox gives out begin with.
const DRAWN_REGISTER: &str = "9999";
const BBAN_CHARS: usize = 11;
const IBAN_CHARS: usize = 15;

/// The ids that one sandbox has shown so far.
#[derive(Default)]
pub(crate) struct Normal {
    names: BTreeMap<String, String>,
}

impl Normal {
    /// The text with a name in the place of each id that is not one of the default data set.
    pub(crate) fn text(&mut self, text: &str) -> String {
        let mut written = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            match drawn_at(rest, &written) {
                Some(id) if default_ids().contains(id) => {
                    written.push_str(id);
                    rest = &rest[id.len()..];
                }
                Some(id) => {
                    written.push_str(&self.name(id));
                    rest = &rest[id.len()..];
                }
                None => {
                    written.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        written
    }

    /// Gives a value a name of its own choice, such as the id of the present request.
    pub(crate) fn set(&mut self, value: &str, name: &str) {
        self.names.insert(value.to_owned(), name.to_owned());
    }

    fn name(&mut self, id: &str) -> String {
        let id = id.to_owned();
        let next = self.names.len() + 1;
        self.names.entry(id).or_insert_with(|| format!("<id{next}>")).clone()
    }
}

/// The value that the text begins with, if it is one that was drawn at random.
fn drawn_at<'t>(text: &'t str, before: &str) -> Option<&'t str> {
    if let Some(id) = id_at(text) {
        return Some(id);
    }
    // Within a word nothing else begins. Most characters are, and there are millions.
    if before.as_bytes().last().is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    uuid_at(text).or_else(|| account_number_at(text)).or_else(|| token_at(text, before))
}

fn is_of_token(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_')
}

/// The id that the text begins with.
fn id_at(text: &str) -> Option<&str> {
    if !text.starts_with("enc") {
        return None;
    }
    let start = [ID_START, "enc%21%21"].into_iter().find(|start| text.starts_with(start))?;
    let end = start.len() + ID_CHARS;
    let id = text.get(..end)?;
    id[start.len()..].chars().all(is_of_token).then_some(id)
}

/// The UUID that the text begins with.
fn uuid_at(text: &str) -> Option<&str> {
    let id = text.get(..UUID_CHARS)?;
    let has_form = id.bytes().enumerate().all(|(place, byte)| match place {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    });
    has_form.then_some(id)
}

/// The value of a hidden field `token`, or of the part `signature` of a signature.
fn token_at<'t>(text: &'t str, before: &str) -> Option<&'t str> {
    let starts = ["name=\"token\" value=\"", ",signature=\"", "&token=", "\ntoken="];
    if !starts.iter().any(|start| before.ends_with(start)) {
        return None;
    }
    let end = text.find(['"', '&', '\n']).unwrap_or(text.len());
    (end > 0).then(|| &text[..end])
}

/// An account number that the sandbox gave out, as bban or iban: they begin with a register number that no bank has.
fn account_number_at(text: &str) -> Option<&str> {
    let is_drawn =
        |digits: &str| digits.starts_with(DRAWN_REGISTER) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let iban =
        text.get(..IBAN_CHARS).filter(|iban| iban.starts_with("NO") && iban.get(4..).is_some_and(is_drawn));
    iban.or_else(|| text.get(..BBAN_CHARS).filter(|bban| is_drawn(bban)))
}

/// The ids that a new sandbox of every seed has.
fn default_ids() -> &'static BTreeSet<String> {
    static IDS: OnceLock<BTreeSet<String>> = OnceLock::new();
    IDS.get_or_init(|| {
        let of_two: Vec<_> = [11, 12].into_iter().map(shown_ids).collect();
        of_two[0].intersection(&of_two[1]).cloned().collect()
    })
}

/// Every id that the lists of the sandbox's own routes show.
fn shown_ids(seed: u64) -> BTreeSet<String> {
    let now = Some(at("2026-09-01T10:00:00Z"));
    let sandbox = xs2a::Sandbox::open(&SandboxOptions { now, seed, ..SandboxOptions::default() }).unwrap();
    let tpp = sandbox.register_tpp("Acme Pay", &["AISP"]).unwrap();
    let world = World { sandbox, tpp };
    let mut ids = BTreeSet::new();
    for list in
        ["customers?includeAccounts=true&includeAgreements=true", "accounts", "agreements", "card-accounts"]
    {
        let answer = world.call("GET", &format!("/v1/sandbox/{list}"), &plain_headers(), b"");
        let text = String::from_utf8(answer.body().to_vec()).unwrap();
        for place in text.match_indices(ID_START).map(|(place, _)| place) {
            ids.extend(id_at(&text[place..]).map(str::to_owned));
        }
    }
    ids
}
