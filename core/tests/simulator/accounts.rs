//! Consents, and the reads under them.

use chrono::NaiveDate;
use xs2a::internal::{from_micros, oslo_day};
use xs2a::store::Session;

use crate::bank::account_id;
use crate::books::{ACCOUNTS, PERSONS};
use crate::client::{headers, Answer};
use crate::dice::Dice;
use crate::model::{Granted, Known, Link, Purpose, Read, Span};
use crate::payments::{session_of, tpp_and_person};
use crate::support::world::{replaced, REDIRECT_URI};
use crate::world::{Node, World, TPPS};

const DAY_MICROS: i64 = 86_400_000_000;
const CONSENT_MICROS: i64 = 180 * DAY_MICROS;
const HOUR_MICROS: i64 = 3_600_000_000;
/// How far ahead the clock of another node may have been.
const AHEAD_MICROS: i64 = 600_000_000;
const CALLS_A_DAY: usize = 4;

impl Read {
    /// A read, mostly the one of the call around it.
    fn drawn_in(
        dice: &mut Dice,
        today: NaiveDate,
        in_use: Option<Self>,
        psu_in_use: Option<(usize, usize)>,
    ) -> Self {
        in_use.filter(|_| !dice.one_in(3)).unwrap_or_else(|| Self::drawn(dice, today, psu_in_use))
    }

    fn drawn(dice: &mut Dice, today: NaiveDate, psu_in_use: Option<(usize, usize)>) -> Self {
        let (tpp, person) = psu_in_use.filter(|_| !dice.one_in(4)).unwrap_or_else(|| tpp_and_person(dice));
        let account = (!dice.one_in(5)).then(|| dice.below(2));
        let is_history = account.is_some() && !dice.one_in(4);
        let session = dice.one_in(3).then(|| session_of(dice));
        let is_of_long_ago = is_history && dice.one_in(4);
        let is_counted = is_history && dice.one_in(2);
        let path = account.map(|account| format!("/v1/accounts/{}", account_id(person, account)));
        let target = match path {
            None => "/v1/accounts".to_owned(),
            Some(path) if is_of_long_ago => {
                let from = today - chrono::Days::new(200);
                format!("{path}/transactions?bookingStatus=booked&dateFrom={from}")
            }
            Some(path) if is_history => format!("{path}/transactions?bookingStatus=both"),
            Some(path) => format!("{path}/balances"),
        };
        Self { tpp, person, account, is_counted, session, is_of_long_ago, target }
    }
}

/// What was known before a read.
struct Before {
    consents: Vec<Option<Granted>>,
    blocked: Known,
    session: Option<Session>,
    opened: Option<i64>,
}

impl World {
    pub(crate) fn start_consent(&self, node: &Node, dice: &mut Dice) {
        let (tpp, person) = tpp_and_person(dice);
        let session = session_of(dice);
        let sent = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", session.as_str())];
        let answer = self.call(node, tpp, "POST", "/v1/bank-offered-consents", &sent, b"");
        self.require(
            answer.is_accepted() || !self.is_undisturbed(node, tpp, &answer),
            "consent: an SCA for it is started",
            || format!("{} {}", answer.status, answer.reason),
        );
        let mut model = self.model.lock();
        model.expect_line("authorisation.started", TPPS[tpp], answer.known());
        if answer.is_accepted() {
            model.links.push(Link {
                id: answer.link(),
                tpp,
                person,
                is_named: false,
                purpose: Purpose::Consent,
                session,
                made: answer.span,
                ended: Known::No,
            });
        }
    }

    pub(crate) fn read_accounts(&self, node: &Node, dice: &mut Dice) {
        let (in_use, psu_in_use) = {
            let model = self.model.lock();
            (model.read_in_use.clone(), model.psu_in_use)
        };
        let read = Read::drawn_in(dice, oslo_day(from_micros(node.now())), in_use, psu_in_use);
        {
            let mut model = self.model.lock();
            model.psu_in_use.get_or_insert((read.tpp, read.person));
            model.read_in_use.get_or_insert(read.clone());
        }
        let Some(psu_id) = self.model.lock().psu_ids.get(&(read.tpp, read.person)).cloned() else {
            return self.start_consent(node, dice);
        };
        let address = if read.is_counted { "" } else { "192.0.2.1" };
        let session = read.session.as_deref().unwrap_or_default();
        let sent = headers(session, Some(&psu_id));
        let sent = replaced(sent, &[("PSU-IP-Address", address), ("Content-Type", "")]);
        let before = self.before(&read);
        let answer = self.call(node, read.tpp, "GET", &read.target, &sent, b"");
        let after = self.before(&read);
        if answer.is_accepted() {
            self.require_allowed(&read, &before, &after, answer.span);
        } else if !answer.is_unknown() && answer.status != 429 {
            self.require_denied(node, &read, &before, &answer);
        }
        self.count(&read, &answer);
        // A refused read leaves a link too.
        let mut model = self.model.lock();
        let started = if answer.is_accepted() || answer.link().is_empty() { Known::No } else { Known::Yes };
        let started = if answer.is_unknown() { Known::Maybe } else { started };
        model.expect_line("authorisation.started", TPPS[read.tpp], started);
        let subject = format!("{} {}", TPPS[read.tpp], PERSONS[read.person]);
        model.expect_line("account.read", &subject, answer.known());
    }

