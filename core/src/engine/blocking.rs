//! Blocking a TPP or one certificate, and what is blocked.

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::public_api::Engine;
use crate::error::{Error, Result};
use crate::limits::{BLOCK_REASON_CHARS_MAX, ORGANISATION_ID_CHARS_MAX};
use crate::pipeline::audit::{note, Cause};
use crate::store::{Block, BlockedSubject, CommitOutcome, Write};
use crate::types::instant::rfc3339;
use crate::types::{has_visible, is_hidden, CertificateHash};
use crate::wire::json;

impl BlockedSubject {
    /// The subject that a host names by one of two texts: the organisation identifier of a TPP, or the SHA-256 of a
    /// certificate's DER in hexadecimal digits, with or without colons.
    ///
    /// # Errors
    /// [`Error::Misuse`] for both or none, and for a text in another form.
    pub fn named(tpp: Option<&str>, certificate: Option<&str>) -> Result<Self> {
        match (tpp, certificate) {
            (Some(tpp), None) => {
                let is_printable = has_visible(tpp) && !tpp.chars().any(is_hidden);
                match is_printable && tpp.chars().count() <= ORGANISATION_ID_CHARS_MAX {
                    true => Ok(Self::Tpp(tpp.to_owned())),
                    false => Err(Error::Misuse("`tpp` is not an organisation identifier".to_owned())),
                }
            }
            (None, Some(hash)) => CertificateHash::parse(hash).map(Self::Certificate).ok_or_else(|| {
                Error::Misuse("`certificate` is not a SHA-256 as 64 hexadecimal digits".to_owned())
            }),
            _ => Err(Error::Misuse("one of `tpp` and `certificate` is given".to_owned())),
        }
    }
}

impl Engine {
    /// Refuses the calls of a TPP, or those made with one certificate, on every node from its next call on, in place of
    /// an earlier block of the same subject. A call that is being answered is completed. The TPP is answered 403
    /// FORBIDDEN. What its PSUs approved before stays: payments are delivered, and open links can be completed.
    /// `until`: when the block ends by itself. `why`, at most 400 characters, is for the operator alone.
    ///
    /// # Errors
    /// [`Error::Misuse`] for an `until` that is not later than now, and for another `why`; [`Error::Store`].
    pub fn block(&self, subject: BlockedSubject, until: Option<DateTime<Utc>>, why: &str) -> Result<()> {
        self.at_present("block", |_, now| {
            if until.is_some_and(|until| until <= now) {
                return Err(Error::Misuse("`until` is not later than now".to_owned()));
            }
            if why.chars().count() > BLOCK_REASON_CHARS_MAX || why.contains('\0') {
                let text = format!("`why` has more than {BLOCK_REASON_CHARS_MAX} characters, or a U+0000");
                return Err(Error::Misuse(text));
            }
            let block = Block { subject, since: now, until, why: why.to_owned() };
            let mut writes = vec![Write::Block(block)];
            note(&self.context.policy(), &mut writes, || Cause::of_host("blocked at the bank", now))?;
            self.context.store().commit(&writes).map(drop)
        })
    }

    /// Removes a block. Returns false if there was none.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn unblock(&self, subject: BlockedSubject) -> Result<bool> {
        self.at_present("unblock", |_, now| {
            let mut writes = vec![Write::Unblock { subject, at: now }];
            note(&self.context.policy(), &mut writes, || Cause::of_host("unblocked at the bank", now))?;
            Ok(self.context.store().commit(&writes)? == CommitOutcome::Applied)
        })
    }

    /// All blocks that have not ended, those of TPPs first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn blocked(&self) -> Result<Vec<Block>> {
        self.at_present("blocked", |_, now| self.context.store().blocks().list_blocks(now))
    }

    /// As [`Engine::blocked`], as a JSON array of objects: `tpp` or `certificate`, `since`, `until` if the block ends
    /// by itself, and `why`.
    ///
    /// # Errors
    /// As [`Engine::blocked`].
    pub fn blocked_json(&self) -> Result<String> {
        json::write_text(&self.blocked()?.iter().map(BlockView::from).collect::<Vec<_>>())
    }
}

#[derive(Serialize)]
struct BlockView<'b> {
    #[serde(skip_serializing_if = "Option::is_none")]
    tpp: Option<&'b str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<String>,
    since: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    why: &'b str,
}

impl<'b> From<&'b Block> for BlockView<'b> {
    fn from(block: &'b Block) -> Self {
        let (tpp, certificate) = match &block.subject {
            BlockedSubject::Tpp(organisation_id) => (Some(organisation_id.as_str()), None),
            BlockedSubject::Certificate(hash) => (None, Some(hash.to_string())),
        };
        Self {
            tpp,
            certificate,
            since: rfc3339(block.since),
            until: block.until.map(rfc3339),
            why: &block.why,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_one_tpp_or_one_certificate() {
        let hash = "ab".repeat(32);
        let longest = "P".repeat(ORGANISATION_ID_CHARS_MAX);
        assert!(BlockedSubject::named(Some("PSDNO-FSA-1"), None).is_ok());
        assert!(BlockedSubject::named(Some(&longest), None).is_ok());
        assert!(BlockedSubject::named(None, Some(&hash)).is_ok());
        let longer = format!("{longest}P");
        for (tpp, certificate) in [
            (None, None),
            (Some("PSDNO-FSA-1"), Some(hash.as_str())),
            (Some(""), None),
            (Some("a\0b"), None),
            (Some(longer.as_str()), None),
            (None, Some("ab")),
        ] {
            let named = BlockedSubject::named(tpp, certificate);
            assert!(matches!(named, Err(Error::Misuse(_))), "{tpp:?} {certificate:?}");
        }
    }
}
