//! The page on which the person says for whom they act.

use maud::{html, Markup};

use super::answer::answer_with_form;
use super::choice::OfferedRole;
use super::layout::{buttons, form, page, Problem};
use super::page_context::{PageContext, SignedIn};
use super::texts::{self, Phrase};
use super::Step;
use crate::wire::response::Response;

/// The first of the choices: where the summary of a problem leads to.
const FIRST: &str = "role-0";

/// The page, or, where nothing was chosen, the page that says so.
pub(crate) fn choose_role(
    page_context: &PageContext<'_>,
    person: &SignedIn,
    offered: &[OfferedRole],
    is_missing: bool,
) -> Response {
    let language = page_context.language;
    let say = |phrase: Phrase| phrase.text(language);
    let fields = html! {
        fieldset aria-describedby=[is_missing.then_some("fault")] {
            legend { h1 { (say(texts::ROLE_TITLE)) } }
            (person.shown(language))
            (page_context.request())
            @if is_missing {
                p.fault #fault { (say(texts::ROLE_MISSING)) }
            }
            @for (index, role) in offered.iter().enumerate() {
                (option(index, role, say(texts::MYSELF)))
            }
        }
        (buttons(language, Some(texts::CONTINUE), texts::CANCEL))
    };
    let content = form(page_context, Step::Role, &[("customerNumber", &person.customer_number)], &fields);
    let problem = is_missing.then_some(Problem { text: texts::ROLE_MISSING, field: FIRST });
    let status = if is_missing { 400 } else { 200 };
    let html = page(language, say(texts::ROLE_TITLE), problem, &content);
    answer_with_form(status, language, html)
}

fn option(index: usize, role: &OfferedRole, myself: &str) -> Markup {
    let name = role.company.as_ref().map_or(myself, |(_, name)| name);
    html! {
        label.option {
            input id={ "role-" (index) } type="radio" name="role" value=(role.choice.value()) required;
            span { b { (name) } }
        }
    }
}

/// The page for whom no role is left: the call wants a company, and the person has none.
pub(crate) fn no_role(page_context: &PageContext<'_>, person: &SignedIn) -> Response {
    let language = page_context.language;
    let title = texts::NO_ROLE_TITLE.text(language);
    let fields = buttons(language, None, texts::CANCEL);
    let content = html! {
        h1 { (title) }
        (person.shown(language))
        p role="alert" { (texts::NO_ROLE.with(language, &[page_context.tpp])) }
        (form(page_context, Step::Role, &[("customerNumber", &person.customer_number)], &fields))
    };
    let html = page(language, title, None, &content);
    answer_with_form(200, language, html)
}
