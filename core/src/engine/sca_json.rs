//! What the bank's SCA site reads and writes, as JSON: for sites in other languages.

use serde::Serialize;

use super::complete_sca::ScaOutcome;
use super::open_authorisation::{OpenAuthorisation, Subject};
use super::public_api::Engine;
use crate::consent::record::Grant;
use crate::error::{Error, Result};
use crate::json_bank::shape::{shape, Fault, Part};
use crate::payment::record::Payment;
use crate::payment::view::{AmountView, OrderView};
use crate::reason::Language;
use crate::sca::callback::Redirect;
use crate::types::instant::rfc3339;
use crate::types::{AccountId, ActingPsu, CardAccountId, Context, CorporateKey, PsuKey};
use crate::wire::json::{self, Json};

impl Engine {
    /// As [`Engine::authorisation`], as a JSON object:
    ///
    /// | member | value |
    /// |---|---|
    /// | `authorisationId` | the id in the link |
    /// | `tpp` | the TPP's organisation identifier |
    /// | `tppName` | the name of the organisation in its certificate, without hidden characters, where it has one |
    /// | `kind` | `payment`, `cancellation`, `basket`, `consent` or `identification` |
    /// | `orders` | payment bodies, with amounts and payees; none for `consent` and `identification` |
    /// | `person`, `identity`, `context`, `corporate` | whom this call or an earlier one named, each where it did |
    /// | `brand` | the brand that the TPP uses toward the PSU, where it named one |
    /// | `redirectPreferred` | `true`, or `false` where the bank's app may authenticate the PSU |
    /// | `language` | of the PSU: `en` or `nb` |
    /// | `expiresAt` | when the link dies, by RFC 3339 in UTC |
    ///
    /// Beside what is in its body, an order has `paymentId`, `product` and `fee`, as the bank receives them.
    ///
    /// # Errors
    /// As [`Engine::authorisation`].
    pub fn authorisation_json(&self, id: &str) -> Result<Option<String>> {
        let open = self.authorisation(id)?;
        open.map(|open| json::write_text(&AuthorisationView::from(&open))).transpose()
    }

    /// As [`Engine::complete_sca`], with the outcome as a JSON object:
    ///
    /// | member | value |
    /// |---|---|
    /// | `outcome` | `approved`, `aborted`, `failed`, `psuUnknown` or `otherPsu` |
    /// | `psu` | for `approved`: `{person, context, corporate}`, the last in the context `CORPORATE` alone |
    /// | `accounts`, `cardAccounts` | for `approved`: ids of what the PSU opens; both absent: all that is offered |
    ///
    /// # Errors
    /// [`Error::Misuse`] for an outcome of another form, and as [`Engine::complete_sca`].
    pub fn complete_sca_json(&self, id: &str, outcome: &str) -> Result<Redirect> {
        self.complete_sca(id, &outcome_of(outcome)?)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AuthorisationView<'a> {
    authorisation_id: &'a str,
    tpp: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tpp_name: Option<&'a str>,
    kind: &'static str,
    orders: Vec<OrderedView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    person: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    identity: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    corporate: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    brand: Option<&'a str>,
    redirect_preferred: bool,
    language: &'static str,
    expires_at: String,
}

/// A payment that is to be approved, or stopped.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OrderedView<'a> {
    payment_id: &'a str,
    product: &'static str,
    fee: AmountView,
    #[serde(flatten)]
    order: OrderView<'a>,
}

impl<'a> From<&'a Payment> for OrderedView<'a> {
    fn from(payment: &'a Payment) -> Self {
        Self {
            payment_id: payment.id.as_str(),
            product: payment.product.path(),
            fee: AmountView::from(payment.fee),
            order: OrderView::from(&payment.order),
        }
    }
}

impl<'a> From<&'a OpenAuthorisation> for AuthorisationView<'a> {
    fn from(open: &'a OpenAuthorisation) -> Self {
        let authorisation = &open.authorisation;
        let payments = match &open.subject {
            Subject::Payment(payment) | Subject::Cancellation(payment) => {
                std::slice::from_ref(payment.as_ref())
            }
            Subject::Basket(payments) => payments.as_slice(),
            Subject::Consent | Subject::Identification => &[],
        };
        Self {
            authorisation_id: authorisation.id.as_str(),
            tpp: &authorisation.tpp,
            tpp_name: authorisation.tpp_name.as_deref(),
            kind: authorisation.purpose.word(),
            orders: payments.iter().map(OrderedView::from).collect(),
            person: authorisation.psu.as_ref().map(PsuKey::as_str),
            identity: authorisation.identity.as_ref().map(|identity| identity.as_str()),
            context: authorisation.context.map(Context::as_str),
            corporate: authorisation.corporate.as_ref().map(CorporateKey::as_str),
            brand: authorisation.brand.as_deref(),
            redirect_preferred: authorisation.redirect_preferred,
            language: Language::tag(authorisation.psu_language),
            expires_at: rfc3339(authorisation.expires_at()),
        }
    }
}

/// How an SCA ended, as the site reports it.
struct ScaResult {
    outcome: String,
    psu: Option<Psu>,
    accounts: Option<Vec<AccountId>>,
    card_accounts: Option<Vec<CardAccountId>>,
}

