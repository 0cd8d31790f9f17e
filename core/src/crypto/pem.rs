//! PEM armour (RFC 7468), read leniently: line breaks may be missing, be anywhere, or be spaces.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;

use crate::wire::mime_word::LENIENT_BASE64;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";

/// The blocks of a text one after the other: label and content, `None` for content that is not base64. Text outside of
/// the armour is skipped. An armour that is not closed ends the list.
pub fn blocks(text: &str) -> impl Iterator<Item = (&str, Option<Vec<u8>>)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, from_label) = rest.split_once(BEGIN)?;
        let (label, body) = from_label.split_once(DASHES)?;
        let (content, after) = body.split_once(END)?;
        rest = after;
        Some((label, decode_base64(content.as_bytes())))
    })
}

/// Whether an armour is not closed: the text is the beginning of a longer one, which [`blocks`] would hide.
pub(crate) fn is_cut_off(text: &str) -> bool {
    let is_open = |(_, last): (&str, &str)| !last.contains(END);
    text.rsplit_once(BEGIN).is_some_and(is_open) || ends_within_a_beginning(text)
}

/// Whether a text ends within the first words of an armour. Dashes alone may be those that close one.
fn ends_within_a_beginning(text: &str) -> bool {
    (DASHES.len() + 1..BEGIN.len()).any(|length| BEGIN.get(..length).is_some_and(|part| text.ends_with(part)))
}

/// Decodes base64 with white space anywhere and with or without padding.
pub fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    // Most have none, and white space is no base64.
    if let Ok(content) = LENIENT_BASE64.decode(text) {
        return Some(content);
    }
    let packed: Vec<u8> = text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    LENIENT_BASE64.decode(packed).ok()
}

/// The DER of an unencrypted PKCS#8 private key, given as PEM or as DER.
pub(crate) fn private_key(key: &[u8]) -> Option<Vec<u8>> {
    labelled(key, "PRIVATE KEY")
}

/// The DER of an unencrypted private key of RSA alone (PKCS#1), given as PEM or as DER.
pub(crate) fn rsa_private_key(key: &[u8]) -> Option<Vec<u8>> {
    labelled(key, "RSA PRIVATE KEY")
}

/// The first block with that label, or what is not armoured as it is.
fn labelled(key: &[u8], wanted: &str) -> Option<Vec<u8>> {
    match std::str::from_utf8(key) {
        Ok(text) if text.contains(BEGIN) => {
            blocks(text).find_map(|(label, content)| (label == wanted).then_some(content)?)
        }
        _ => Some(key.to_vec()),
    }
}

/// Armours content under a label, in lines of 64 characters.
pub fn encode(label: &str, content: &[u8]) -> String {
    let encoded = STANDARD.encode(content);
    let mut text = format!("{BEGIN}{label}{DASHES}\n");
    let mut rest = encoded.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at_checked(64).unwrap_or((rest, ""));
        text.push_str(line);
        text.push('\n');
        rest = after;
    }
    text + END + label + DASHES + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn line_breaks_may_be_missing_or_spaces() {
        for text in [
            "-----BEGIN X-----\nAQID\nBA==\n-----END X-----\n",
            "-----BEGIN X-----AQIDBA==-----END X-----",
            "chatter -----BEGIN X----- AQID BA -----END X----- chatter",
        ] {
            assert_eq!(blocks(text).collect::<Vec<_>>(), [("X", Some(vec![1, 2, 3, 4]))], "{text}");
        }
    }

    #[test]
    fn an_open_armour_yields_nothing_and_broken_base64_is_reported() {
        assert_eq!(blocks("-----BEGIN X-----AQID").count(), 0);
        assert_eq!(blocks("-----BEGIN X-----AQ!D-----END X-----").next(), Some(("X", None)));
    }

    #[test]
    fn a_text_is_cut_off_from_its_last_armour_until_that_is_closed() {
        let one = "-----BEGIN X-----AQID-----END X-----\n";
        let two = one.repeat(2);
        let cut_off: Vec<_> = (0..=two.len()).filter(|end| two.get(..*end).is_some_and(is_cut_off)).collect();
        // Up to its dashes, an armour may as well be something else.
        let within = |start: usize| start + DASHES.len() + 1..start + one.find(END).unwrap() + END.len();
        assert_eq!(cut_off, within(0).chain(within(one.len())).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn what_is_armoured_is_read_back(content in proptest::collection::vec(any::<u8>(), 0..300)) {
            let text = encode("THING", &content);
            prop_assert!(text.lines().all(|line| line.len() <= 64));
            prop_assert_eq!(blocks(&text).collect::<Vec<_>>(), [("THING", Some(content))]);
        }
    }
}
