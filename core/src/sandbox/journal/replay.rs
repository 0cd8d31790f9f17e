//! What it takes to do everything again, so that the same comes of it.

use std::collections::HashMap;

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::entry::{JournalEntry, Step};
use super::fields::Fields;
use super::packed_call::RecordedCall;
use crate::env::entropy::{Entropy, Position, SeededEntropy};
use crate::error::Result;
use crate::sandbox::pki::IssuedTpp;
use crate::sandbox::sign::{Unsigned, ADDED};
use crate::store::sqlite::Database;
use crate::wire::headers::TPP_CERTIFICATE;

/// How the sandbox, or the first of its parents, was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Beginning {
    /// The initial time of the clock.
    pub start: DateTime<Utc>,
    /// The seed.
    pub seed: u64,
    /// The prefix of `/v1` in paths.
    pub base_path: String,
    /// The policy as JSON; `None`: the defaults.
    pub policy: Option<String>,
    /// Whether it began with the default data set; `false` for a database file that existed.
    pub is_new: bool,
}

/// The sandbox's own TPPs by their certificate, as the header has it.
pub(super) struct Signers {
    tpps: HashMap<String, (String, IssuedTpp)>,
    seed: u64,
    generation: u64,
}

/// A call that one of the sandbox's own TPPs signed.
pub(super) struct Signed<'c> {
    /// The TPP's authorisation number.
    pub(super) organisation_id: &'c str,
    /// The headers that it was given. Signing adds the others.
    pub(super) given: Vec<(&'c str, &'c [u8])>,
}

impl Signers {
    /// The TPPs that were registered in a history.
    pub(super) fn of(history: &[&JournalEntry], database: &Database, position: Position) -> Result<Self> {
        let mut tpps = HashMap::new();
        for entry in history {
            let Step::RegisterTpp { organisation_id, .. } = &entry.step else { continue };
            let Some(found) = database.read_books(|books| books.tpp(organisation_id))? else { continue };
            let key_index = usize::try_from(found.key_index).unwrap_or_default();
            let issued = IssuedTpp::reissue(&found.certificate, key_index)?;
            tpps.insert(STANDARD.encode(&found.certificate), (organisation_id.clone(), issued));
        }
        Ok(Self { tpps, seed: position.seed, generation: position.generation })
    }

    /// What to sign so that signing again, at the time and the place of the call, yields exactly what was sent. `None`
    /// for what was signed elsewhere, or was changed after it was signed: that was sent on purpose.
    pub(super) fn signed<'c>(
        &'c self,
        entry: &JournalEntry,
        call: &'c RecordedCall,
    ) -> Result<Option<Signed<'c>>> {
        let certificate = call.headers.text(TPP_CERTIFICATE);
        let Some((organisation_id, tpp)) = certificate.and_then(|header| self.tpps.get(header)) else {
            return Ok(None);
        };
        let Some(sent) = texts(&call.headers) else { return Ok(None) };
        let Some(request_id) = self.drawn_before(entry)? else { return Ok(None) };
        if call.body.len() < call.body_bytes {
            return Ok(None);
        }
        for given in possible_beginnings(&sent) {
            let headers = sent.get(..given).unwrap_or_default();
            let unsigned = Unsigned { method: &call.method, target: &call.target, headers, body: &call.body };
            if tpp.sign(unsigned, entry.at, request_id)? == sent {
                let given = call.headers.iter().take(given).collect();
                return Ok(Some(Signed { organisation_id, given }));
            }
        }
        Ok(None)
    }

    /// The id that was drawn last before an entry.
    fn drawn_before(&self, entry: &JournalEntry) -> Result<Option<Uuid>> {
        let Some(counter) = entry.draws.before.checked_sub(1) else { return Ok(None) };
        let position = Position { seed: self.seed, generation: self.generation, counter };
        let entropy = SeededEntropy::at(position);
        (&entropy as &dyn Entropy).uuid().map(Some)
    }
}

/// How many headers may have been given, the fewest first: added headers follow them.
fn possible_beginnings(sent: &[(String, String)]) -> impl Iterator<Item = usize> {
    let added = sent.iter().rev().take_while(|(name, _)| ADDED.contains(&name.as_str())).count();
    // The signature at least was added.
    sent.len().saturating_sub(added.min(ADDED.len()))..sent.len()
}

fn texts(headers: &Fields) -> Option<Vec<(String, String)>> {
    let text =
        |(name, value): (&str, &[u8])| Some((name.to_owned(), std::str::from_utf8(value).ok()?.to_owned()));
    headers.iter().map(text).collect()
}
