//! The search for the key, the padding and the text of a signature.

use super::budget::{Budget, Flow};
use super::case::Case;
use super::draft::Draft;
use super::explanation::Proof;
use super::finding::Finding;
use super::mistake::{Drafts, Mistake, Reach, Varies, Visit};
use super::sealed::Sealed;
use super::signature_form::readings;
use super::table;
use crate::crypto::any_hash::AnyHash;
use crate::crypto::rsa_block::rsa_signature_length;
use crate::tpp::certificate::Certificate;
use crate::wire::der;

/// Keys that a signature is tried by.
const KEYS_MAX: usize = 32;

/// How many variants of each row are combined first.
const FIRST_VARIANTS: usize = 4;

/// What is known of a signature.
pub(super) enum Searched {
    /// It is by the key, over the expected text, in the right form.
    Verifies,
    /// A mistake is proven.
    Found(Box<Finding>),
    /// Key, padding and hash function are right; the text was not found.
    OtherText,
    /// Nothing is known of it.
    Unknown,
}

/// A signature that a key has opened.
struct Opened {
    form: Option<&'static Mistake>,
    key: Option<&'static Mistake>,
    detail: Option<String>,
    sealed: Sealed,
}

/// The certificates that a request came with: the one that must have signed, and those after it.
pub(super) struct Signers<'a> {
    pub(super) leaf: &'a Certificate,
    pub(super) others: Vec<&'a Certificate>,
}

/// Searches for what a signature, as it is written in the header, was made of.
pub(super) fn search(
    case: &Case<'_>,
    signers: &Signers<'_>,
    signature: &str,
    budget: &mut Budget<'_>,
) -> Searched {
    let opened = match open(case, signers, signature, budget) {
        Ok(Some(opened)) => opened,
        Ok(None) => {
            return unopened(signers, signature)
                .map_or(Searched::Unknown, |found| Searched::Found(Box::new(found)))
        }
        Err(Spent) => return Searched::Unknown,
    };
    let text = case.expected().and_then(|expected| search_text(case, &expected, &opened.sealed, budget));
    conclude(opened, text)
}

fn conclude(opened: Opened, text: Option<FoundText>) -> Searched {
    let is_certain = opened.sealed.is_certain() || text.is_some();
    if !is_certain {
        return Searched::Unknown;
    }
    let sealed = opened.sealed.mistake();
    let (rows, signed) = text.map(|text| (text.mistakes, text.signed)).unzip();
    let of_text = rows.unwrap_or_default();
    let mut mistakes = [opened.form, opened.key, sealed].into_iter().flatten().chain(of_text);
    let Some(mistake) = mistakes.next() else {
        return if signed.is_some() { Searched::Verifies } else { Searched::OtherText };
    };
    let also = mistakes.next();
    let proof = match &signed {
        Some(_) => Proof::Hash,
        None if opened.form.is_some() => Proof::Form,
        None => Proof::Key,
    };
    Searched::Found(Box::new(Finding { mistake, also, proof, signed, detail: opened.detail }))
}

/// The budget is spent before every key was tried.
struct Spent;

/// Opens the signature by the key of the request, in every form; else by another key, in the form that is right.
fn open(
    case: &Case<'_>,
    signers: &Signers<'_>,
    signature: &str,
    budget: &mut Budget<'_>,
) -> Result<Option<Opened>, Spent> {
    let readings = readings(signature);
    // A value that may have its form by chance is used only if no other decodes.
    let mut uncertain = None;
    for (form, bytes) in &readings {
        // These are few: they are tried even if the budget is spent.
        let _ = budget.spend(bytes.len());
        let Some(sealed) = Sealed::open(signers.leaf.public_key(), bytes) else { continue };
        // Leading zeros are part of a signature (RFC 8017 section 8.2.1).
        let is_short =
            rsa_signature_length(signers.leaf.public_key()).is_some_and(|length| bytes.len() < length);
        let form = form.or(is_short.then_some(&table::SIGNATURE_CUT));
        let is_certain = sealed.is_certain();
        let opened = Opened { form, key: None, detail: None, sealed };
        if is_certain {
            return Ok(Some(opened));
        }
        uncertain.get_or_insert(opened);
    }
    let Some((_, bytes)) = readings.iter().find(|(form, _)| form.is_none()) else { return Ok(uncertain) };
    let of_request = signers.others.iter().map(|other| (*other, &table::CERTIFICATE_OF_ISSUER));
    let of_options = case.options.certificates.iter();
    let of_options = of_options.map(|other| (other.as_ref(), &table::KEY_OF_ANOTHER_CERTIFICATE));
    for (other, mistake) in of_request.chain(of_options).take(KEYS_MAX) {
        budget.spend(bytes.len()).is_continue().then_some(()).ok_or(Spent)?;
        let sealed = Sealed::open(other.public_key(), bytes).filter(Sealed::is_certain);
        if let Some(sealed) = sealed {
            let detail = format!(
                "The key is that of the certificate with the serial number {} of {}.",
                other.serial_number(),
                other.subject()
            );
            let mistake =
                if signers.leaf.names_an_authority() { &table::CERTIFICATE_OF_ISSUER } else { mistake };
            return Ok(Some(Opened { form: None, key: Some(mistake), detail: Some(detail), sealed }));
        }
    }
    Ok(uncertain)
}

