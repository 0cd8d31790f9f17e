//! The search for the text that Digest was taken of.

use std::borrow::Cow;

use base64::Engine as _;

use super::body_forms;
use super::budget::{Budget, Flow};
use super::case::Case;
use super::explanation::Proof;
use super::finding::Finding;
use super::mistake::{Mistake, Varies};
use super::signature_form::{from_hex, LENIENT_BASE64URL};
use super::table;
use crate::crypto::any_hash::AnyHash;
use crate::limits::EXPLAIN_COPIED_BYTES_MAX;
use crate::wire::mime_word::LENIENT_BASE64;

/// A hash that the header may mean, and what is wrong with the way it is written.
struct Candidate {
    form: Option<&'static Mistake>,
    hash: Vec<u8>,
    algorithm: AnyHash,
}

/// Explains `DIG-01`, `DIG-02` and `DIG-03`.
pub(super) fn explain_digest(case: &Case<'_>, budget: &mut Budget<'_>) -> Option<Finding> {
    let value = case.headers.get("digest")?;
    let text = String::from_utf8_lossy(&value);
    let candidates: Vec<Candidate> = text.split(',').flat_map(candidates).collect();
    let mut found = of_given_body(case, &candidates, budget);
    if found.is_none() {
        let _ = forms(case, &mut |row, body| {
            budget.spend(cost(body) * lengths(&candidates))?;
            match matching(&candidates, body) {
                Some(candidate) => {
                    let finding = Finding::new(row, Proof::Digest).with_signed(body);
                    found = Some(Finding { also: candidate.form, ..finding });
                    Flow::Break(())
                }
                None => Flow::Continue(()),
            }
        });
    }
    found.or_else(|| not_found(&candidates))
}

/// Visits each form of the body with the row that it belongs to, in the order of the table.
fn forms(case: &Case<'_>, visit: &mut dyn FnMut(&'static Mistake, &[u8]) -> Flow) -> Flow {
    table::DIGEST.iter().try_for_each(|row| match row.varies {
        Varies::Body(forms) => body_forms::of_kind(case, forms, &mut |form| visit(row, form)),
        _ => Flow::Continue(()),
    })
}

/// The body as it was received, its hash written otherwise.
fn of_given_body(case: &Case<'_>, candidates: &[Candidate], budget: &mut Budget<'_>) -> Option<Finding> {
    let body = case.request.body;
    // The one form that is hashed at any length.
    let _ = budget.spend(body.len() * lengths(candidates));
    let candidate = matching(candidates, body)?;
    let detail = format!("The value is the {} of the body.", candidate.algorithm.name());
    let form = candidate.form.unwrap_or(&table::DIGEST_OTHER_ALGORITHM);
    Some(Finding::new(form, Proof::Digest).with_signed(body).with_detail(detail))
}

/// No known text has the hash: what the value shows by itself.
fn not_found(candidates: &[Candidate]) -> Option<Finding> {
    // In the right form it is the hash of some text, which may be another form of the body.
    let is_plain = candidates.iter().any(|candidate| candidate.form.is_none());
    let form = candidates.first().filter(|_| !is_plain)?.form?;
    Some(Finding::new(form, Proof::Form))
}

fn matching<'c>(candidates: &'c [Candidate], body: &[u8]) -> Option<&'c Candidate> {
    AnyHash::ALL.into_iter().find_map(|algorithm| {
        let mut of_algorithm =
            candidates.iter().filter(|candidate| candidate.algorithm == algorithm).peekable();
        of_algorithm.peek()?;
        let hash = algorithm.of(body);
        of_algorithm.find(|candidate| candidate.hash == hash)
    })
}

/// To write a long form takes several times as long as to hash it.
fn cost(body: &[u8]) -> usize {
    body.len().saturating_mul(if body.len() > EXPLAIN_COPIED_BYTES_MAX { 16 } else { 1 })
}

