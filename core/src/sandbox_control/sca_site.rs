//! The bank's own site for strong customer authentication: GET and POST of `/sca/{authorisationId}` below the
//! base path (contract: Authentication, SCA by redirect). A browser calls it, so no header of a TPP is read.
//!
//! No state is kept between two pages: the earlier answers are fields of the form, protected by a token, and are
//! checked again for each page.

mod approval_prompt;
mod origin;
mod page_error;
mod test_customers;
mod walk;

use self::page_error::PageError;
use super::sandbox::Sandbox;
use crate::engine::{caught, OpenAuthorisation, Subject};
use crate::error::Result;
use crate::limits::FORM_BYTES_MAX;
use crate::reason::Language;
use crate::sandbox::page::{self, Notice, PageContext, Submission, TokenKey};
use crate::sca::machine::ScaStatus;
use crate::sca::record::Authorisation;
use crate::types::{visible_text, AuthorisationId};
use crate::wire::headers::Headers;
use crate::wire::negotiation::Negotiated;
use crate::wire::request::Request;
use crate::wire::response::Response;
use crate::wire::target::Target;

/// The path segment before the id.
const SITE: &str = "sca";

impl Sandbox {
    /// The site's answer; `None` if the request is not for the site.
    pub(super) fn sca_site(&self, request: &Request<'_>) -> Option<Response> {
        // Nearly every call is for the engine, which reads its target itself.
        if !request.target.contains(SITE) && !request.target.contains('%') {
            return None;
        }
        let target = Target::parse(request.target).ok()?;
        let policy = self.engine.policy();
        let [site, id] = target.segments_below(&policy.base_path)? else { return None };
        (site == SITE).then(|| self.answer_browser(request, id))
    }

    fn answer_browser(&self, request: &Request<'_>, id: &str) -> Response {
        let headers = Headers::unchecked(request.headers);
        // Nothing here is known to panic; a host's server must not fall where that is wrong.
        let answered = caught("sca_site", || {
            let visited = match request.method {
                "GET" => self.show(&headers, id),
                "POST" => self.submit(request, &headers, id),
                _ => Err(Notice::Method.into()),
            };
            visited.unwrap_or_else(|stop| self.notice(stop, &headers, id))
        });
        let answer = answered.unwrap_or_else(|| Notice::Fault.page(Negotiated::read(&headers).language));
        // Read last: a fault that makes the link expire moves the clock during the answer.
        page::dated(answer, self.now())
    }

    /// The page that ends the walk through the site, in the language that the link's other pages have.
    fn notice(&self, stop: PageError, headers: &Headers<'_>, id: &str) -> Response {
        let notice = match stop {
            PageError::Notice(notice) => notice,
            PageError::Failure(error) => {
                tracing::error!(%error, "the SCA site could not answer");
                Notice::Fault
            }
        };
        // A store that fails here may be why there is a notice at all.
        let of_the_call = self.known(id).ok().flatten().map(|authorisation| authorisation.psu_language);
        notice.page(language(headers, of_the_call.unwrap_or_default()))
    }

    fn show(&self, headers: &Headers<'_>, id: &str) -> std::result::Result<Response, PageError> {
        self.page_context(headers, id, |open, page_context| {
            Ok(page::identify(page_context, &self.test_customers(&open.authorisation)?, None))
        })
    }

    fn submit(
        &self,
        request: &Request<'_>,
        headers: &Headers<'_>,
        id: &str,
    ) -> std::result::Result<Response, PageError> {
        if !origin::is_own_page(headers, &self.sca_origin()) {
            return Err(Notice::Foreign.into());
        }
        if !is_form(headers) {
            return Err(Notice::MediaType.into());
        }
        if request.body.len() > FORM_BYTES_MAX {
            return Err(Notice::TooLarge.into());
        }
        let submission = Submission::parse(request.body)?;
        self.page_context(headers, id, |open, page_context| {
            if !submission.is_ours(page_context.key, &page_context.authorisation.id) {
                return Err(Notice::Foreign.into());
            }
            walk::walk(self, open, page_context, &submission)
        })
    }

    /// Runs `work` on the authorisation behind a link, if it is open.
    fn page_context(
        &self,
        headers: &Headers<'_>,
        id: &str,
        work: impl FnOnce(&OpenAuthorisation, &PageContext<'_>) -> std::result::Result<Response, PageError>,
    ) -> std::result::Result<Response, PageError> {
        let Some(open) = self.engine.authorisation(id)? else { return Err(self.closed(id)?.into()) };
        let authorisation = &open.authorisation;
        let tpp = self.database.read_books(|books| books.tpp(&authorisation.tpp))?;
        // A TPP whose authority the user trusted is not in the books.
        let certified = authorisation.tpp_name.as_deref().unwrap_or(&authorisation.tpp);
        let name = visible_text(tpp.as_ref().map_or(certified, |tpp| &tpp.name));
        let page_context = PageContext {
            language: language(headers, authorisation.psu_language),
            authorisation,
            tpp: &name,
            payments: payments(&open.subject),
            key: &TokenKey::of_seed(self.entropy.position().seed)?,
        };
        work(&open, &page_context)
    }

    /// Why a link is not open. A deleted link is reported as unknown.
    fn closed(&self, id: &str) -> Result<Notice> {
        Ok(match self.known(id)?.map(|authorisation| authorisation.status) {
            None => Notice::Unknown,
            Some(ScaStatus::Started) => Notice::Expired,
            Some(ScaStatus::Finalised | ScaStatus::Failed) => Notice::Used,
        })
    }

    /// The authorisation behind a link, be it open or not.
    fn known(&self, id: &str) -> Result<Option<Authorisation>> {
        let Some(id) = AuthorisationId::parse(id) else { return Ok(None) };
        self.engine.context.store().sca().authorisation(&id)
    }
}

/// How many payments it contains.
fn payments(subject: &Subject) -> usize {
    match subject {
        Subject::Payment(payment) | Subject::Cancellation(payment) => payment.order.transfers().len(),
        Subject::Basket(payments) => payments.iter().map(|payment| payment.order.transfers().len()).sum(),
        Subject::Consent | Subject::Identification => 0,
    }
}

/// The language that the browser asks for, else that of the call that made the link.
fn language(headers: &Headers<'_>, of_the_call: Language) -> Language {
    if headers.has("Accept-Language") {
        Negotiated::read(headers).language
    } else {
        of_the_call
    }
}

fn is_form(headers: &Headers<'_>) -> bool {
    let content_type = headers.text("Content-Type").and_then(std::result::Result::ok);
    content_type.is_some_and(|content_type| {
        let name = content_type.split(';').next().unwrap_or_default().trim();
        name.eq_ignore_ascii_case("application/x-www-form-urlencoded")
    })
}
