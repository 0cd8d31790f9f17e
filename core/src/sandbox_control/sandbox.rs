//! The sandbox's controls.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::RwLock;

use super::call_explainer::CallExplainer;
use super::file_clock::follow_file;
use super::notes::Notes;
use super::registry::SandboxRegistry;
use super::sca_answer::ScaAnswer;
use crate::engine::{Engine, ScaOutcome};
use crate::env::clock::{Clock, ManualClock};
use crate::env::entropy::SeededEntropy;
use crate::error::{Error, Result};
use crate::sandbox::faults::Faults;
use crate::sandbox::journal::Step;
use crate::sandbox::population::Lives;
use crate::sandbox::{default_data, description, view, SandboxBank};
use crate::sca::callback::Redirect;
use crate::store::sqlite::Database;
use crate::tpp::bundle::parse_bundle;
use crate::tpp::certificate::Certificate;
use crate::types::Masked;
use crate::wire::http::{self, HttpAnswer};
use crate::wire::json;
use crate::wire::request::Request;
use crate::wire::response::Response;

/// A whole bank in one value: an [`Engine`] over the simulated bank, with a manual clock and a test PKI.
///
/// Any thread may call any function at the same time.
pub struct Sandbox {
    pub(super) engine: Engine,
    pub(super) bank: SandboxBank,
    pub(super) registry: Arc<SandboxRegistry>,
    pub(super) database: Arc<Database>,
    pub(super) clock: Arc<ManualClock>,
    pub(super) entropy: Arc<SeededEntropy>,
    pub(super) faults: Arc<Faults>,
    pub(super) explainer: Arc<CallExplainer>,
    pub(super) notes: Notes,
    pub(super) lives: Lives,
    /// Held alone while the clock moves, where what falls due on the way happens in order, and once, and while
    /// the books are replaced; together by those whose calls have the bank do something.
    pub(super) moving: Arc<RwLock<()>>,
}

impl Sandbox {
    /// The bank's complete answer to one request, as [`Engine::handle`], and that of its SCA site to a browser:
    /// GET and POST of the address in an `scaRedirect` link. An instant payment that the bank exempts from its SCA is
    /// settled when this returns.
    pub fn handle(&self, request: &Request<'_>) -> Response {
        let begun = self.begin();
        let (answer, trace) = match self.sca_site(request) {
            Some(page) => (page, None),
            None => {
                let (answer, trace) = self.answer_call(request);
                if trace.has_order() {
                    self.deliver();
                }
                (answer, Some(trace))
            }
        };
        self.note_call(begun, request, &answer, trace.as_ref());
        answer
    }

    /// The same for one HTTP/1.1 request as bytes, as [`Engine::handle_http`]. A message that is refused for `MSG-01`
    /// is no call, and is not in the journal.
    pub fn handle_http(&self, message: &[u8]) -> HttpAnswer {
        let body_bytes_max = self.engine.policy().body_bytes_max;
        let refuse = |fields: &[(&str, &[u8])], violation| self.engine.refuse(fields, violation);
        http::answer(message, body_bytes_max, |request| self.handle(request), refuse)
    }

    /// The engine. The simulated bank does not see what is reported to the engine itself: report the status of a
    /// payment with [`Sandbox::report_payment_status`].
    pub fn engine(&self) -> &Engine {
        follow_file(&self.database, &self.clock);
        &self.engine
    }

    /// Scheme and host that `scaRedirect` links begin with: the policy's `sca_origin`, or what was set since.
    pub fn sca_origin(&self) -> String {
        self.engine.context.sca_origin().to_string()
    }

    /// Lets `scaRedirect` links begin with that scheme and host from now on, such as where a server listens. It
    /// is not part of a snapshot; a fork begins with the policy's.
    ///
    /// # Errors
    /// [`Error::Config`] for a text that is not scheme and host.
    pub fn set_sca_origin(&self, origin: &str) -> Result<()> {
        let begun = self.begin();
        let origin = crate::policy::overrides::origin("sca_origin", origin.to_owned())?;
        *self.engine.context.sca_origin.write() = origin.as_str().into();
        self.note(begun, Step::SetScaOrigin { origin });
        Ok(())
    }

