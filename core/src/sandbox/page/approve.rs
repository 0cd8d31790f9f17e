//! The last page: what it is about, yes or no.

use maud::{html, Markup};

use super::answer::answer_with_form;
use super::choice::OfferedRole;
use super::layout::{buttons, form, page, Problem};
use super::page_context::{ApprovalPrompt, PageContext, SignedIn};
use super::row::row;
use super::texts::{self, Phrase};
use super::{consent, orders, Step};
use crate::limits::CONSENT_LIFE_DAYS;
use crate::wire::response::Response;

/// The page, or, where no account was chosen, the page that says so.
pub(crate) fn approve(
    page_context: &PageContext<'_>,
    person: &SignedIn,
    role: &OfferedRole,
    prompt: &ApprovalPrompt<'_>,
    nothing_was_chosen: bool,
) -> Response {
    let language = page_context.language;
    let title = title(page_context, prompt);
    let problem =
        nothing_was_chosen.then_some(Problem { text: texts::NOTHING_CHOSEN, field: consent::FIELD });
    let (go, cancel) = answers(page_context, prompt);
    let fields = html! {
        @if let (ApprovalPrompt::Open(offer), false) = (prompt, go.is_none()) {
            @if nothing_was_chosen {
                p.fault #fault { (texts::NOTHING_CHOSEN.text(language)) }
            }
            (consent::choices(offer, !nothing_was_chosen, language))
        }
        (buttons(language, go, cancel))
    };
    let before = [("customerNumber", person.customer_number.as_str()), ("role", &role.choice.value())];
    let content = html! {
        (person.shown(language))
        h1 { (title) }
        (introduction(page_context, prompt))
        @if let Some((_, name)) = &role.company {
            dl { (row(texts::ACTING_FOR, name, language)) }
        }
        @if let (ApprovalPrompt::Pay(ordered) | ApprovalPrompt::Cancel(ordered), 1..) =
            (prompt, page_context.payments)
        {
            (orders::summary(ordered, language))
        }
        (form(page_context, Step::Approve, &before, &fields))
    };
    let status = if nothing_was_chosen { 400 } else { 200 };
    let html = page(language, &title, problem, &content);
    answer_with_form(status, language, html)
}

fn title(page_context: &PageContext<'_>, prompt: &ApprovalPrompt<'_>) -> String {
    let language = page_context.language;
    let counted = |one: Phrase, many: Phrase| match page_context.payments {
        1 => one.text(language).to_owned(),
        several => many.with(language, &[&several.to_string()]),
    };
    match prompt {
        ApprovalPrompt::Pay(_) if page_context.payments == 0 => {
            texts::NOTHING_TO_APPROVE_TITLE.text(language).to_owned()
        }
        ApprovalPrompt::Pay(_) => counted(texts::PAYMENT_TITLE, texts::PAYMENTS_TITLE),
        ApprovalPrompt::Cancel(_) => counted(texts::CANCELLATION_TITLE, texts::CANCELLATIONS_TITLE),
        ApprovalPrompt::Open(_) => texts::CONSENT_TITLE.with(language, &[page_context.tpp]),
        ApprovalPrompt::Identify => texts::IDENTIFICATION_TITLE.text(language).to_owned(),
    }
}

/// The words on the buttons. Without anything to choose from, or to pay, there is nothing to approve.
fn answers(page_context: &PageContext<'_>, prompt: &ApprovalPrompt<'_>) -> (Option<Phrase>, Phrase) {
    match (prompt, page_context.payments) {
        (ApprovalPrompt::Pay(_), 0) => (None, texts::CANCEL),
        (ApprovalPrompt::Pay(_), 1) => (Some(texts::APPROVE_PAYMENT), texts::CANCEL),
        (ApprovalPrompt::Pay(_), _) => (Some(texts::APPROVE_PAYMENTS), texts::CANCEL),
        (ApprovalPrompt::Cancel(_), 1) => (Some(texts::STOP_PAYMENT), texts::KEEP_PAYMENT),
        (ApprovalPrompt::Cancel(_), _) => (Some(texts::STOP_PAYMENTS), texts::KEEP_PAYMENTS),
        (ApprovalPrompt::Open(offer), _) if offer.is_empty() => (None, texts::CANCEL),
        (ApprovalPrompt::Open(_), _) => (Some(texts::APPROVE_CONSENT), texts::CANCEL),
        (ApprovalPrompt::Identify, _) => (Some(texts::CONFIRM), texts::CANCEL),
    }
}

