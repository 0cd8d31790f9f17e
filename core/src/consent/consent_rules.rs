//! Whether account data may be read: one table, from top to bottom. The first row that applies answers.
//!
//! It comes in two halves, because the second needs the bank: who reads (rows 1 to 7), and what (rows 8 to 12).

use chrono::{DateTime, NaiveDate, Utc};

use super::machine::ConsentStatus;
use super::record::Consent;
use crate::limits::{CONSENT_LIFE_DAYS, DETAILS_WITHOUT_PSU_DAYS, HISTORY_WITHOUT_SCA_DAYS};
use crate::reason::{Reason, Refusal, Violation};
use crate::session::machine::SessionState;
use crate::session::record::Session;
use crate::types::{ActingPsu, Context, CorporateKey, PsuKey};

/// Why account data may not be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Denial {
    /// The call is refused.
    Refused(Refusal),
    /// The call is refused, and an SCA would cure it: the answer carries its link.
    ScaRequired(Refusal),
}

impl Denial {
    /// Whether the bank may exempt the call from the SCA that it asks for: where all that is wrong is that no SCA was
    /// completed under its session. The PSU consented within 180 days, so that balances and the recent history need
    /// none by law (Delegated Regulation (EU) 2018/389, article 10). Nothing opens what was not consented to.
    pub(crate) fn is_exemptible(&self) -> bool {
        matches!(self, Self::ScaRequired(refusal) if refusal.reason() == Reason::SessionUnknown)
    }
}

/// The session that a call names.
#[derive(Debug)]
pub(crate) enum NamedSession {
    /// None.
    None,
    /// One that this TPP never completed an SCA under.
    Unknown,
    /// This one of the TPP's.
    Known(Session),
}

impl NamedSession {
    /// The session, where it is one.
    pub(crate) fn known(&self) -> Option<&Session> {
        match self {
            Self::None | Self::Unknown => None,
            Self::Known(session) => Some(session),
        }
    }
}

/// What is known of the caller.
pub(crate) struct Who<'f> {
    /// The context of the call.
    pub(crate) context: Context,
    /// Whether PSU-Corporate-ID was sent.
    pub(crate) names_corporate: bool,
    /// Whom PSU-ID names.
    pub(crate) psu: Option<&'f PsuKey>,
    /// Whom PSU-Corporate-ID names.
    pub(crate) corporate: Option<&'f CorporateKey>,
    /// What this PSU opened to the TPP in that role.
    pub(crate) consent: Option<&'f Consent>,
    /// The session.
    pub(crate) session: &'f NamedSession,
    /// The present.
    pub(crate) now: DateTime<Utc>,
}

/// Rows 1 to 7. The PSU in its role, and its consent.
///
/// # Errors
/// The row that applies.
pub(crate) fn who<'f>(facts: &Who<'f>) -> Result<(ActingPsu, &'f Consent), Denial> {
    let is_corporate = facts.context == Context::Corporate;
    if is_corporate && !facts.names_corporate {
        return Err(refused_at(Reason::CorporateIdNeeded, "PSU-Corporate-ID"));
    }
    let psu = facts.psu.ok_or_else(|| needs_sca_at(Reason::PsuNotIdentified, "PSU-ID"))?;
    if facts.names_corporate && facts.corporate.is_none() {
        return Err(refused_at(Reason::CorporateIdUnknown, "PSU-Corporate-ID"));
    }
    let corporate = facts.corporate.filter(|_| is_corporate).cloned();
    let acting = ActingPsu { psu: psu.clone(), context: facts.context, corporate };
    let consent = facts.consent.ok_or_else(|| needs_sca(Reason::ConsentUnknown))?;
    match consent.status_at(facts.now) {
        ConsentStatus::Valid => {}
        ConsentStatus::RevokedByPsu => return Err(needs_sca(Reason::ConsentUnknown)),
        ConsentStatus::Expired => {
            return Err(needs_sca(Violation::with(Reason::ConsentExpired, &[&CONSENT_LIFE_DAYS])))
        }
    }
    check_session(facts, &acting)?;
    Ok((acting, consent))
}

