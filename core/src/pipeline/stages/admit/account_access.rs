//! Who reads account data, and whether they may: the facts for the table of access, read in its order.

use chrono::NaiveDate;

use super::caller::Caller;
use super::found_account::{find, in_consent};
use crate::bank::{ScaDemand, ScaOccasion};
use crate::consent::consent_rules::{first_day_without_sca, what, who, Denial, NamedSession, What, Who};
use crate::consent::record::Consent;
use crate::error::Result as EngineResult;
use crate::handler_error::HandlerError;
use crate::pipeline::access::{Access, ExpectedPsu, Granted, ScaRequired};
use crate::pipeline::account_read::{AccountOf, AccountRead, Found, Requested};
use crate::pipeline::call_context::CallContext;
use crate::pipeline::sca_requirement::sca_requirement;
use crate::pipeline::stages::authorise::Authorised;
use crate::reason::{Reason, Refusal};
use crate::sca::record::Purpose;
use crate::store::CountedAccess;
use crate::types::ActingPsu;

/// Whether the call may read what it asks for.
pub(super) fn access(
    authorised: &Authorised<'_>,
    requested: &AccountRead<Requested>,
) -> Result<Access, HandlerError> {
    let context = authorised.context();
    let caller = Caller::read(authorised, context.store())?;
    let question = Question { authorised, context, requested, caller };
    match question.reader()? {
        Ok(reader) => question.read(reader),
        Err(denial) => question.denied(denial),
    }
}

/// May this caller read that?
struct Question<'q> {
    authorised: &'q Authorised<'q>,
    context: &'q CallContext<'q>,
    requested: &'q AccountRead<Requested>,
    caller: Caller,
}

/// Who reads.
struct Reader {
    psu: ActingPsu,
    /// What the PSU opened.
    consent: Consent,
    /// Whether the bank exempts it from an SCA that the rules ask for.
    is_exempt: bool,
}

impl Question<'_> {
    fn reader(&self) -> EngineResult<Result<Reader, Denial>> {
        let facts = self.caller.facts(self.context.now);
        let judged = who(&facts);
        let is_exempt = match (&judged, self.caller.acting()) {
            (Err(denial), Some(acting)) if denial.is_exemptible() => {
                self.sca_demand(&acting, true)? == ScaDemand::Exempt
            }
            _ => false,
        };
        let judged = match is_exempt {
            true => who(&Who { session: &NamedSession::None, ..facts }),
            false => judged,
        };
        Ok(judged.map(|(psu, consent)| Reader { psu, consent: consent.clone(), is_exempt }))
    }

    /// Whether that reader may read what is asked for.
    fn read(&self, reader: Reader) -> Result<Access, HandlerError> {
        let Reader { psu, consent, is_exempt } = reader;
        let found = find(self.context.bank(), &psu, self.requested)?;
        let counted = self.counted(&psu, found.as_ref());
        if let Err(denial) = what(&self.facts(found.as_ref(), &consent, counted.as_ref())?) {
            return self.denied(denial);
        }
        // Where the rules ask for no SCA the bank is asked now, of a call that is in order otherwise.
        if !is_exempt && self.sca_demand(&psu, false)? == ScaDemand::Demanded {
            return Ok(self.sca_required(Reason::ScaDemanded.into()));
        }
        let read = found.ok_or(Reason::AccountUnknown)?;
        let history_begins = self.history_begins();
        Ok(Access::Granted(Box::new(Granted { psu, consent, read, history_begins, counted })))
    }

    fn denied(&self, denial: Denial) -> Result<Access, HandlerError> {
        match denial {
            Denial::Refused(refusal) => Err(refusal.into()),
            Denial::ScaRequired(refusal) => Ok(self.sca_required(refusal)),
        }
    }

    fn sca_required(&self, refusal: Refusal) -> Access {
        let expected: ExpectedPsu = self.caller.expected();
        Access::ScaRequired(Box::new(ScaRequired { refusal, purpose: Purpose::Consent, expected }))
    }

    /// What the table of access asks of what is to be read.
    fn facts(
        &self,
        found: Option<&AccountRead<Found>>,
        consent: &Consent,
        counted: Option<&CountedAccess>,
    ) -> EngineResult<What> {
        let context = self.context;
        let is_detail = matches!(self.requested, AccountRead::Transaction { .. });
        let calls_today =
            counted.map(|counted| context.store().quotas().access_count(counted)).transpose()?;
        Ok(What {
            account: in_consent(found, consent),
            is_late_detail: is_detail
                && !self.is_psu_present()
                && !consent.allows_details_without_psu_at(context.now),
            has_open_session: self.caller.has_open_session(context.now),
            date_from: self.requested.list_query().and_then(|query| query.part.from),
            today: context.today(),
            calls_today,
            calls_max: context.policy.calls_without_psu_per_day,
        })
    }

    /// By what the call is counted: with the PSU there, by nothing.
    fn counted(&self, psu: &ActingPsu, found: Option<&AccountRead<Found>>) -> Option<CountedAccess> {
        let operation = self.authorised.parsed().operation();
        let account = match found?.account() {
            AccountOf::Account(account) => account.id.as_str(),
            AccountOf::Card(card) => card.id.as_str(),
            AccountOf::All => return None,
        };
        (operation.is_counted() && !self.is_psu_present()).then(|| CountedAccess {
            tpp: self.authorised.tpp().to_owned(),
            psu: psu.psu.clone(),
            account: account.to_owned(),
            operation: operation.name.to_owned(),
            day: self.context.today(),
        })
    }

    /// Within the hour the whole history is open; otherwise it begins where no SCA is asked for.
    fn history_begins(&self) -> Option<NaiveDate> {
        (!self.caller.has_open_session(self.context.now)).then(|| first_day_without_sca(self.context.today()))
    }

    /// What the bank says to this PSU's reading without an SCA.
    fn sca_demand(&self, psu: &ActingPsu, is_ruled: bool) -> EngineResult<ScaDemand> {
        let parsed = self.authorised.parsed();
        let occasion = ScaOccasion::AccountInformation {
            operation: parsed.operation().name,
            is_ruled,
            sca_completed_at: self.caller.sca_completed_at(),
        };
        let bank = self.context.bank();
        sca_requirement(bank, parsed.call_headers(), self.authorised.tpp(), psu, occasion)
    }

    fn is_psu_present(&self) -> bool {
        self.authorised.parsed().call_headers().ip_address.is_some()
    }
}