    fn before(&self, read: &Read) -> Before {
        let session = read.session.as_deref();
        let session = session.and_then(|id| self.store.sca().session(TPPS[read.tpp], id).unwrap());
        let model = self.model.lock();
        let key = read.session.clone().map(|session| (read.tpp, session));
        Before {
            consents: model.consent(read.tpp, read.person),
            blocked: model.blocked.get(&read.tpp).copied().unwrap_or(Known::No),
            session,
            opened: key.and_then(|key| model.sessions.get(&key).copied()),
        }
    }

    /// What was read could be read, before the call or after it.
    fn require_allowed(&self, read: &Read, before: &Before, after: &Before, span: Span) {
        let context = || format!("{} for {} {}", read.target, TPPS[read.tpp], PERSONS[read.person]);
        let is_open = |granted: &Granted| covers(granted, read) && may_be_valid(granted, span);
        let all = before.consents.iter().chain(&after.consents);
        self.require(all.flatten().any(is_open), "consent: only what a valid consent opens is read", || {
            format!("{}: {:?}, then {:?}", context(), before.consents, after.consents)
        });
        let is_blocked = before.blocked == Known::Yes && after.blocked == Known::Yes;
        self.require(!is_blocked, "block: a blocked TPP reads nothing", context);
        if read.session.is_none() {
            return self.require(!read.is_of_long_ago, "session: old history needs a session", context);
        }
        let counts = |session: &Option<Session>| {
            let of_psu = session.as_ref().filter(|session| session.psu.psu.as_str() == PERSONS[read.person]);
            of_psu.is_some_and(|session| !session.is_replaced)
        };
        self.require(
            counts(&before.session) || counts(&after.session),
            "session: only the last session of a PSU is used",
            || format!("{}: {:?}", context(), read.session),
        );
        let opened = before.opened.max(after.opened);
        let is_young = opened.is_some_and(|opened| span.from - opened < HOUR_MICROS);
        self.require(!read.is_of_long_ago || is_young, "session: it is open for an hour", || {
            format!("{}: {:?} opened {opened:?}, read {span:?}", context(), read.session)
        });
    }

    /// What was refused could not be read.
    fn require_denied(&self, node: &Node, read: &Read, before: &Before, answer: &Answer) {
        let is_open = |granted: &Option<Granted>| {
            granted.as_ref().is_some_and(|granted| covers(granted, read) && is_valid(granted, answer.span))
        };
        let is_certain =
            before.consents.iter().all(is_open) && read.session.is_none() && !read.is_of_long_ago;
        // Details are read without the PSU for 90 days only, and only details: a list is not one.
        self.require(
            !is_certain || !self.is_undisturbed(node, read.tpp, answer),
            "consent: what a valid consent opens is read",
            || format!("{} {:?}: {} {}", read.target, before.consents, answer.status, answer.reason),
        );
    }

    /// Four reads of an account a day without the PSU.
    fn count(&self, read: &Read, answer: &Answer) {
        let (true, Some(account)) = (read.is_counted, read.account) else { return };
        let [first, last] = [answer.span.from, answer.span.to].map(|micros| oslo_day(from_micros(micros)));
        let mut model = self.model.lock();
        for day in [first, last] {
            let count = model.reads.entry((read.tpp, read.person, account, day)).or_default();
            // Of a read at midnight it is not known to which day it belongs.
            count.add(if first == last { answer.known() } else { answer.known().min(Known::Maybe) });
            if first == last {
                break;
            }
        }
        let count = model.reads[&(read.tpp, read.person, account, first)];
        let context = || format!("{} on {first}: {count:?}", read.target);
        self.require(count.sure <= CALLS_A_DAY, "quota: four reads a day without the PSU", context);
        let is_exceeded = answer.status == 429;
        self.require(
            !is_exceeded || count.sure + count.unsure >= CALLS_A_DAY,
            "quota: four reads a day are answered",
            context,
        );
    }
}

fn covers(granted: &Granted, read: &Read) -> bool {
    debug_assert!(granted.accounts.len() <= ACCOUNTS[read.person].len());
    read.account.is_none_or(|account| granted.accounts.contains(&account))
}

/// Whether a consent may count at some time of a span.
fn may_be_valid(granted: &Granted, span: Span) -> bool {
    span.from - granted.at.to < CONSENT_MICROS && span.to - granted.at.from > -AHEAD_MICROS
}

/// Whether a consent counts at every time of a span.
fn is_valid(granted: &Granted, span: Span) -> bool {
    span.to - granted.at.from < CONSENT_MICROS && span.from - granted.at.to > -AHEAD_MICROS
}