/// Who approved, as the site reports it.
struct Psu {
    person: PsuKey,
    context: String,
    corporate: Option<CorporateKey>,
}

shape! {
    ScaResult "sca-outcome" {
        outcome: String = required "outcome", "how it ended";
        psu: Psu = optional "psu", "who approved";
        accounts: Vec<AccountId> = optional "accounts", "the accounts that are opened";
        card_accounts: Vec<CardAccountId> = optional "cardAccounts", "the card accounts that are opened";
    }
}

shape! {
    Psu "sca-psu" {
        person: PsuKey = required "person", "the bank's own reference to the person";
        context: String = required "context", "the context";
        corporate: CorporateKey = optional "corporate", "the bank's own reference to the customer";
    }
}

fn outcome_of(text: &str) -> Result<ScaOutcome> {
    let json = Json::parse(text.as_bytes()).map_err(|violation| {
        Error::Misuse(format!("the outcome of the SCA: {}", violation.text(Language::English)))
    })?;
    let result = ScaResult::read(&json).map_err(misuse)?;
    let ScaResult { outcome, psu, accounts, card_accounts } = result;
    if outcome == "approved" {
        let psu = psu.ok_or_else(|| misuse(Fault::new("is missing").below("psu")))?;
        let grant = match (accounts, card_accounts) {
            (None, None) => Grant::Everything,
            (accounts, card_accounts) => Grant::Only {
                accounts: accounts.unwrap_or_default(),
                card_accounts: card_accounts.unwrap_or_default(),
            },
        };
        return Ok(ScaOutcome::Approved { psu: acting(psu)?, grant });
    }
    if psu.is_some() || accounts.is_some() || card_accounts.is_some() {
        return Err(misuse(Fault::new(
            "`psu`, `accounts` and `cardAccounts` are only for the outcome `approved`",
        )));
    }
    match outcome.as_str() {
        "aborted" => Ok(ScaOutcome::Aborted),
        "failed" => Ok(ScaOutcome::Failed),
        "psuUnknown" => Ok(ScaOutcome::PsuUnknown),
        "otherPsu" => Ok(ScaOutcome::OtherPsu),
        _ => {
            let names = "is none of approved, aborted, failed, psuUnknown, otherPsu";
            Err(misuse(Fault::new(names).below("outcome")))
        }
    }
}

fn acting(psu: Psu) -> Result<ActingPsu> {
    let context = Context::parse(&psu.context)
        .map_err(|_| misuse(Fault::new("is neither PRIVATE nor CORPORATE").below("context").below("psu")))?;
    Ok(ActingPsu { psu: psu.person, context, corporate: psu.corporate })
}

fn misuse(fault: Fault) -> Error {
    let place = if fault.pointer.is_empty() { String::new() } else { format!("{} ", fault.pointer) };
    Error::Misuse(format!("the outcome of the SCA: {place}{}", fault.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_outcome_is_read() {
        let approved = |accounts: &str| {
            format!(r#"{{"outcome":"approved","psu":{{"person":"p","context":"PRIVATE"}}{accounts}}}"#)
        };
        let psu = ActingPsu { psu: PsuKey::new("p"), context: Context::Private, corporate: None };
        let id = AccountId::parse("a").unwrap();
        let some = Grant::Only { accounts: vec![id], card_accounts: vec![] };
        let none = Grant::Only { accounts: vec![], card_accounts: vec![] };
        for (text, expected) in [
            (r#"{"outcome":"aborted"}"#.to_owned(), ScaOutcome::Aborted),
            (r#"{"outcome":"failed"}"#.to_owned(), ScaOutcome::Failed),
            (r#"{"outcome":"psuUnknown"}"#.to_owned(), ScaOutcome::PsuUnknown),
            (r#"{"outcome":"otherPsu","psu":null}"#.to_owned(), ScaOutcome::OtherPsu),
            (approved(""), ScaOutcome::Approved { psu: psu.clone(), grant: Grant::Everything }),
            (approved(r#","accounts":["a"]"#), ScaOutcome::Approved { psu: psu.clone(), grant: some }),
            (approved(r#","cardAccounts":[]"#), ScaOutcome::Approved { psu, grant: none }),
        ] {
            assert_eq!(outcome_of(&text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn another_form_is_a_misuse_that_repeats_no_value() {
        for text in [
            "",
            "[]",
            "{}",
            r#"{"outcome":"Approved"}"#,
            r#"{"outcome":"approved"}"#,
            r#"{"outcome":"approved","psu":{"person":"secret"}}"#,
            r#"{"outcome":"approved","psu":{"person":"secret","context":"private"}}"#,
            r#"{"outcome":"approved","psu":{"person":"","context":"PRIVATE"}}"#,
            r#"{"outcome":"aborted","psu":{"person":"secret","context":"PRIVATE"}}"#,
            r#"{"outcome":"failed","accounts":[]}"#,
            r#"{"outcome":"approved","psu":{"person":"p","context":"PRIVATE"},"accounts":["secret/1"]}"#,
            r#"{"outcome":"approved","psu":{"person":"p","context":"PRIVATE"},"cards":[]}"#,
        ] {
            match outcome_of(text) {
                Err(Error::Misuse(result)) => assert!(!result.contains("secret"), "{result}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}