    /// Trusts one more authority: a PEM certificate or a bundle. Certificates that chain to it work at once
    /// and count as registered. Another sandbox on the same file learns of it when it is opened again.
    ///
    /// # Errors
    /// [`Error::Config`] for a text without a usable certificate; [`Error::Store`]. Nothing more is trusted then.
    pub fn trust(&self, pem: &str) -> Result<()> {
        let begun = self.begin();
        let certificates =
            parse_bundle(pem.as_bytes()).map_err(|fault| Error::unusable("trust anchors", &fault))?;
        self.keep_trusting(certificates)?;
        self.note(begun, Step::Trust { pem: pem.to_owned() });
        Ok(())
    }

    fn keep_trusting(&self, certificates: Vec<Certificate>) -> Result<()> {
        let _guard = self.moving.write();
        self.database.write_books(|books| {
            certificates.iter().try_for_each(|new| books.insert_trust_anchor(new.der()).map(|_is_new| ()))
        })?;
        self.engine.context.trust_more(certificates);
        Ok(())
    }

    /// Answers an `scaRedirect` link for the PSU and gives the URL the PSU is sent back to. An instant
    /// payment is settled when this returns.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a link that is unknown, used or dead, for an agreement or an account that is not
    /// offered, and for a choice of no account; [`Error::Store`].
    pub fn authorise(&self, sca_redirect: &str, answer: &ScaAnswer) -> Result<String> {
        let begun = self.begin();
        let ended = self.try_authorise(sca_redirect, answer);
        self.note_authorise(begun, sca_redirect, answer, &ended);
        ended.map(|redirect| redirect.url)
    }

    fn try_authorise(&self, sca_redirect: &str, answer: &ScaAnswer) -> Result<Redirect> {
        let id = authorisation_id(sca_redirect);
        let dead = || Error::Misuse("the link is unknown, used, or older than 10 minutes".to_owned());
        let open = self.engine.authorisation(&id)?.ok_or_else(dead)?;
        self.complete(&id, &answer.outcome(&self.bank, &open.subject)?)
    }

    /// Ends an SCA and does what is due at once after it. Where the PSU is sent back to.
    pub(super) fn complete(&self, id: &str, outcome: &ScaOutcome) -> Result<Redirect> {
        let fault = self.sca_fault(id, outcome)?;
        // Prevents the books from being replaced between a change by the bank and the engine's note of it.
        let _guard = self.moving.read();
        let redirect = self.end_sca(id, outcome, fault)?;
        if let Some(reason) = redirect.reason {
            self.notes.coverage.note_reason(reason);
        }
        self.note_sca(outcome, redirect.approved)?;
        self.engine.run_due()?;
        Ok(redirect)
    }

    /// A private customer takes back what they opened to a TPP (its organisation identifier), in every context.
    /// A repetition changes nothing.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a number that no private customer has, and for a TPP that is neither registered here nor
    /// known to that customer; [`Error::Store`].
    pub fn revoke_consent(&self, customer_number: &str, organisation_id: &str) -> Result<()> {
        let begun = self.begin();
        let unknown =
            || Error::Misuse(format!("no private customer has the number `{}`", Masked(customer_number)));
        let psu = self.bank.person(customer_number)?.ok_or_else(unknown)?;
        // One of another authority is not registered here, and known once the customer met it.
        if self.engine.context.store().psus().psu_id(organisation_id, &psu)?.is_none() {
            self.tpp(organisation_id)?;
        }
        self.engine.revoke_consent(organisation_id, &psu)?;
        let (customer_number, organisation_id) = (customer_number.to_owned(), organisation_id.to_owned());
        self.note(begun, Step::RevokeConsent { customer_number, organisation_id });
        Ok(())
    }

