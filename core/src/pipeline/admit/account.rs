//! Who reads account data, and whether they may: the facts for the table of access, read in its order.

use chrono::{DateTime, NaiveDate, Utc};

use super::{Access, Expected, ScaRequired};
use crate::account::query::ListQuery;
use crate::account::record::{Account, CardAccount};
use crate::bank::{Bank, ScaDemand, ScaOccasion};
use crate::consent::decide::{
    first_day_without_sca, named_context, what, who, Denial, NamedAccount, NamedSession, What, Who,
};
use crate::consent::record::Consent;
use crate::error::Result as EngineResult;
use crate::pipeline::asked_for;
use crate::pipeline::authorise::Authorised;
use crate::pipeline::parse::{Information, Named};
use crate::pipeline::parts::Parts;
use crate::pipeline::risk::demand;
use crate::pipeline::stop::Stop;
use crate::reason::{Reason, Refusal};
use crate::sca::record::Purpose;
use crate::session::machine::SessionState;
use crate::session::record::Session;
use crate::store::{CountedAccess, Store};
use crate::types::{date, ActingPsu, Context, CorporateKey, PsuKey, TransactionId};

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

/// What is to be read, of accounts that the PSU opened.
pub(crate) enum Reading {
    Accounts { with_balance: bool },
    Account { account: Account, with_balance: bool },
    Balances { account: Account },
    Transactions { account: Account, query: ListQuery },
    Transaction { account: Account, transaction: Option<TransactionId> },
    CardAccounts,
    CardAccount { card: CardAccount },
    CardBalances { card: CardAccount },
    CardTransactions { card: CardAccount, query: ListQuery },
}

/// Whether the call may read what it asks for.
pub(super) fn reads(
    authorised: &Authorised<'_>,
    information: &Information,
    parts: &Parts,
    now: DateTime<Utc>,
) -> Result<Access, Stop> {
    let caller = Caller::read(authorised, parts.store())?;
    let facts = caller.facts(now);
    let mut judged = who(&facts);
    let is_ruled = matches!(&judged, Err(denial) if denial.is_exemptible());
    let mut asked_before = None;
    if let (true, Some(acting)) = (is_ruled, caller.acting()) {
        let asked = risk(authorised, &caller, &acting, is_ruled, parts)?;
        if asked == ScaDemand::Exempt {
            judged = who(&Who { session: NamedSession::None, ..facts });
        }
        asked_before = Some(asked);
    }
    let (psu, consent) = match judged {
        Ok((psu, consent)) => (psu, consent.clone()),
        Err(denial) => return denied(denial, caller.expected()),
    };
    let found = find(parts.bank(), &psu, information.named())?;
    let is_detail = matches!(information, Information::Transaction { .. });
    let is_present = authorised.parsed().call_headers().ip_address.is_some();
    let has_open_session = caller.has_open_session(now);
    let today = date::oslo_day(now);
    let counted = counted(authorised, &psu, &found, today).filter(|_| !is_present);
    let facts = What {
        account: found.standing(&consent),
        is_late_detail: is_detail && !is_present && !consent.allows_details_without_psu_at(now),
        has_open_session,
        date_from: information.list_query().and_then(|query| query.part.from),
        today,
        calls_today: counted.as_ref().map(|counted| parts.store().access_count(counted)).transpose()?,
        calls_max: authorised.parsed().policy().calls_without_psu_per_day,
    };
    if let Err(denial) = what(&facts) {
        return denied(denial, caller.expected());
    }
    // Where the rules ask for no SCA the bank is asked now, of a call that is in order otherwise.
    let asked = match asked_before {
        Some(asked) => asked,
        None => risk(authorised, &caller, &psu, is_ruled, parts)?,
    };
    if asked == ScaDemand::Demanded {
        return denied(Denial::ScaRequired(Reason::ScaDemanded.into()), caller.expected());
    }
    // Within the hour the whole history is open; otherwise it begins where none is asked for.
    let limited = |query: &ListQuery| match has_open_session {
        true => *query,
        false => query.or_from(first_day_without_sca(today)),
    };
    let reading = found.reading(information, limited).ok_or(Reason::AccountUnknown)?;
    Ok(Access::Granted(Box::new(Granted { psu, consent, reading, counted })))
}

