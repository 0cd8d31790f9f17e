//! Pages that end a visit: what went wrong, or where it goes on.

use maud::html;

use super::answer::{answer, with_header};
use super::form::Malformed;
use super::layout::page;
use super::texts::{self, Phrase};
use crate::limits::{AUTHORISATION_LIFE_SECONDS, FORM_BYTES_MAX, PURGE_AFTER_HOURS};
use crate::reason::Language;
use crate::wire::response::Response;

/// Why there is no page to answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Notice {
    /// The id in the address is unknown, or that of a link which the bank has deleted. It may have been answered, so
    /// this must not simply say to begin again either.
    Unknown,
    /// The link was answered, and is not deleted yet. A PSU who pressed twice must not be asked to begin again, and pay
    /// twice.
    Used,
    /// The link is too old, and was not answered.
    Expired,
    /// Another site sent the form, or its token is not ours.
    Foreign,
    /// The form cannot be read.
    Malformed(Malformed),
    /// The body is too long for a form.
    TooLarge,
    /// The body is no form.
    MediaType,
    /// Neither GET nor POST.
    Method,
    /// Something failed at the bank.
    Fault,
}

impl Notice {
    /// The page.
    pub(crate) fn page(&self, language: Language) -> Response {
        let (status, title, text) = self.words(language);
        let title = title.text(language);
        let html = page(language, title, None, &html! { h1 { (title) } p { (text) } });
        let response = answer(status, language, html);
        match self {
            Self::Method => with_header(response, "Allow", "GET, POST".to_owned()),
            _ => response,
        }
    }

    fn words(&self, language: Language) -> (u16, Phrase, String) {
        let said = |phrase: Phrase, argument: &dyn ToString| phrase.with(language, &[&argument.to_string()]);
        match self {
            Self::Unknown => (404, texts::UNKNOWN_TITLE, said(texts::UNKNOWN, &PURGE_AFTER_HOURS)),
            Self::Used => (410, texts::USED_TITLE, said(texts::USED, &"")),
            Self::Expired => {
                (410, texts::EXPIRED_TITLE, said(texts::EXPIRED, &(AUTHORISATION_LIFE_SECONDS / 60)))
            }
            Self::Foreign => (403, texts::FOREIGN_TITLE, said(texts::FOREIGN, &"")),
            Self::Malformed(fault) => {
                let (phrase, field) = match fault {
                    Malformed::Missing(field) => (texts::FIELD_MISSING, *field),
                    Malformed::Repeated(field) => (texts::FIELD_REPEATED, *field),
                    Malformed::Foreign(field) => (texts::FIELD_FOREIGN, field.as_str()),
                    Malformed::Value(field) => (texts::FIELD_VALUE, *field),
                };
                (400, texts::MALFORMED_TITLE, said(phrase, &field))
            }
            Self::TooLarge => (413, texts::TOO_LARGE_TITLE, said(texts::TOO_LARGE, &FORM_BYTES_MAX)),
            Self::MediaType => (415, texts::MEDIA_TYPE_TITLE, said(texts::MEDIA_TYPE, &"")),
            Self::Method => (405, texts::METHOD_TITLE, said(texts::METHOD, &"")),
            Self::Fault => (500, texts::FAULT_TITLE, said(texts::FAULT, &"")),
        }
    }
}

/// Sends the browser to the TPP. The page is for those that do not follow to the scheme of an app.
pub(crate) fn leave(language: Language, url: &str) -> Response {
    let title = texts::LEAVE_TITLE.text(language);
    let content = html! {
        h1 { (title) }
        p { (texts::LEAVE.text(language)) }
        p { a.button href=(url) { (texts::CONTINUE.text(language)) } }
    };
    with_header(answer(303, language, page(language, title, None, &content)), "Location", url.to_owned())
}
