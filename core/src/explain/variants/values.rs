//! The values of headers.

use percent_encoding::{percent_decode, percent_encode, NON_ALPHANUMERIC};

use super::super::budget::Flow;
use super::super::case::Case;
use super::super::charset::recoded;
use super::super::draft::Draft;
use super::super::mistake::{Reach, Visit};
use crate::wire::mime_word::{decode_encoded_word, encode_word};

/// After how many words of a value a second space is tried.
const FOLDED_WORDS_MAX: usize = 16;

/// Visits the draft with each other value of each header's line.
fn visit_each_line<'a, I: IntoIterator<Item = Vec<u8>>>(
    draft: &Draft<'a>,
    visit: Visit<'_, Draft<'a>>,
    values: impl Fn(&str, &[u8]) -> I,
) -> Flow {
    for (index, line) in draft.header_lines() {
        values(&line.name, &line.value)
            .into_iter()
            .try_for_each(|value| visit(&draft.with_value(index, value)))?;
    }
    Flow::Continue(())
}

/// White space around and inside a value, and how repeated fields are joined.
pub(in crate::explain) fn white_space<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    as_sent(case, draft, visit)?;
    visit_each_line(draft, visit, |name, value| {
        let sent: Vec<&[u8]> = sent_values(case, name).map(<[u8]>::trim_ascii).collect();
        let around =
            [(&b""[..], &b" "[..]), (b" ", b""), (b" ", b" "), (b"", b"\t"), (b"", b"\r"), (b"", b"\n")];
        let padded = around.map(|(before, after)| [before, value, after].concat());
        let words: Vec<&[u8]> =
            value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        let mut values = Vec::from(padded);
        values.extend([words.join(&b' '), words.concat(), sent.join(&b','), sent.join(&b' ')]);
        values.extend(sent.iter().map(|value| value.to_vec()));
        // A proxy may fold several spaces into one.
        values.push(words.join(&b"  "[..]));
        values.extend((1..words.len().min(FOLDED_WORDS_MAX)).map(|place| {
            let (before, after) = words.split_at_checked(place).unwrap_or((&words, &[]));
            [before.join(&b' '), after.join(&b' ')].join(&b"  "[..])
        }));
        values.push(value.iter().copied().filter(|byte| *byte != b'"').collect());
        values.push([b"\"", value, b"\""].concat());
        values
    })
}

/// Each value, and all values, with the white space that was sent around them.
fn as_sent<'a>(case: &Case<'a>, draft: &Draft<'a>, visit: Visit<'_, Draft<'a>>) -> Flow {
    let raw = |name: &str| sent_values(case, name).collect::<Vec<_>>().join(&b", "[..]);
    let mut all = draft.clone();
    for (index, line) in draft.header_lines() {
        let sent = raw(&line.name);
        if !sent.is_empty() {
            all = all.with_value(index, sent.clone());
            visit(&draft.with_value(index, sent))?;
        }
    }
    visit(&all)
}

fn sent_values<'a>(case: &Case<'a>, name: &str) -> impl Iterator<Item = &'a [u8]> + use<'a> {
    let name = name.to_owned();
    case.fields().iter().filter(move |(own, _)| own.eq_ignore_ascii_case(&name)).map(|(_, value)| *value)
}

/// Values that are decoded, or encoded, once more than they were sent.
pub(in crate::explain) fn decoded<'a>(
    _: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let plain = |value: &[u8]| value.iter().all(u8::is_ascii_alphanumeric);
    visit_each_line(draft, visit, |_, value| {
        let mut values = Vec::new();
        if plain(value) {
            return values;
        }
        let text = String::from_utf8_lossy(value);
        values.push(percent_decode(value).collect());
        values.push(percent_decode(text.replace('+', " ").as_bytes()).collect());
        values.push(percent_encode(value, NON_ALPHANUMERIC).to_string().into_bytes());
        values.push(component(&text));
        values.push(form(&text));
        values.push(text.replace('%', "%25").into_bytes());
        values.extend(decode_encoded_word(&text).ok().map(String::into_bytes));
        values.push(encode_word(&text).into_bytes());
        values.push(text.replace('&', "&amp;").into_bytes());
        values.push(text.replace('\\', "").into_bytes());
        values.push(text.replace('/', "\\/").into_bytes());
        values
    })
}

/// As `encodeURIComponent` of JavaScript.
fn component(text: &str) -> Vec<u8> {
    const KEPT: &[u8] = b"-_.!~*'()";
    escaped(text, |byte| byte.is_ascii_alphanumeric() || KEPT.contains(&byte)).into_bytes()
}

/// As an HTML form.
fn form(text: &str) -> Vec<u8> {
    const KEPT: &[u8] = b"-_.* ";
    escaped(text, |byte| byte.is_ascii_alphanumeric() || KEPT.contains(&byte)).replace(' ', "+").into_bytes()
}

fn escaped(text: &str, is_kept: impl Fn(u8) -> bool) -> String {
    let escape = |byte: u8| if is_kept(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(escape).collect()
}

/// Values in another charset, and media types with another charset parameter.
pub(in crate::explain) fn charset<'a>(
    _: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    all_recoded(draft, visit)?;
    visit_each_line(draft, visit, |name, value| {
        let mut values = recoded(value);
        if matches!(name.to_ascii_lowercase().as_str(), "content-type" | "accept") {
            let bare = value.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
            let parameters = ["", ";charset=utf-8", "; charset=utf-8", ";charset=UTF-8", "; charset=UTF-8"];
            values.extend(parameters.map(|parameter| [bare, parameter.as_bytes()].concat()));
        }
        values
    })
}

/// Several values that are not ASCII are recoded in the same way.
fn all_recoded<'a>(draft: &Draft<'a>, visit: Visit<'_, Draft<'a>>) -> Flow {
    let ways = draft.lines.iter().map(|line| recoded(&line.value).len()).max().unwrap_or_default();
    for way in 0..ways {
        let mut all = draft.clone();
        for (index, line) in draft.header_lines() {
            if let Some(value) = recoded(&line.value).into_iter().nth(way) {
                all = all.with_value(index, value);
            }
        }
        visit(&all)?;
    }
    Flow::Continue(())
}

/// Values in lower or upper case.
pub(in crate::explain) fn letter_case<'a>(
    _: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    visit_each_line(draft, visit, |_, value| [value.to_ascii_lowercase(), value.to_ascii_uppercase()])
}

/// What programs write for a variable that is not set.
pub(in crate::explain) fn placeholder<'a>(
    _: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    visit_each_line(draft, visit, |_, _| {
        ["", "null", "undefined", "None", "nil", "NULL", "[object Object]"]
            .map(|text| text.as_bytes().to_vec())
    })
}

/// X-Request-ID of an earlier call, or the same one written otherwise.
pub(in crate::explain) fn request_id_made_again<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    _: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    const NAME: &str = "x-request-id";
    let Some((index, line)) = draft.header_lines().find(|(_, line)| line.is(NAME)) else {
        return Flow::Continue(());
    };
    let own = String::from_utf8_lossy(&line.value).into_owned();
    let spelt = [own.replace('-', ""), format!("{{{own}}}"), format!("urn:uuid:{own}")];
    let earlier = super::earlier::values(case, NAME);
    let others = case.fields().iter().map(|(_, value)| value.trim_ascii().to_vec());
    let others = others.filter(|value| value.len() == own.len());
    let values = earlier.chain(spelt.map(String::into_bytes)).chain(others);
    values.collect::<Vec<_>>().into_iter().try_for_each(|value| visit(&draft.with_value(index, value)))
}