fn risk(
    authorised: &Authorised<'_>,
    caller: &Caller,
    psu: &ActingPsu,
    is_ruled: bool,
    parts: &Parts,
) -> EngineResult<ScaDemand> {
    let parsed = authorised.parsed();
    let session = caller.session.as_ref().and_then(Option::as_ref);
    let occasion = ScaOccasion::AccountInformation {
        operation: parsed.operation().name,
        is_ruled,
        sca_completed_at: session.map(|session| session.opened_at),
    };
    demand(parts, parsed, authorised.tpp(), psu, occasion)
}

fn denied(denial: Denial, expected: Expected) -> Result<Access, Stop> {
    match denial {
        Denial::Refused(refusal) => Err(refusal.into()),
        Denial::ScaRequired(refusal) => {
            Ok(Access::ScaRequired(Box::new(ScaRequired { refusal, purpose: Purpose::Consent, expected })))
        }
    }
}

/// The agreements of a PSU need no consent: they say which customer a consent could be for. Whoever is not
/// known yet is sent to an SCA that makes them so, and opens nothing.
pub(super) fn lists_agreements(
    authorised: &Authorised<'_>,
    store: &dyn Store,
) -> Result<(Option<ActingPsu>, Access), Stop> {
    let headers = authorised.parsed().call_headers();
    let psu = match headers.psu_id {
        Some(psu_id) => store.psu_by_id(authorised.tpp(), psu_id)?,
        None => None,
    };
    Ok(match psu {
        Some(psu) => (Some(ActingPsu { psu, context: Context::Private, corporate: None }), Access::Open),
        None => {
            let refusal = Refusal::at(Reason::PsuNotIdentified, "PSU-ID");
            let expected = Expected { context: headers.context, ..Expected::default() };
            let required = ScaRequired { refusal, purpose: Purpose::Identification, expected };
            (None, Access::ScaRequired(Box::new(required)))
        }
    })
}

/// Who is to complete an SCA that this call is sent to.
pub(super) fn expected(authorised: &Authorised<'_>, store: &dyn Store) -> EngineResult<Expected> {
    Caller::read(authorised, store).map(|caller| caller.expected())
}

/// Whom the headers name, and what the store knows of them.
struct Caller {
    context: Option<Context>,
    names_corporate: bool,
    psu: Option<PsuKey>,
    corporate: Option<CorporateKey>,
    consent: Option<Consent>,
    /// `Some(None)`: one that was never seen.
    session: Option<Option<Session>>,
}

impl Caller {
    fn read(authorised: &Authorised<'_>, store: &dyn Store) -> EngineResult<Self> {
        let headers = authorised.parsed().call_headers();
        let tpp = authorised.tpp();
        let session = headers.session_id.as_ref().map(|id| store.session(tpp, id)).transpose()?;
        let corporate_id = headers.psu_corporate_id;
        let known_session = session.as_ref().and_then(Option::as_ref);
        let context = named_context(headers.context, known_session, corporate_id.is_some());
        let psu = match headers.psu_id {
            Some(psu_id) => store.psu_by_id(tpp, psu_id)?,
            None => None,
        };
        let corporate = match (&psu, corporate_id) {
            (Some(psu), Some(id)) => store.corporate_by_id(tpp, psu, id)?,
            _ => None,
        };
        let mut caller =
            Self { context, names_corporate: corporate_id.is_some(), psu, corporate, consent: None, session };
        caller.consent = match caller.acting() {
            Some(acting) => store.consent(tpp, &acting)?,
            None => None,
        };
        Ok(caller)
    }

    fn context(&self) -> Context {
        self.context.unwrap_or(Context::Private)
    }

    /// The PSU in its role, where all that belongs to it is known.
    fn acting(&self) -> Option<ActingPsu> {
        let (psu, context, corporate) = (self.psu.clone()?, self.context(), self.acted_for());
        let is_whole = context == Context::Private || corporate.is_some();
        is_whole.then_some(ActingPsu { psu, context, corporate })
    }

