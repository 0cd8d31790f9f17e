//! The first page: who is it?

use maud::{html, Markup};

use super::answer::answer_with_form;
use super::layout::{buttons, form, page, Problem};
use super::page_context::{PageContext, SignedIn};
use super::texts::{self, Phrase};
use super::Step;
use crate::reason::Language;
use crate::wire::response::Response;

const FIELD: &str = "customerNumber";
/// How many digits a customer number has.
const DIGITS: std::ops::RangeInclusive<usize> = 6..=11;

/// The test customers that the page lists.
pub(crate) struct TestCustomers {
    /// The customers.
    pub(crate) listed: Vec<SignedIn>,
    /// Whether the bank has private customers that were left out.
    pub(crate) are_there_more: bool,
}

impl TestCustomers {
    fn list(&self, language: Language) -> Markup {
        html! {
            @if !self.listed.is_empty() {
                h2 { (texts::TEST_CUSTOMERS.text(language)) }
                dl { @for SignedIn { customer_number, name } in &self.listed {
                    dt { (customer_number) } dd { (name) }
                } }
                @if self.are_there_more { p { (texts::MORE_TEST_CUSTOMERS.text(language)) } }
            }
        }
    }
}

/// The page, or, after `typed` could not be a customer number, the page that says so.
pub(crate) fn identify(
    page_context: &PageContext<'_>,
    customers: &TestCustomers,
    typed: Option<&str>,
) -> Response {
    let language = page_context.language;
    let say = |phrase: Phrase| phrase.text(language);
    let fault = typed.map(|typed| match typed {
        "" => texts::CUSTOMER_NUMBER_EMPTY,
        _ => texts::CUSTOMER_NUMBER_MALFORMED,
    });
    let described_by = if fault.is_some() { "fault hint" } else { "hint" };
    let fields = html! {
        label for=(FIELD) { (say(texts::CUSTOMER_NUMBER)) }
        p.hint #hint { (say(texts::CUSTOMER_NUMBER_HINT)) }
        @if let Some(fault) = fault {
            p.fault #fault { (say(fault)) }
        }
        input #(FIELD) type="text" name=(FIELD) value=[typed] required autofocus autocomplete="off"
            inputmode="numeric" spellcheck="false" aria-describedby=(described_by)
            aria-invalid=[fault.map(|_| "true")];
        (buttons(language, Some(texts::CONTINUE), texts::CANCEL))
    };
    let content = html! {
        h1 { (say(texts::IDENTIFY_TITLE)) }
        (page_context.request())
        (form(page_context, Step::Identify, &[], &fields))
        (customers.list(language))
    };
    let problem = fault.map(|text| Problem { text, field: FIELD });
    let status = if fault.is_some() { 400 } else { 200 };
    let html = page(language, say(texts::IDENTIFY_TITLE), problem, &content);
    answer_with_form(status, language, html)
}

/// A customer number as it was typed, spaces taken out. `None` where it cannot be one.
pub(crate) fn read_customer_number(typed: &str) -> Option<String> {
    let digits: String = typed.split_whitespace().collect();
    let is_number = DIGITS.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_to_eleven_digits_are_a_number_and_spaces_between_them_do_not_count() {
        for (typed, expected) in [
            ("123456", Some("123456")),
            ("13039319955", Some("13039319955")),
            (" 130393 19955\u{a0}", Some("13039319955")),
            ("12345", None),
            ("130393199550", None),
            ("", None),
            ("1303931995x", None),
            ("１２３４５６", None),
        ] {
            assert_eq!(read_customer_number(typed).as_deref(), expected, "{typed:?}");
        }
    }
}
