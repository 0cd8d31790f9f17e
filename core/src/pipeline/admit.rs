//! Stage 5: who the call speaks for. Payments need an identified PSU, or none at all for a single SCA.

use uuid::Uuid;

use super::authorise::Authorised;
use super::parse::{Call, Parsed};
use super::stop::Stop;
use crate::error::Result as EngineResult;
use crate::reason::{Reason, Refusal};
use crate::store::Store;
use crate::types::{ActingPsu, Context, CorporateKey, PsuKey};

/// A call whose PSU is known, where it names one.
pub(crate) struct Admitted<'r> {
    authorised: Authorised<'r>,
    psu: Option<ActingPsu>,
}

impl<'r> Admitted<'r> {
    pub(crate) fn parsed(&self) -> &Parsed<'r> {
        self.authorised.parsed()
    }

    /// The organisation identifier of the TPP.
    pub(crate) fn tpp(&self) -> &str {
        self.authorised.tpp()
    }

    /// The PSU that PSU-ID names.
    pub(crate) fn psu(&self) -> Option<&ActingPsu> {
        self.psu.as_ref()
    }
}

/// Looks the named PSU up.
pub(crate) fn admit<'r>(authorised: Authorised<'r>, store: &dyn Store) -> Result<Admitted<'r>, Stop> {
    let names_psu = match authorised.parsed().call() {
        Call::CreatePayment { .. } | Call::StartPaymentAuthorisation(_) => true,
        Call::ReadPayment(_) | Call::ReadPaymentStatus(_) => false,
    };
    let psu = match authorised.parsed().call_headers().psu_id.filter(|_| names_psu) {
        Some(psu_id) => Some(identified(&authorised, psu_id, store)?),
        None => None,
    };
    Ok(Admitted { authorised, psu })
}

fn identified(authorised: &Authorised<'_>, psu_id: Uuid, store: &dyn Store) -> Result<ActingPsu, Stop> {
    let headers = authorised.parsed().call_headers();
    let tpp = authorised.tpp();
    let psu = store.psu_by_id(tpp, psu_id)?.ok_or_else(|| Refusal::at(Reason::PsuUnknown, "PSU-ID"))?;
    let context = headers.context.unwrap_or(match headers.psu_corporate_id {
        Some(_) => Context::Corporate,
        None => Context::Private,
    });
    let corporate = match headers.psu_corporate_id.filter(|_| context == Context::Corporate) {
        Some(id) => Some(corporate(store.corporate_by_id(tpp, &psu, id))?),
        None => None,
    };
    Ok(ActingPsu { psu, context, corporate })
}

fn corporate(found: EngineResult<Option<CorporateKey>>) -> Result<CorporateKey, Stop> {
    found?.ok_or_else(|| Refusal::at(Reason::CorporateIdUnknown, "PSU-Corporate-ID").into())
}

/// The person alone, for records that keep no more.
pub(crate) fn person(psu: Option<&ActingPsu>) -> Option<PsuKey> {
    psu.map(|acting| acting.psu.clone())
}