    /// The corporate customer that the PSU acts for: none in a private context, whatever PSU-Corporate-ID names.
    fn acted_for(&self) -> Option<CorporateKey> {
        self.corporate.clone().filter(|_| self.context() == Context::Corporate)
    }

    fn facts(&self, now: DateTime<Utc>) -> Who<'_> {
        Who {
            context: self.context(),
            names_corporate: self.names_corporate,
            psu: self.psu.as_ref(),
            corporate: self.corporate.as_ref(),
            consent: self.consent.as_ref(),
            session: match &self.session {
                None => NamedSession::None,
                Some(None) => NamedSession::Unknown,
                Some(Some(session)) => NamedSession::Known(session),
            },
            now,
        }
    }

    fn has_open_session(&self, now: DateTime<Utc>) -> bool {
        let session = self.session.as_ref().and_then(Option::as_ref);
        session.is_some_and(|session| session.state_at(now) == SessionState::Open)
    }

    fn expected(&self) -> Expected {
        Expected { psu: self.psu.clone(), identity: None, context: self.context, corporate: self.acted_for() }
    }
}

/// The named account as the bank knows it for this PSU.
enum Found {
    All,
    Account(Account),
    Card(CardAccount),
    Nothing,
}

fn find(bank: &dyn Bank, psu: &ActingPsu, named: Named<'_>) -> EngineResult<Found> {
    let found = match named {
        Named::None => Some(Found::All),
        Named::Account(Some(id)) => asked_for::account(bank, psu, id)?.map(Found::Account),
        Named::Card(Some(id)) => asked_for::card_account(bank, psu, id)?.map(Found::Card),
        Named::Account(None) | Named::Card(None) => None,
    };
    Ok(found.unwrap_or(Found::Nothing))
}

/// By what a call of a counted operation is counted.
fn counted(
    authorised: &Authorised<'_>,
    psu: &ActingPsu,
    found: &Found,
    day: NaiveDate,
) -> Option<CountedAccess> {
    let account = match found {
        Found::Account(account) => account.id.as_str(),
        Found::Card(card) => card.id.as_str(),
        Found::All | Found::Nothing => return None,
    };
    let operation = authorised.parsed().operation();
    operation.is_counted().then(|| CountedAccess {
        tpp: authorised.tpp().to_owned(),
        psu: psu.psu.clone(),
        account: account.to_owned(),
        operation: operation.name.to_owned(),
        day,
    })
}

impl Found {
    fn standing(&self, consent: &Consent) -> NamedAccount {
        let open_if = |is_open| if is_open { NamedAccount::Open } else { NamedAccount::Closed };
        match self {
            Self::All => NamedAccount::None,
            Self::Nothing => NamedAccount::Unknown,
            Self::Account(account) => open_if(consent.accounts.contains(&account.id)),
            Self::Card(card) => open_if(consent.card_accounts.contains(&card.id)),
        }
    }

    /// What is to be read, with the account in the place of its id. `None` where the two do not fit.
    fn reading(
        self,
        information: &Information,
        limited: impl Fn(&ListQuery) -> ListQuery,
    ) -> Option<Reading> {
        Some(match (information, self) {
            (Information::Accounts { with_balance }, Self::All) => {
                Reading::Accounts { with_balance: *with_balance }
            }
            (Information::Account { with_balance, .. }, Self::Account(account)) => {
                Reading::Account { account, with_balance: *with_balance }
            }
            (Information::Balances { .. }, Self::Account(account)) => Reading::Balances { account },
            (Information::Transactions { query, .. }, Self::Account(account)) => {
                Reading::Transactions { account, query: limited(query) }
            }
            (Information::Transaction { transaction, .. }, Self::Account(account)) => {
                Reading::Transaction { account, transaction: transaction.clone() }
            }
            (Information::CardAccounts, Self::All) => Reading::CardAccounts,
            (Information::CardAccount { .. }, Self::Card(card)) => Reading::CardAccount { card },
            (Information::CardBalances { .. }, Self::Card(card)) => Reading::CardBalances { card },
            (Information::CardTransactions { query, .. }, Self::Card(card)) => {
                Reading::CardTransactions { card, query: limited(query) }
            }
            _ => return None,
        })
    }
}