fn introduction(page_context: &PageContext<'_>, prompt: &ApprovalPrompt<'_>) -> Markup {
    let language = page_context.language;
    match prompt {
        ApprovalPrompt::Pay(_) | ApprovalPrompt::Cancel(_) => page_context.request(),
        ApprovalPrompt::Open(offer) if offer.is_empty() => {
            html! { p role="alert" { (texts::NOTHING_TO_CHOOSE.text(language)) } }
        }
        ApprovalPrompt::Open(_) => {
            let days = CONSENT_LIFE_DAYS.to_string();
            html! { p { (texts::CONSENT_TEXT.with(language, &[page_context.tpp, &days])) } }
        }
        ApprovalPrompt::Identify => {
            html! { p { (texts::IDENTIFICATION_TEXT.with(language, &[page_context.tpp])) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::choice::ChosenRole;
    use super::super::consent::Offer;
    use super::super::orders::Ordered;
    use super::super::token::TokenKey;
    use super::*;
    use crate::bank::PaymentOrder;
    use crate::reason::Language;
    use crate::sandbox::fixture::{bulk, domestic, in_currency, instant, noon};
    use crate::sca::machine::ScaStatus;
    use crate::sca::record::{Authorisation, Purpose};
    use crate::types::{AuthorisationId, BasketId, Currency, Money, PaymentId, RedirectUri};

    /// The page for that prompt, its tags taken out.
    fn page_of(purpose: Purpose, prompt: &ApprovalPrompt<'_>, language: Language) -> String {
        let authorisation = Authorisation {
            id: AuthorisationId::from_bytes([1; 18]),
            version: 1,
            tpp: "PSDNO-FSA-1".into(),
            purpose,
            redirect_uri: RedirectUri::parse("https://tpp.example/").unwrap(),
            session_id: "s".to_owned(),
            psu: None,
            identity: None,
            context: None,
            corporate: None,
            tpp_name: None,
            brand: None,
            redirect_preferred: true,
            psu_language: Language::English,
            language,
            created_at: noon(),
            status: ScaStatus::Started,
        };
        let key = TokenKey::of_seed(1).unwrap();
        let payments = match prompt {
            ApprovalPrompt::Pay(ordered) | ApprovalPrompt::Cancel(ordered) => {
                ordered.orders.iter().map(|order| order.transfers().len()).sum()
            }
            ApprovalPrompt::Open(_) | ApprovalPrompt::Identify => 0,
        };
        let page_context =
            PageContext { language, authorisation: &authorisation, tpp: "Acme Pay", payments, key: &key };
        let role = OfferedRole { choice: ChosenRole::Private, company: None };
        let person = SignedIn { customer_number: "123456".to_owned(), name: "Kari".to_owned() };
        let response = approve(&page_context, &person, &role, prompt, false);
        let html = String::from_utf8(response.body().to_vec()).unwrap();
        let body = html.split_once("<main>").unwrap().1;
        let text: String = body
            .split('<')
            .map(|piece| format!(" {}", piece.split_once('>').map_or(piece, |x| x.1)))
            .collect();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn ordered(payments: &[PaymentOrder]) -> Ordered<'_> {
        let fee = Money::parse("30.00", Currency::NOK).unwrap();
        Ordered {
            orders: payments.iter().map(|payment| &payment.order).collect(),
            fees: vec![fee; payments.len()],
        }
    }

    #[test]
    fn a_basket_shows_sums_by_currency_fees_and_each_payment_with_payer() {
        let payments = [
            domestic(1, "1000.00"),
            in_currency(domestic(2, "1.00"), "5.50", Currency::EUR),
            domestic(3, "250.50"),
        ];
        let purpose = Purpose::Basket(BasketId::from_bytes([2; 18]));
        let page = page_of(purpose, &ApprovalPrompt::Pay(ordered(&payments)), Language::English);
        for shown in [
            "Signed in as Kari (123456) Approve 3 payments Acme Pay asks you to approve several payments.",
            "In all EUR 5.50 NOK 1,250.50 Fee NOK 90.00",
            "Amount NOK 1,000.00",
            "Amount EUR 5.50",
            "Amount NOK 250.50",
        ] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        assert_eq!(page.matches("From account").count(), 3);
        assert!(page.contains("Approve payments Cancel"), "{page}");
    }

    #[test]
    fn a_basket_of_one_is_one_payment() {
        let payments = [domestic(1, "1000.00")];
        let purpose = Purpose::Basket(BasketId::from_bytes([2; 18]));
        let page = page_of(purpose, &ApprovalPrompt::Pay(ordered(&payments)), Language::Bokmal);
        assert!(
            page.starts_with(
                "Logget inn som Kari (123456) Godkjenn betaling Acme Pay ber deg godkjenne en betaling."
            ),
            "{page}"
        );
        assert!(page.contains("Gebyr 30,00 NOK"), "{page}");
    }

    #[test]
    fn stopping_a_payment_shows_it_and_has_words_of_its_own() {
        let payments = [instant(1, "1000.00")];
        let question = Ordered { fees: Vec::new(), ..ordered(&payments) };
        let purpose = Purpose::Cancellation(PaymentId::from_bytes([2; 18]));
        let page = page_of(purpose, &ApprovalPrompt::Cancel(question), Language::English);
        for shown in [
            "Signed in as Kari (123456) Stop this payment? Acme Pay asks you to stop a payment.",
            "Amount NOK 1,000.00",
        ] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        assert!(page.contains("Yes, stop it No, let it be"), "{page}");
        assert!(!page.contains("Fee"), "{page}");
    }

    #[test]
    fn stopping_a_bulk_has_the_words_of_several() {
        let payments = [bulk(1, &[("95360573037", "1.00"), ("95360573037", "2.00")])];
        for (language, shown) in [
            (
                Language::English,
                ["Stop these 2 payments?", "stop several payments.", "stop them No, let them be"],
            ),
            (
                Language::Bokmal,
                ["Stoppe disse 2 betalingene?", "stoppe flere betalinger.", "stopp dem Nei, la dem"],
            ),
        ] {
            let question = Ordered { fees: Vec::new(), ..ordered(&payments) };
            let purpose = Purpose::Cancellation(PaymentId::from_bytes([2; 18]));
            let page = page_of(purpose, &ApprovalPrompt::Cancel(question), language);
            assert!(shown.iter().all(|shown| page.contains(shown)), "{page}");
        }
    }

    #[test]
    fn a_basket_of_which_nothing_waits_can_only_be_cancelled() {
        for (language, shown) in [
            (
                Language::English,
                "Signed in as Kari (123456) Nothing to approve No payment waits for your approval any more. Cancel to \
                 go back. Cancel",
            ),
            (
                Language::Bokmal,
                "Logget inn som Kari (123456) Ingenting å godkjenne Ingen betaling venter på godkjenningen din \
                 lenger.",
            ),
        ] {
            let purpose = Purpose::Basket(BasketId::from_bytes([2; 18]));
            let page = page_of(purpose, &ApprovalPrompt::Pay(ordered(&[])), language);
            assert!(page.starts_with(shown), "{page}");
        }
    }

    #[test]
    fn a_psu_with_nothing_to_open_can_only_cancel() {
        let offer = Offer { accounts: Vec::new(), cards: Vec::new() };
        let page = page_of(Purpose::Consent, &ApprovalPrompt::Open(&offer), Language::English);
        assert!(page.contains("You have no account or card that you could choose."), "{page}");
        assert!(page.contains("Cancel Answer before"), "{page}");
        assert!(!page.contains("Give access"), "{page}");
    }
}
