//! The frame around every page.

use maud::{html, Markup, PreEscaped, DOCTYPE};

use super::page_context::PageContext;
use super::texts::{self, Phrase};
use super::{spelling, Step};
use crate::reason::Language;

/// The one style sheet, within each page: the policy contains its hash.
pub(super) const STYLE: &str = include_str!("style.css");

/// What is wrong with an answer, and the id of the field where it is mended.
#[derive(Clone, Copy)]
pub(super) struct Problem {
    pub(super) text: Phrase,
    pub(super) field: &'static str,
}

/// A whole page.
pub(super) fn page(language: Language, title: &str, problem: Option<Problem>, content: &Markup) -> Markup {
    let say = |phrase: Phrase| phrase.text(language);
    html! {
        (DOCTYPE)
        html lang=(language.tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title {
                    @if problem.is_some() { (say(texts::ERROR_PREFIX)) }
                    (title) " – " (say(texts::BANK))
                }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    p { (say(texts::BANK)) }
                    p.test { (say(texts::TEST_BANK)) }
                }
                main {
                    @if let Some(Problem { text, field }) = problem {
                        div.problem role="alert" {
                            h2 { (say(texts::PROBLEM)) }
                            p { a href={ "#" (field) } { (say(text)) } }
                        }
                    }
                    (content)
                }
            }
        }
    }
}

/// A form that comes back to this very address. `answers` are those given before, in the order in which its
/// token binds them.
pub(super) fn form(
    page_context: &PageContext<'_>,
    step: Step,
    answers: &[(&str, &str)],
    content: &Markup,
) -> Markup {
    let values: Vec<_> = answers.iter().map(|(_, value)| *value).collect();
    html! {
        form method="post" {
            input type="hidden" name="step" value=(step.as_str());
            input type="hidden" name="token" value=(page_context.token(step, &values));
            @for (name, value) in answers {
                input type="hidden" name=(name) value=(value);
            }
            (content)
        }
        p.deadline {
            @let until = spelling::oslo_clock(page_context.authorisation.expires_at());
            (texts::DEADLINE.with(page_context.language, &[&until]))
        }
    }
}

/// The two ends of a form. The first one is pressed by the Enter key.
pub(super) fn buttons(language: Language, go: Option<Phrase>, cancel: Phrase) -> Markup {
    html! {
        div.buttons {
            @if let Some(go) = go {
                button.go type="submit" name="action" value="continue" { (go.text(language)) }
            }
            button type="submit" name="action" value="cancel" formnovalidate { (cancel.text(language)) }
        }
    }
}