/// What the form of a signature shows that no key opens.
fn unopened(signers: &Signers<'_>, signature: &str) -> Option<Finding> {
    if signers.leaf.names_an_authority() {
        return Some(Finding::new(&table::CERTIFICATE_OF_ISSUER, Proof::Form));
    }
    let expected = rsa_signature_length(signers.leaf.public_key())?;
    let readings = readings(signature);
    let length = readings.iter().find(|(form, _)| form.is_none()).map(|(_, bytes)| bytes.len())?;
    let detail = format!("It has {length} bytes; one by this certificate's key has {expected}.");
    // Keys have whole multiples of 64 bytes; a signature of another length is no signature by any of them.
    match length {
        _ if length == expected => Some(Finding::new(&table::WRONG_KEY, Proof::Key)),
        _ if length >= 128 && length % 64 == 0 => {
            Some(Finding::new(&table::WRONG_KEY, Proof::Key).with_detail(detail))
        }
        _ if length < expected => {
            let mistake = if is_whole(signature, length) { &table::NOT_RSA } else { &table::SIGNATURE_CUT };
            Some(Finding::new(mistake, Proof::Form).with_detail(detail))
        }
        _ => None,
    }
}

/// Whether a short signature is not cut off: a code of HMAC with the padding of base64, or ECDSA in DER.
fn is_whole(signature: &str, length: usize) -> bool {
    let is_ecdsa = |bytes: &Vec<u8>| {
        der::read_all(bytes).is_some_and(|element| {
            let integers = |number: der::Element<'_>| number.tag == der::INTEGER;
            element.tag == der::SEQUENCE
                && der::elements(element.content).filter(|n| integers(*n)).count() == 2
        })
    };
    (AnyHash::of_length(length).is_some() && signature.trim_end().ends_with('='))
        || readings(signature).iter().any(|(_, bytes)| is_ecdsa(bytes))
}

/// A text that was signed, and what is wrong with it: nothing, one or two mistakes.
struct FoundText {
    mistakes: Vec<&'static Mistake>,
    signed: Vec<u8>,
}

struct Search<'s, 'b> {
    sealed: &'s Sealed,
    budget: &'s mut Budget<'b>,
    buffer: Vec<u8>,
    found: Option<Vec<u8>>,
}

impl Search<'_, '_> {
    fn try_text(&mut self, text: &[u8]) -> Flow {
        self.budget.spend(text.len())?;
        match self.sealed.holds(text) {
            true => {
                self.found = Some(text.to_vec());
                Flow::Break(())
            }
            false => Flow::Continue(()),
        }
    }

    fn try_draft(&mut self, draft: &Draft<'_>) -> Flow {
        let mut buffer = std::mem::take(&mut self.buffer);
        draft.write(&mut buffer);
        let flow = self.try_text(&buffer);
        self.buffer = buffer;
        flow
    }