fn check_session(facts: &Who<'_>, acting: &ActingPsu) -> Result<(), Denial> {
    const NAME: &str = "TPP-Session-ID";
    match facts.session {
        NamedSession::None => Ok(()),
        NamedSession::Unknown => Err(needs_sca_at(Reason::SessionUnknown, NAME)),
        NamedSession::Known(session) if session.psu != *acting => {
            Err(needs_sca_at(Reason::SessionOfAnother, NAME))
        }
        NamedSession::Known(session) => match session.state_at(facts.now) {
            SessionState::Replaced => Err(needs_sca_at(Reason::SessionReplaced, NAME)),
            SessionState::Open | SessionState::Expired => Ok(()),
        },
    }
}

/// The account that a call names, as the bank and the consent know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedAccount {
    /// The call is about the list of all.
    None,
    /// It is not an account of this PSU in this role.
    Unknown,
    /// It is, and the PSU did not open it to this TPP.
    Closed,
    /// The PSU opened it.
    Open,
}

/// What is known of what is to be read.
pub(crate) struct What {
    /// The account.
    pub(crate) account: NamedAccount,
    /// Whether transaction details are asked for without the PSU, 90 days or more after the last consent SCA.
    pub(crate) is_late_detail: bool,
    /// Whether an SCA was completed within the hour, under the session that the call names.
    pub(crate) has_open_session: bool,
    /// The first day of the history asked for, where the TPP named one.
    pub(crate) date_from: Option<NaiveDate>,
    /// The present day in Oslo.
    pub(crate) today: NaiveDate,
    /// How many calls like this were counted today; `None` for one that is not counted.
    pub(crate) calls_today: Option<u32>,
    /// How many of them a day has (policy `calls_without_psu_per_day`).
    pub(crate) calls_max: u32,
}

/// Rows 8 to 12.
///
/// # Errors
/// The row that applies.
pub(crate) fn what(facts: &What) -> Result<(), Denial> {
    match facts.account {
        NamedAccount::Unknown => return Err(Denial::Refused(Reason::AccountUnknown.into())),
        NamedAccount::Closed => return Err(needs_sca(Reason::AccountNotGranted)),
        NamedAccount::None | NamedAccount::Open => {}
    }
    if facts.is_late_detail {
        return Err(needs_sca(Violation::with(Reason::DetailsNeedSca, &[&DETAILS_WITHOUT_PSU_DAYS])));
    }
    let first_day = first_day_without_sca(facts.today);
    if !facts.has_open_session && facts.date_from.is_some_and(|from| from < first_day) {
        let violation = Violation::with(Reason::HistoryNeedsSca, &[&HISTORY_WITHOUT_SCA_DAYS]);
        return Err(needs_sca_at(violation, "dateFrom"));
    }
    match facts.calls_today {
        Some(calls) if calls >= facts.calls_max => Err(Denial::Refused(access_exceeded(facts.calls_max))),
        _ => Ok(()),
    }
}

/// The first day of the history that is read without an SCA.
pub(crate) fn first_day_without_sca(today: NaiveDate) -> NaiveDate {
    today.checked_sub_days(chrono::Days::new(HISTORY_WITHOUT_SCA_DAYS)).unwrap_or(NaiveDate::MIN)
}

/// The refusal of one call more than a day has.
pub(crate) fn access_exceeded(calls_max: u32) -> Refusal {
    Refusal::new(Violation::with(Reason::AccessExceeded, &[&calls_max]))
}

/// The context of a call: the named one, else the session's, else that of a named corporate customer. `None`
/// where nothing says it: such a call is a private one, and an SCA that it needs lets the PSU choose.
pub(crate) fn named_context(
    header: Option<Context>,
    session: Option<&Session>,
    names_corporate: bool,
) -> Option<Context> {
    let of_session = || session.map(|session| session.psu.context);
    let of_corporate = || names_corporate.then_some(Context::Corporate);
    header.or_else(of_session).or_else(of_corporate)
}

fn refused_at(violation: impl Into<Violation>, path: &str) -> Denial {
    Denial::Refused(Refusal::at(violation, path))
}

fn needs_sca(violation: impl Into<Violation>) -> Denial {
    Denial::ScaRequired(Refusal::new(violation))
}

