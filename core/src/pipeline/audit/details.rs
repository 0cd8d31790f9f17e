//! The member `details` of a line: what a kind of line holds beside the members that all have.

use serde::Serialize;

use crate::basket::record::Basket;
use crate::consent::record::Consent;
use crate::error::Result;
use crate::limits::AUDIT_SERIAL_DIGITS_MAX;
use crate::payment::record::Payment;
use crate::pipeline::account_read::{AccountOf, AccountRead, Answered};
use crate::reason::Reason;
use crate::sca::record::Authorisation;
use crate::store::BlockedSubject;
use crate::tpp::certificate::Certificate;
use crate::tpp::serial_number::SerialNumber;
use crate::types::{BasketId, CallIds, CertificateHash, CorrelationId, PaymentId, PsuClient, TraceParent};
use crate::wire::json;

/// Every member there is. An absent one is not written.
#[derive(Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Details<'w> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) product: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<&'static str>,
    /// What an authorisation is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) purpose: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) payment_id: Option<&'w str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) basket_id: Option<&'w str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) payment_ids: Vec<&'w str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accounts: Option<Vec<&'w str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) card_accounts: Option<Vec<&'w str>>,
    /// Of a read: whether the PSU asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) psu_present: Option<bool>,
    /// How far a refused call came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stage: Option<&'static str>,
    /// The id of the row of the table of reasons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<&'static str>,
    /// Why an order is a dead letter, or calls are refused, in the words for the operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<&'w str>,
    /// When a block ends, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) certificate: Option<CertificateView>,
    /// How many calls were refused and not noted one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) count: Option<u64>,
    /// The minute in which they were, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) minute: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) psu_client: Option<ClientView>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "traceparent")]
    pub(crate) trace_parent: Option<TraceParent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) correlation_id: Option<CorrelationId>,
}

impl Details<'_> {
    /// The same with the ids of the call.
    pub(crate) fn of_call(self, ids: CallIds) -> Self {
        Self { trace_parent: ids.traceparent, correlation_id: ids.correlation_id, ..self }
    }

    /// The text of the object; `None` for one without members.
    ///
    /// # Errors
    /// [`Error::Internal`](crate::Error::Internal): a bug.
    pub(crate) fn into_text(self) -> Result<Option<String>> {
        match self == Self::default() {
            true => Ok(None),
            false => json::write_text(&self).map(Some),
        }
    }
}

/// What the TPP forwarded of the PSU's own call, under the names of its headers.
#[derive(PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClientView {
    #[serde(skip_serializing_if = "Option::is_none")]
    ip_address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ip_port: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    http_method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_agent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accept: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accept_charset: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accept_encoding: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accept_language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    device_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    geo_location: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    brand: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redirect_preferred: Option<bool>,
}

/// `None` where the TPP forwarded nothing.
pub(crate) fn of_client(client: &PsuClient) -> Option<ClientView> {
    (*client != PsuClient::default()).then(|| ClientView {
        ip_address: client.ip_address.map(|address| address.to_string()),
        ip_port: client.ip_port,
        http_method: client.http_method.clone(),
        user_agent: client.user_agent.clone(),
        accept: client.accept.clone(),
        accept_charset: client.accept_charset.clone(),
        accept_encoding: client.accept_encoding.clone(),
        accept_language: client.accept_language.clone(),
        device_id: client.device_id.map(|id| id.to_string()),
        geo_location: client.geo_location.clone(),
        brand: client.brand.clone(),
        redirect_preferred: client.redirect_preferred,
    })
}

/// A certificate that was shown. Nothing but its hash is certain: a refused caller may show any certificate.
#[derive(PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CertificateView {
    sha256: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    serial_number: Option<String>,
}

impl CertificateView {
    /// The certificate that is blocked, if it is one.
    pub(super) fn of_subject(subject: &BlockedSubject) -> Option<Self> {
        match subject {
            BlockedSubject::Certificate(hash) => Some(Self { sha256: hash.to_string(), serial_number: None }),
            BlockedSubject::Tpp(_) => None,
        }
    }
}

pub(crate) fn of_certificate(certificate: &Certificate) -> CertificateView {
    CertificateView {
        sha256: CertificateHash::new(*certificate.fingerprint()).to_string(),
        serial_number: Some(printable(certificate.serial_number())),
    }
}

/// What is kept of a serial number: a stranger's may be as long as the header.
fn printable(number: &SerialNumber) -> String {
    let text = number.to_string();
    let sign = usize::from(text.starts_with('-'));
    text.chars().take(sign + AUDIT_SERIAL_DIGITS_MAX).collect()
}

pub(super) fn of_payment(payment: &Payment) -> Details<'_> {
    Details {
        product: Some(payment.product.as_str()),
        status: Some(crate::machine::Machine::as_str(payment.status)),
        ..Details::default()
    }
}

pub(super) fn of_basket(basket: &Basket) -> Details<'_> {
    let payment_ids = basket.payments.iter().map(|id| id.as_str()).collect();
    Details { payment_ids, ..Details::default() }
}

pub(super) fn of_authorisation(authorisation: &Authorisation, against: Option<Reason>) -> Details<'_> {
    let (purpose, payment_id, basket_id) = authorisation.purpose.parts();
    Details {
        purpose: Some(purpose),
        payment_id: payment_id.map(PaymentId::as_str),
        basket_id: basket_id.map(BasketId::as_str),
        reason: against.map(Reason::id),
        ..Details::default()
    }
}

pub(super) fn of_consent(consent: &Consent) -> Details<'_> {
    Details {
        accounts: Some(consent.accounts.iter().map(|id| id.as_str()).collect()),
        card_accounts: Some(consent.card_accounts.iter().map(|id| id.as_str()).collect()),
        ..Details::default()
    }
}

/// What was read of which accounts. A list that the bank answered without an account is one of none.
pub(super) fn of_read(read: &AccountRead<Answered>, is_psu_present: bool) -> Details<'_> {
    let mut details = Details { psu_present: Some(is_psu_present), ..Details::default() };
    match (read, read.account()) {
        (AccountRead::Accounts { accounts, .. }, _) => {
            details.accounts = Some(accounts.iter().map(|(account, _)| account.id.as_str()).collect());
        }
        (AccountRead::CardAccounts { cards }, _) => {
            details.card_accounts = Some(cards.iter().map(|(card, _)| card.id.as_str()).collect());
        }
        (_, AccountOf::Account(account)) => details.accounts = Some(vec![account.id.as_str()]),
        (_, AccountOf::Card(card)) => details.card_accounts = Some(vec![card.id.as_str()]),
        (_, AccountOf::All) => {}
    }
    details
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_serial_number_is_kept_up_to_twenty_octets() {
        for octets in [1, 19, 20, 21, 20_000] {
            let kept = printable(&SerialNumber::from_bytes(&vec![0x11; octets]));
            assert_eq!(kept, "11".repeat(octets.min(20)), "{octets}");
        }
        let negative = SerialNumber::from_bytes(&[0x81; 20]);
        assert_eq!(printable(&negative), negative.to_string());
        assert_eq!(negative.to_string().len(), 41);
        // The bound is of what is written, not of what was shown: zeros before a number are none of it.
        assert_eq!(printable(&SerialNumber::from_bytes(&[0, 0x81])), "81");
    }
}