    /// What a search ended with: a text of these mistakes, or a spent budget.
    fn ended(&mut self, mistakes: &[&'static Mistake]) -> Option<FoundText> {
        let signed = self.found.take()?;
        Some(FoundText { mistakes: mistakes.to_vec(), signed })
    }
}

/// The rows that vary a signing string, with what they vary it by.
fn draft_rows() -> impl Iterator<Item = (&'static Mistake, Drafts)> + Clone {
    let rows = [table::SIGNING_STRING, table::TARGET, table::VALUE].into_iter().flatten();
    rows.filter_map(|row| match row.varies {
        Varies::Layout(drafts) | Varies::Names(drafts) | Varies::Target(drafts) | Varies::Value(drafts) => {
            Some((*row, drafts))
        }
        _ => None,
    })
}

fn layout_rows() -> impl Iterator<Item = (&'static Mistake, Drafts)> {
    draft_rows().filter(|(row, _)| matches!(row.varies, Varies::Layout(_)))
}

fn search_text(
    case: &Case<'_>,
    expected: &Draft<'_>,
    sealed: &Sealed,
    budget: &mut Budget<'_>,
) -> Option<FoundText> {
    let mut search = Search { sealed, budget, buffer: Vec::with_capacity(1024), found: None };
    if search.try_draft(expected).is_break() {
        return search.ended(&[]);
    }
    if matches!(sealed, Sealed::OtherHash) {
        return None;
    }
    single(case, expected, Reach::Near, &mut search)
        .or_else(|| whole_text(case, expected, &mut search))
        .or_else(|| hash_of_hash(case, expected, &mut search))
        .or_else(|| pairs(case, expected, FIRST_VARIANTS, &mut search))
        .or_else(|| single(case, expected, Reach::Far, &mut search))
        .or_else(|| pairs(case, expected, usize::MAX, &mut search))
        .or_else(|| far_pairs(case, expected, &mut search))
}

/// One mistake.
fn single(
    case: &Case<'_>,
    expected: &Draft<'_>,
    reach: Reach,
    search: &mut Search<'_, '_>,
) -> Option<FoundText> {
    for (row, drafts) in draft_rows() {
        if drafts(case, expected, reach, &mut |draft| search.try_draft(draft)).is_break() {
            return search.ended(&[row]);
        }
    }
    None
}

/// One mistake in the text as a whole.
fn whole_text(case: &Case<'_>, expected: &Draft<'_>, search: &mut Search<'_, '_>) -> Option<FoundText> {
    let text = expected.text();
    for row in table::SIGNING_STRING {
        let Varies::Text(texts) = row.varies else { continue };
        if texts(case, &text, &mut |text| search.try_text(text)).is_break() {
            return search.ended(&[row]);
        }
    }
    None
}

/// The hash of a text as if it were the text.
fn hash_of_hash(case: &Case<'_>, expected: &Draft<'_>, search: &mut Search<'_, '_>) -> Option<FoundText> {
    let mut found = None;
    let mut try_draft = |draft: &Draft<'_>, row: Option<&'static Mistake>, search: &mut Search<'_, '_>| {
        let text = draft.text();
        search.budget.spend(text.len() * 4)?;
        if let Some((mistake, signed)) = search.sealed.holds_hash_of(&text) {
            found = Some(FoundText { mistakes: [mistake].into_iter().chain(row).collect(), signed });
            return Flow::Break(());
        }
        Flow::Continue(())
    };
    if try_draft(expected, None, search).is_continue() {
        for (row, drafts) in layout_rows() {
            if drafts(case, expected, Reach::Near, &mut |draft| try_draft(draft, Some(row), search))
                .is_break()
            {
                break;
            }
        }
    }
    found
}

/// Two mistakes, each in that many of its frequent variants.
fn pairs(
    case: &Case<'_>,
    expected: &Draft<'_>,
    variants_max: usize,
    search: &mut Search<'_, '_>,
) -> Option<FoundText> {
    for (place, (row, drafts)) in draft_rows().enumerate() {
        for (other, others) in draft_rows().skip(place + 1) {
            let mut is_ended = false;
            first(drafts, case, expected, variants_max, &mut |draft| {
                first(others, case, draft, variants_max, &mut |draft| {
                    let flow = search.try_draft(draft);
                    is_ended = flow.is_break();
                    flow
                });
                if is_ended {
                    Flow::Break(())
                } else {
                    Flow::Continue(())
                }
            });
            if is_ended {
                return search.ended(&[row, other]);
            }
        }
    }
    None
}

/// Visits the first variants of a row.
fn first<'a>(
    drafts: Drafts,
    case: &Case<'a>,
    draft: &Draft<'a>,
    variants_max: usize,
    visit: Visit<'_, Draft<'a>>,
) {
    let mut left = variants_max;
    let _ = drafts(case, draft, Reach::Near, &mut |draft| {
        visit(draft)?;
        left = left.saturating_sub(1);
        if left == 0 {
            Flow::Break(())
        } else {
            Flow::Continue(())
        }
    });
}

/// Any variant in every frequent layout.
fn far_pairs(case: &Case<'_>, expected: &Draft<'_>, search: &mut Search<'_, '_>) -> Option<FoundText> {
    for (layout, layouts) in layout_rows() {
        for (row, drafts) in draft_rows().filter(|(row, _)| !matches!(row.varies, Varies::Layout(_))) {
            let flow = layouts(case, expected, Reach::Near, &mut |draft| {
                drafts(case, draft, Reach::Far, &mut |draft| search.try_draft(draft))
            });
            if flow.is_break() {
                return search.ended(&[layout, row]);
            }
        }
    }
    None
}
