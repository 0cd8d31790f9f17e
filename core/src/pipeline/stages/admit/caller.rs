//! Whom a call for account data speaks for, as far as the store knows them.

use chrono::{DateTime, Utc};

use crate::consent::consent_rules::{named_context, NamedSession, Who};
use crate::consent::record::Consent;
use crate::error::Result;
use crate::pipeline::access::ExpectedPsu;
use crate::pipeline::named_psu;
use crate::pipeline::stages::authorise::Authorised;
use crate::session::machine::SessionState;
use crate::session::record::Session;
use crate::store::Store;
use crate::types::{ActingPsu, Context, CorporateKey, Party, PsuKey};

/// Whom the headers name, and what the store knows of them.
pub(super) struct Caller {
    context: Option<Context>,
    names_corporate: bool,
    psu: Option<PsuKey>,
    corporate: Option<CorporateKey>,
    consent: Option<Consent>,
    session: NamedSession,
}

impl Caller {
    pub(super) fn read(authorised: &Authorised<'_>, store: &dyn Store) -> Result<Self> {
        let headers = authorised.parsed().call_headers();
        let tpp = authorised.tpp();
        let session = match &headers.session_id {
            Some(id) => store.sca().session(tpp, id)?.map_or(NamedSession::Unknown, NamedSession::Known),
            None => NamedSession::None,
        };
        let corporate_id = headers.psu_corporate_id;
        let names_corporate = corporate_id.is_some();
        let psu = named_psu::psu(headers, tpp, store)?;
        // A session that another person opened is ignored for this one.
        let is_other = |session: &&Session| psu.as_ref().is_some_and(|psu| *psu != session.psu.psu);
        let own = session.known().filter(|session| !is_other(session));
        let context = named_context(headers.context, own, names_corporate);
        let corporate = named_psu::corporate(corporate_id, psu.as_ref(), tpp, store)?;
        let mut caller = Self { context, names_corporate, psu, corporate, consent: None, session };
        caller.consent = match caller.acting() {
            Some(acting) => store.consents().consent(tpp, &acting)?,
            None => None,
        };
        Ok(caller)
    }

    fn context(&self) -> Context {
        self.context.unwrap_or(Context::Private)
    }

    /// The PSU in its role, where all that belongs to it is known.
    pub(super) fn acting(&self) -> Option<ActingPsu> {
        let (psu, context, corporate) = (self.psu.clone()?, self.context(), self.acted_for());
        let is_whole = context == Context::Private || corporate.is_some();
        is_whole.then_some(ActingPsu { psu, context, corporate })
    }

    /// The corporate customer that the PSU acts for: none in a private context, even if PSU-Corporate-ID names one.
    fn acted_for(&self) -> Option<CorporateKey> {
        self.corporate.clone().filter(|_| self.context() == Context::Corporate)
    }

    /// What the table of access asks of the caller.
    pub(super) fn facts(&self, now: DateTime<Utc>) -> Who<'_> {
        Who {
            context: self.context(),
            names_corporate: self.names_corporate,
            psu: self.psu.as_ref(),
            corporate: self.corporate.as_ref(),
            consent: self.consent.as_ref(),
            session: &self.session,
            now,
        }
    }

    /// Whether an SCA was completed within the hour, under the session that the call names.
    pub(super) fn has_open_session(&self, now: DateTime<Utc>) -> bool {
        self.session.known().is_some_and(|session| session.state_at(now) == SessionState::Open)
    }

    /// When the SCA under that session was completed.
    pub(super) fn sca_completed_at(&self) -> Option<DateTime<Utc>> {
        self.session.known().map(|session| session.opened_at)
    }

    /// Who is to complete an SCA that the call is sent to.
    pub(super) fn expected(&self) -> ExpectedPsu {
        let party = Party { psu: self.psu.clone(), context: self.context, corporate: self.acted_for() };
        ExpectedPsu { party, identity: None }
    }
}
