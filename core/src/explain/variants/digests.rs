//! The value of Digest in the signing string.

use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use base64::Engine as _;

use super::super::body_forms;
use super::super::budget::Flow;
use super::super::case::Case;
use super::super::draft::Draft;
use super::super::mistake::{Reach, Visit};
use super::texts::hex;
use crate::crypto::any_hash::AnyHash;

/// A Digest that is not the one sent: of another form of the body, in another spelling, or of an earlier call.
pub(in crate::explain) fn made_again<'a>(
    case: &Case<'a>,
    draft: &Draft<'a>,
    reach: Reach,
    visit: Visit<'_, Draft<'a>>,
) -> Flow {
    let Some((index, line)) = draft.header_lines().find(|(_, line)| line.is("digest")) else {
        return Flow::Continue(());
    };
    let sent = String::from_utf8_lossy(&line.value).into_owned();
    let mut visit_text = |text: String| visit(&draft.with_value(index, text.into_bytes()));
    if let Some((algorithm, value)) = sent.split_once('=') {
        visit_text(value.to_owned())?;
        visit_text(format!("{}={value}", algorithm.to_ascii_lowercase()))?;
        visit_text(format!("{}={value}", algorithm.to_ascii_uppercase()))?;
        visit_text(format!("{algorithm}=:{value}:"))?;
    }
    let mut visit_hashes = |body: &[u8]| {
        [AnyHash::Sha256, AnyHash::Sha512]
            .iter()
            .try_for_each(|hash| spellings(*hash, &hash.of(body)).into_iter().try_for_each(&mut visit_text))
    };
    visit_hashes(case.request.body)?;
    visit_hashes(b"")?;
    if reach == Reach::Near {
        return Flow::Continue(());
    }
    body_forms::each(case, &mut |body| visit_hashes(body))?;
    super::earlier::values(case, "digest").try_for_each(|value| visit(&draft.with_value(index, value)))
}

/// How clients write a hash into the header.
fn spellings(algorithm: AnyHash, hash: &[u8]) -> [String; 6] {
    let (name, base64, hex) = (algorithm.name(), STANDARD.encode(hash), hex(hash));
    [
        format!("{name}={base64}"),
        format!("{}={base64}", name.to_lowercase()),
        format!("{name}={hex}"),
        format!("{name}={}", STANDARD.encode(&hex)),
        format!("{name}={}", URL_SAFE.encode(hash)),
        base64,
    ]
}