    /// The time on the sandbox's clock. Sandboxes on one file have one clock.
    pub fn now(&self) -> DateTime<Utc> {
        follow_file(&self.database, &self.clock);
        self.clock.now()
    }

    /// Moves the clock forward. Every event that becomes due takes place in order, at its own time.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a time before the present one or after the year 9999: nothing is changed then;
    /// [`Error::Store`].
    pub fn set_now(&self, to: DateTime<Utc>) -> Result<()> {
        let begun = self.begin();
        self.move_clock(to)?;
        self.note(begun, Step::MoveClock { to });
        Ok(())
    }

    /// As [`Sandbox::set_now`], by a span.
    ///
    /// # Errors
    /// As [`Sandbox::set_now`].
    pub fn advance(&self, by: TimeDelta) -> Result<()> {
        let begun = self.begin();
        let to = self.move_clock_by(by)?;
        self.note(begun, Step::MoveClock { to });
        Ok(())
    }

    /// Moves the clock to the time of the bank's next event, which then takes place. Returns `None` and leaves the
    /// clock unchanged if there is none.
    ///
    /// # Errors
    /// [`Error::Misuse`] where that is after the year 9999; [`Error::Store`].
    pub fn advance_to_next_event(&self) -> Result<Option<DateTime<Utc>>> {
        let begun = self.begin();
        let moved = self.move_clock_to_next_event()?;
        if let Some(to) = moved {
            self.note(begun, Step::MoveClock { to });
        }
        Ok(moved)
    }

    /// Restores the default data set: deletes customers, accounts, payments and authorisations; keeps registered
    /// TPPs, trust anchors and the clock.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn initialize(&self) -> Result<()> {
        let begun = self.begin();
        let _guard = self.moving.write();
        default_data::initialize(&self.database)?;
        self.faults.restart();
        self.note(begun, Step::Initialize);
        Ok(())
    }

    /// Gives a card account another status: `enabled`, `blocked` or `deleted`. Deleted is final. The id is that
    /// of the sandbox's own routes.
    ///
    /// # Errors
    /// [`Error::Misuse`] for an unknown card account or status, and for a card account that is deleted;
    /// [`Error::Store`].
    pub fn set_card_status(&self, card_account_id: &str, status: &str) -> Result<()> {
        let begun = self.begin();
        self.bank.set_card_status(card_account_id, status)?;
        let (card_account_id, status) = (card_account_id.to_owned(), status.to_owned());
        self.note(begun, Step::SetCardStatus { card_account_id, status });
        Ok(())
    }

    /// The default data set as the text of a JSON object: customers with their accounts, agreements, the
    /// creditor with a KID agreement, the person engaged in both corporations.
    ///
    /// # Errors
    /// [`Error::Internal`]: a bug.
    pub fn default_data(&self) -> Result<String> {
        json::write_text(&description::describe()?)
    }

    /// One account (bban or iban) as the text of a JSON object: `account`, `balance` and `bookings`, newest
    /// first, amounts as exact signed strings.
    ///
    /// # Errors
    /// [`Error::Misuse`] where the bank has no such account; [`Error::Store`].
    pub fn ledger(&self, account: &str) -> Result<String> {
        let unknown = || Error::Misuse(format!("no account of the sandbox bank has the number `{account}`"));
        json::write_text(&view::ledger(&self.database, account)?.ok_or_else(unknown)?)
    }
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Sandbox").field("now", &self.now()).finish_non_exhaustive()
    }
}

/// The id in a link: its last path segment.
fn authorisation_id(link: &str) -> String {
    let path = link.split(['?', '#']).next().unwrap_or(link);
    let segment = path.rsplit('/').next().unwrap_or(path);
    percent_encoding::percent_decode_str(segment).decode_utf8_lossy().into_owned()
}
