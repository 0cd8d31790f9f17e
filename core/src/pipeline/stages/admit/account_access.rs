//! Who reads account data, and whether they may: the facts for the table of access, read in its order.

use chrono::{DateTime, NaiveDate, Utc};

use super::caller::Caller;
use super::found_account::{find, Found, Reading};
use super::{Access, ScaRequired};
use crate::bank::{ScaDemand, ScaOccasion};
use crate::consent::consent_rules::{first_day_without_sca, what, who, Denial, NamedSession, What, Who};
use crate::consent::record::Consent;
use crate::error::{Error, Result as EngineResult};
use crate::handler_error::HandlerError;
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::sca_requirement::sca_requirement;
use crate::pipeline::stages::authorise::Authorised;
use crate::pipeline::stages::parse::Information;
use crate::reason::{Reason, Refusal};
use crate::sca::record::Purpose;
use crate::store::CountedAccess;
use crate::types::{date, ActingPsu};

/// Access to what a PSU opened.
pub(crate) struct Granted {
    /// The PSU in its role.
    pub(crate) psu: ActingPsu,
    /// What it opened.
    pub(crate) consent: Consent,
    /// What is to be read.
    pub(crate) reading: Reading,
    /// By what the call is counted, where it is.
    pub(crate) counted: Option<CountedAccess>,
}

/// Whether the call may read what it asks for.
pub(super) fn reads(
    authorised: &Authorised<'_>,
    information: &Information,
    engine: &EngineContext,
    now: DateTime<Utc>,
) -> Result<Access, HandlerError> {
    let caller = Caller::read(authorised, engine.store())?;
    let expected = caller.expected();
    match (Question { authorised, information, caller, engine, now }).granted() {
        Ok(granted) => Ok(Access::Granted(Box::new(granted))),
        Err(Halt::ScaRequired(refusal)) => {
            Ok(Access::ScaRequired(Box::new(ScaRequired { refusal, purpose: Purpose::Consent, expected })))
        }
        Err(Halt::HandlerError(stop)) => Err(stop),
    }
}

/// Why nothing is read.
enum Halt {
    /// An SCA would cure it.
    ScaRequired(Refusal),
    /// Nothing in this call would.
    HandlerError(HandlerError),
}

impl From<Denial> for Halt {
    fn from(denial: Denial) -> Self {
        match denial {
            Denial::Refused(refusal) => Self::HandlerError(refusal.into()),
            Denial::ScaRequired(refusal) => Self::ScaRequired(refusal),
        }
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::HandlerError(error.into())
    }
}

/// May this caller read that?
struct Question<'q> {
    authorised: &'q Authorised<'q>,
    information: &'q Information,
    caller: Caller,
    engine: &'q EngineContext,
    now: DateTime<Utc>,
}

impl Question<'_> {
    fn granted(&self) -> Result<Granted, Halt> {
        let (psu, consent, is_exempt) = self.reader()?;
        let found = find(self.engine.bank(), &psu, self.information.named())?;
        let counted = self.counted(&psu, &found);
        what(&self.facts(&found, &consent, counted.as_ref())?)?;
        // Where the rules ask for no SCA the bank is asked now, of a call that is in order otherwise.
        if !is_exempt && self.demand(&psu, false)? == ScaDemand::Demanded {
            return Err(Halt::ScaRequired(Reason::ScaDemanded.into()));
        }
        let reading = found.reading(self.information, self.history_begins());
        let reading = reading.ok_or_else(|| Halt::HandlerError(Reason::AccountUnknown.into()))?;
        Ok(Granted { psu, consent, reading, counted })
    }

    /// The PSU, what it opened, and whether the bank exempts it from an SCA that the rules ask for.
    fn reader(&self) -> Result<(ActingPsu, Consent, bool), Halt> {
        let facts = self.caller.facts(self.now);
        let judged = who(&facts);
        let is_exempt = match (&judged, self.caller.acting()) {
            (Err(denial), Some(acting)) if denial.is_exemptible() => {
                self.demand(&acting, true)? == ScaDemand::Exempt
            }
            _ => false,
        };
        let (psu, consent) = match is_exempt {
            true => who(&Who { session: &NamedSession::None, ..facts })?,
            false => judged?,
        };
        Ok((psu, consent.clone(), is_exempt))
    }

    /// What the table of access asks of what is to be read.
    fn facts(&self, found: &Found, consent: &Consent, counted: Option<&CountedAccess>) -> EngineResult<What> {
        let is_detail = matches!(self.information, Information::Transaction { .. });
        let calls_today = counted.map(|counted| self.engine.store().access_count(counted)).transpose()?;
        Ok(What {
            account: found.standing(consent),
            is_late_detail: is_detail
                && !self.is_psu_present()
                && !consent.allows_details_without_psu_at(self.now),
            has_open_session: self.caller.has_open_session(self.now),
            date_from: self.information.list_query().and_then(|query| query.part.from),
            today: self.today(),
            calls_today,
            calls_max: self.authorised.parsed().policy().calls_without_psu_per_day,
        })
    }

    /// By what the call is counted: with the PSU there, by nothing.
    fn counted(&self, psu: &ActingPsu, found: &Found) -> Option<CountedAccess> {
        let operation = self.authorised.parsed().operation();
        let account = found.account_id().filter(|_| operation.is_counted() && !self.is_psu_present())?;
        Some(CountedAccess {
            tpp: self.authorised.tpp().to_owned(),
            psu: psu.psu.clone(),
            account: account.to_owned(),
            operation: operation.name.to_owned(),
            day: self.today(),
        })
    }

    /// Within the hour the whole history is open; otherwise it begins where no SCA is asked for.
    fn history_begins(&self) -> Option<NaiveDate> {
        (!self.caller.has_open_session(self.now)).then(|| first_day_without_sca(self.today()))
    }

    /// What the bank says to this PSU's reading without an SCA.
    fn demand(&self, psu: &ActingPsu, is_ruled: bool) -> EngineResult<ScaDemand> {
        let parsed = self.authorised.parsed();
        let occasion = ScaOccasion::AccountInformation {
            operation: parsed.operation().name,
            is_ruled,
            sca_completed_at: self.caller.sca_completed_at(),
        };
        sca_requirement(self.engine, parsed, self.authorised.tpp(), psu, occasion)
    }

    fn is_psu_present(&self) -> bool {
        self.authorised.parsed().call_headers().ip_address.is_some()
    }

    fn today(&self) -> NaiveDate {
        date::oslo_day(self.now)
    }
}