fn needs_sca_at(violation: impl Into<Violation>, path: &str) -> Denial {
    Denial::ScaRequired(Refusal::at(violation, path))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use chrono::TimeDelta;

    use super::*;
    use crate::types::{AuthorisationId, ID_BYTES};

    /// Facts of both halves that let everything pass, for a test to spoil.
    struct Facts {
        context: Context,
        names_corporate: bool,
        psu: Option<PsuKey>,
        corporate: Option<CorporateKey>,
        consent: Option<Consent>,
        session: NamedSession,
        what: What,
    }

    impl Facts {
        fn who(&self) -> Who<'_> {
            Who {
                context: self.context,
                names_corporate: self.names_corporate,
                psu: self.psu.as_ref(),
                corporate: self.corporate.as_ref(),
                consent: self.consent.as_ref(),
                session: &self.session,
                now: now(),
            }
        }
    }

    fn now() -> DateTime<Utc> {
        "2026-09-01T10:00:00Z".parse().unwrap()
    }

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn sound() -> Facts {
        let corporate = CorporateKey::new("firma");
        let kari = PsuKey::new("kari");
        let psu =
            ActingPsu { psu: kari.clone(), context: Context::Corporate, corporate: Some(corporate.clone()) };
        let (tpp, id) = (Arc::<str>::from("PSDNO-FSA-1"), "s".to_owned());
        Facts {
            context: Context::Corporate,
            names_corporate: true,
            psu: Some(kari),
            corporate: Some(corporate),
            consent: Some(Consent {
                tpp: tpp.clone(),
                psu: psu.clone(),
                tpp_name: None,
                granted_at: now(),
                last_access_at: None,
                is_revoked: false,
                accounts: BTreeSet::new(),
                card_accounts: BTreeSet::new(),
            }),
            session: NamedSession::Known(Session {
                tpp,
                id,
                psu,
                opened_at: now(),
                first_sca: AuthorisationId::from_bytes([0; ID_BYTES]),
                is_replaced: false,
            }),
            what: What {
                account: NamedAccount::Open,
                is_late_detail: false,
                has_open_session: false,
                date_from: None,
                today: day("2026-09-01"),
                calls_today: Some(3),
                calls_max: 4,
            },
        }
    }

    /// The reason of the answer, and whether it carries a link. `None`: the call may go on.
    fn judged(facts: &Facts) -> Option<(Reason, bool)> {
        match who(&facts.who()).map(drop).and_then(|()| what(&facts.what)) {
            Ok(()) => None,
            Err(Denial::Refused(refusal)) => Some((refusal.reason(), false)),
            Err(Denial::ScaRequired(refusal)) => Some((refusal.reason(), true)),
        }
    }

    fn consent(facts: &mut Facts) -> &mut Consent {
        facts.consent.as_mut().unwrap()
    }

    fn session(facts: &mut Facts) -> &mut Session {
        match &mut facts.session {
            NamedSession::Known(session) => session,
            none => panic!("{none:?} is no session"),
        }
    }

    /// What is changed, and how.
    type Edge = (&'static str, fn(&mut Facts));
    /// The table: what is spoilt, how, and the answer with whether it carries a link.
    type Row = (&'static str, fn(&mut Facts), Reason, bool);
    const TABLE: [Row; 14] = [
        ("corporate id", |facts| facts.names_corporate = false, Reason::CorporateIdNeeded, false),
        ("psu", |facts| facts.psu = None, Reason::PsuNotIdentified, true),
        ("corporate", |facts| facts.corporate = None, Reason::CorporateIdUnknown, false),
        ("consent", |facts| facts.consent = None, Reason::ConsentUnknown, true),
        ("consent", |facts| consent(facts).is_revoked = true, Reason::ConsentUnknown, true),
        (
            "consent",
            |facts| consent(facts).granted_at = now() - TimeDelta::days(180),
            Reason::ConsentExpired,
            true,
        ),
        ("session", |facts| facts.session = NamedSession::Unknown, Reason::SessionUnknown, true),
        ("session", |facts| session(facts).psu.psu = PsuKey::new("ola"), Reason::SessionOfAnother, true),
        ("session", |facts| session(facts).is_replaced = true, Reason::SessionReplaced, true),
        ("account", |facts| facts.what.account = NamedAccount::Unknown, Reason::AccountUnknown, false),
        ("account", |facts| facts.what.account = NamedAccount::Closed, Reason::AccountNotGranted, true),
        ("details", |facts| facts.what.is_late_detail = true, Reason::DetailsNeedSca, true),
        ("from", |facts| facts.what.date_from = Some(day("2026-06-02")), Reason::HistoryNeedsSca, true),
        ("calls", |facts| facts.what.calls_today = Some(4), Reason::AccessExceeded, false),
    ];

    #[test]
    fn each_row_answers_alone_and_the_upper_of_two() {
        assert_eq!(judged(&sound()), None);
        for (index, (spoilt, spoil, reason, links)) in TABLE.iter().enumerate() {
            let mut facts = sound();
            spoil(&mut facts);
            assert_eq!(judged(&facts), Some((*reason, *links)), "{spoilt}");
            for (also, spoil_also, ..) in TABLE.iter().skip(index + 1).filter(|row| row.0 != *spoilt) {
                let mut facts = sound();
                spoil(&mut facts);
                spoil_also(&mut facts);
                assert_eq!(judged(&facts), Some((*reason, *links)), "{spoilt} and {also}");
            }
        }
    }

    #[test]
    fn the_other_side_of_each_edge_passes() {
        let edges: [Edge; 7] = [
            ("consent", |facts| {
                consent(facts).granted_at = now() - TimeDelta::days(180) + TimeDelta::microseconds(1);
            }),
            ("no session", |facts| facts.session = NamedSession::None),
            ("expired session", |facts| session(facts).opened_at = now() - TimeDelta::hours(1)),
            ("first day", |facts| facts.what.date_from = Some(day("2026-06-03"))),
            ("open session", |facts| {
                facts.what.date_from = Some(day("1970-01-01"));
                facts.what.has_open_session = true;
            }),
            ("not counted", |facts| facts.what.calls_today = None),
            ("more by agreement", |facts| {
                facts.what.calls_today = Some(5);
                facts.what.calls_max = 6;
            }),
        ];
        for (edge, change) in edges {
            let mut facts = sound();
            change(&mut facts);
            assert_eq!(judged(&facts), None, "{edge}");
        }
        let mut private = Facts { context: Context::Private, corporate: None, ..sound() };
        private.names_corporate = false;
        let of_person = ActingPsu { psu: PsuKey::new("kari"), context: Context::Private, corporate: None };
        consent(&mut private).psu = of_person.clone();
        session(&mut private).psu = of_person;
        assert_eq!(judged(&private), None);
        // A corporate id is none of a private call's business, but must be the PSU's all the same.
        private.names_corporate = true;
        assert_eq!(judged(&private), Some((Reason::CorporateIdUnknown, false)));
        private.corporate = Some(CorporateKey::new("firma"));
        assert_eq!(judged(&private), None);
    }

    #[test]
    fn the_bank_exempts_only_from_the_sca_of_an_unseen_session() {
        for (spoilt, spoil, reason, _) in TABLE {
            let mut facts = sound();
            spoil(&mut facts);
            let denial = who(&facts.who()).map(drop).and_then(|()| what(&facts.what)).unwrap_err();
            assert_eq!(denial.is_exemptible(), reason == Reason::SessionUnknown, "{spoilt}");
        }
    }

    #[test]
    fn a_session_in_another_role_of_the_same_person_is_anothers() {
        for change in [
            (|session: &mut Session| session.psu.corporate = Some(CorporateKey::new("other"))) as fn(&mut _),
            |session: &mut Session| {
                session.psu.context = Context::Private;
                session.psu.corporate = None;
            },
        ] {
            let mut facts = sound();
            change(session(&mut facts));
            assert_eq!(judged(&facts), Some((Reason::SessionOfAnother, true)));
        }
    }

    #[test]
    fn the_context_is_of_the_header_else_session_else_customer() {
        let (private, corporate) = (Some(Context::Private), Some(Context::Corporate));
        let facts = sound();
        let of_company = facts.session.known();
        for (header, session, names_corporate, expected) in [
            (private, of_company, true, private),
            (corporate, None, false, corporate),
            (None, of_company, false, corporate),
            (None, None, true, corporate),
            (None, None, false, None),
        ] {
            assert_eq!(named_context(header, session, names_corporate), expected);
        }
    }

    #[test]
    fn the_history_without_an_sca_begins_90_days_before_today() {
        assert_eq!(first_day_without_sca(day("2026-09-01")), day("2026-06-03"));
        assert_eq!(first_day_without_sca(NaiveDate::MIN), NaiveDate::MIN);
    }
}