/// How many hash functions the candidates take.
fn lengths(candidates: &[Candidate]) -> usize {
    let is_used = |hash: &AnyHash| candidates.iter().any(|candidate| candidate.algorithm == *hash);
    AnyHash::ALL.iter().filter(|hash| is_used(hash)).count()
}

/// What one element of the list may mean.
fn candidates(item: &str) -> Vec<Candidate> {
    let item = item.trim();
    let named = item.split_once('=').filter(|(name, _)| is_algorithm(name));
    let (name, value) = named.map_or((None, item), |(name, value)| (Some(name.trim()), value.trim()));
    let bare = value.trim_matches([':', '"', '\'', ' ']);
    let structured = match name {
        None => Some(&table::DIGEST_WITHOUT_ALGORITHM),
        Some(_) if bare.len() != value.len() => Some(&table::DIGEST_STRUCTURED),
        Some(_) => None,
    };
    let base64 = LENIENT_BASE64.decode(bare).ok();
    let hex_in_base64 = base64.as_deref().and_then(|bytes| from_hex(std::str::from_utf8(bytes).ok()?));
    let readings: [(Option<&'static Mistake>, Option<Vec<u8>>); 4] = [
        (Some(&table::DIGEST_HEX), from_hex(bare)),
        (Some(&table::DIGEST_BASE64_OF_HEX), hex_in_base64),
        (
            Some(&table::DIGEST_BASE64URL),
            LENIENT_BASE64URL.decode(bare).ok().filter(|_| bare.contains(['-', '_'])),
        ),
        // Last, because hexadecimal digits are base64 too.
        (structured, base64),
    ];
    let candidate = |(form, hash): (Option<&'static Mistake>, Option<Vec<u8>>)| {
        let hash = hash?;
        let algorithm = AnyHash::of_length(hash.len())?;
        let is_named = name.is_none_or(|name| names(name, algorithm));
        let form = form.or((!is_named).then_some(&table::DIGEST_OTHER_ALGORITHM));
        Some(Candidate { form, hash, algorithm })
    };
    readings.into_iter().filter_map(candidate).collect()
}

/// Whether this is the name of some hash function. Base64 without one may have an equals sign too.
fn is_algorithm(name: &str) -> bool {
    let name = letters(name);
    ["sha", "md5", "id-sha", "unixsum", "adler", "crc"].iter().any(|known| name.starts_with(known))
        && name.len() <= 12
}

/// Whether the header may name the algorithm so.
fn names(name: &str, algorithm: AnyHash) -> bool {
    name.eq_ignore_ascii_case(algorithm.name()) && matches!(algorithm, AnyHash::Sha256 | AnyHash::Sha512)
}

fn letters(name: &str) -> Cow<'_, str> {
    match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(name.to_ascii_lowercase()),
        false => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(item: &str) -> Vec<Option<&'static str>> {
        candidates(item).iter().map(|candidate| candidate.form.map(|form| form.id)).collect()
    }

    #[test]
    fn every_kind_of_form_has_a_row() {
        let rows = table::DIGEST.iter().filter(|row| matches!(row.varies, Varies::Body(_)));
        assert_eq!(rows.count(), body_forms::KINDS.len());
    }

    #[test]
    fn each_way_to_write_a_hash_is_read() {
        let hash = AnyHash::Sha256.of(b"");
        let base64 = LENIENT_BASE64.encode(&hash);
        let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(forms(&format!("SHA-256={base64}")), [None]);
        assert_eq!(forms(&format!("SHA-512={base64}")), [Some("digest-other-algorithm")]);
        assert_eq!(forms(&format!("SHA256={base64}")), [Some("digest-other-algorithm")]);
        assert!(forms(&format!("SHA-256={hex}")).contains(&Some("digest-hex")));
        assert!(forms(&base64).contains(&Some("digest-without-algorithm")));
        assert!(forms(&format!("sha-256=:{base64}:")).contains(&Some("digest-structured")));
        assert!(forms("").is_empty());
    }
}
