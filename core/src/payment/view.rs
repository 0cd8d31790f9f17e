//! What a TPP is shown of payments, and the stored form of an order.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::machine::PaymentStatus;
use super::order::{
    Address, Bulk, CreditTransfer, Order, Periodic, RemittanceInformation, StructuredReference,
};
use super::record::Payment;
use crate::machine::Machine;
use crate::reason::Language;
use crate::types::{AccountIdentification, AccountReference, Amount, DecimalText, Money};
use crate::wire::link::Link;
use crate::wire::message::TppMessage;

/// An amount with its currency.
#[derive(Debug, Serialize)]
pub(crate) struct AmountView {
    amount: DecimalText,
    currency: &'static str,
}

impl From<Amount> for AmountView {
    fn from(amount: Amount) -> Self {
        Self { amount: DecimalText::of(amount.value()), currency: amount.currency().code() }
    }
}

impl From<Money> for AmountView {
    fn from(money: Money) -> Self {
        Self { amount: DecimalText::of(money.value()), currency: money.currency().code() }
    }
}

/// The request's fields, as details repeat them.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum OrderView<'o> {
    Single(TransferView<'o>),
    Periodic(PeriodicView<'o>),
    Bulk(BulkView<'o>),
}

impl<'o> From<&'o Order> for OrderView<'o> {
    fn from(order: &'o Order) -> Self {
        match order {
            Order::Single(transfer) => Self::Single(TransferView::from(transfer)),
            Order::Periodic(periodic) => Self::Periodic(PeriodicView::from(periodic)),
            Order::Bulk(bulk) => Self::Bulk(BulkView::from(bulk)),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PeriodicView<'p> {
    #[serde(flatten)]
    transfer: TransferView<'p>,
    start_date: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    execution_rule: Option<&'static str>,
    frequency: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    day_of_execution: Option<String>,
}

impl<'p> From<&'p Periodic> for PeriodicView<'p> {
    fn from(periodic: &'p Periodic) -> Self {
        let schedule = &periodic.schedule;
        Self {
            transfer: TransferView::from(&periodic.transfer),
            start_date: schedule.start_date.to_string(),
            end_date: schedule.end_date.map(|day| day.to_string()),
            execution_rule: schedule.execution_rule.map(|rule| rule.code()),
            frequency: schedule.frequency.code(),
            day_of_execution: schedule.day_of_execution.map(|day| day.number().to_string()),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BulkView<'b> {
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_information_id: Option<&'b str>,
    debtor_account: AccountView<'b>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requested_execution_date: Option<String>,
    payments: Vec<TransferView<'b>>,
}

impl<'b> From<&'b Bulk> for BulkView<'b> {
    fn from(bulk: &'b Bulk) -> Self {
        // A member of the whole bulk is not repeated in its entries.
        let entry = |transfer| TransferView { debtor_account: None, ..TransferView::from(transfer) };
        Self {
            payment_information_id: bulk.payment_information_id.as_ref().map(|id| id.as_str()),
            debtor_account: AccountView(&bulk.debtor_account),
            requested_execution_date: bulk.requested_execution_date.map(|day| day.to_string()),
            payments: bulk.entries.iter().map(entry).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TransferView<'t> {
    instructed_amount: AmountView,
    creditor_name: &'t str,
    creditor_account: AccountView<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_agent: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_address: Option<AddressView<'t>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    debtor_account: Option<AccountView<'t>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ultimate_debtor: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    purpose_code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remittance_information_unstructured: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remittance_information_structured: Option<ReferenceView<'t>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remittance_information_structured_array: Option<Vec<ReferenceView<'t>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    regulatory_reporting_code: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    regulatory_reporting_information: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    service_level: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requested_execution_date: Option<String>,
}

impl<'t> From<&'t CreditTransfer> for TransferView<'t> {
    fn from(transfer: &'t CreditTransfer) -> Self {
        let remittance = transfer.remittance.as_ref();
        Self {
            instructed_amount: transfer.instructed_amount.into(),
            creditor_name: transfer.creditor_name.as_str(),
            creditor_account: AccountView(&transfer.creditor_account),
            creditor_agent: transfer.creditor_agent.as_ref().map(|bic| bic.as_str()),
            creditor_address: transfer.creditor_address.as_ref().map(AddressView::from),
            debtor_account: Some(AccountView(&transfer.debtor_account)),
            ultimate_debtor: transfer.ultimate_debtor.as_ref().map(|name| name.as_str()),
            purpose_code: transfer.purpose_code.map(|code| code.code()),
            remittance_information_unstructured: match remittance {
                Some(RemittanceInformation::Unstructured(text)) => Some(text.as_str()),
                _ => None,
            },
            remittance_information_structured: match remittance {
                Some(RemittanceInformation::Structured(reference)) => Some(reference.into()),
                _ => None,
            },
            remittance_information_structured_array: match remittance {
                Some(RemittanceInformation::StructuredArray(references)) => {
                    Some(references.iter().map(ReferenceView::from).collect())
                }
                _ => None,
            },
            regulatory_reporting_code: transfer.regulatory_reporting_code.as_ref().map(|code| code.as_str()),
            regulatory_reporting_information: transfer
                .regulatory_reporting_information
                .as_ref()
                .map(|information| information.as_str()),
            service_level: transfer.service_level.map(|level| level.code()),
            requested_execution_date: transfer.requested_execution_date.map(|day| day.to_string()),
        }
    }
}

/// An account in the form in which it was named.
#[derive(Debug)]
pub(crate) struct AccountView<'t>(pub(crate) &'t AccountReference);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CardView<'t> {
    identification: &'t str,
    scheme_name_proprietary: &'static str,
}

impl Serialize for AccountView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut account = serializer.serialize_struct("Account", 2)?;
        match &self.0.identification {
            AccountIdentification::Bban(bban) => account.serialize_field("bban", bban.as_str())?,
            AccountIdentification::Iban(iban) => account.serialize_field("iban", iban.as_str())?,
            AccountIdentification::Card(number) => {
                let card = CardView { identification: number, scheme_name_proprietary: "creditCardAccount" };
                account.serialize_field("other", &card)?;
            }
        }
        account.serialize_field("currency", self.0.currency.code())?;
        account.end()
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AddressView<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    street: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    building_number: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postal_code: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    town_name: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    city: Option<&'t str>,
    country: &'static str,
}

impl<'t> From<&'t Address> for AddressView<'t> {
    fn from(address: &'t Address) -> Self {
        Self {
            street: address.street.as_ref().map(|text| text.as_str()),
            building_number: address.building_number.as_ref().map(|text| text.as_str()),
            postal_code: address.postal_code.as_ref().map(|text| text.as_str()),
            town_name: address.town_name.as_ref().map(|text| text.as_str()),
            city: address.city.as_ref().map(|text| text.as_str()),
            country: address.country.code(),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ReferenceView<'t> {
    reference: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_type: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_issuer: Option<&'t str>,
}

impl<'t> From<&'t StructuredReference> for ReferenceView<'t> {
    fn from(reference: &'t StructuredReference) -> Self {
        Self {
            reference: reference.reference.as_str(),
            reference_type: reference.reference_type.as_ref().map(|text| text.as_str()),
            reference_issuer: reference.reference_issuer.as_ref().map(|text| text.as_str()),
        }
    }
}

/// Links of a payment, in the order they are answered.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentLinks {
    #[serde(rename = "self", skip_serializing_if = "Option::is_none")]
    own: Option<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_authorisation: Option<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sca_redirect: Option<Link>,
}

impl PaymentLinks {
    /// The links of a payment: it can be authorised, and cancelled by a DELETE alone, while it is received
    /// and sits in no basket. `sca_redirect` takes the place
    /// of an explicit start where a single SCA was started.
    fn new(payment: &Payment, sca_redirect: Option<String>) -> Self {
        let own = path(payment);
        let is_open = payment.status == PaymentStatus::Rcvd && payment.basket.is_none();
        let starts = is_open && sca_redirect.is_none();
        Self {
            status: Some(Link::get([&own, "/status"].concat())),
            start_authorisation: starts.then(|| Link::post([&own, "/authorisations"].concat())),
            sca_redirect: sca_redirect.map(Link::get),
            own: Some(if is_open { Link::get_and_delete(own) } else { Link::get(own) }),
        }
    }

    /// The links of an authorised payment whose cancellation the PSU has to authorise.
    fn of_cancellation(payment: &Payment) -> Self {
        let start = format!("{}/cancellation-authorisations", path(payment));
        Self { start_authorisation: Some(Link::post(start)), ..Self::new(payment, None) }
    }
}

/// The path of a payment, without host and base path.
pub(crate) fn path(payment: &Payment) -> String {
    ["/v1/", payment.product.path(), "/", payment.id.as_str()].concat()
}

/// The answer to a creation (contract: Payment initiation response).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreatedView<'p> {
    payment_id: &'p str,
    transaction_status: &'static str,
    transaction_fees: AmountView,
    transaction_fee_indicator: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tpp_messages: Vec<TppMessage>,
    psu_message: Cow<'p, str>,
    #[serde(rename = "_links")]
    links: PaymentLinks,
}

impl<'p> CreatedView<'p> {
    pub(crate) fn new(
        payment: &'p Payment,
        sca_redirect: Option<String>,
        tpp_messages: Vec<TppMessage>,
        language: Language,
    ) -> Self {
        Self {
            payment_id: payment.id.as_str(),
            transaction_status: payment.status.as_str(),
            transaction_fees: payment.fee.into(),
            transaction_fee_indicator: !payment.fee.is_zero(),
            tpp_messages,
            psu_message: psu_message(payment, language),
            links: PaymentLinks::new(payment, sca_redirect),
        }
    }
}

/// The answer to a question for the status.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusView<'p> {
    payment_id: &'p str,
    transaction_status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    funds_available: Option<bool>,
    psu_message: Cow<'p, str>,
    #[serde(rename = "_links")]
    links: PaymentLinks,
}

impl<'p> StatusView<'p> {
    pub(crate) fn new(payment: &'p Payment, language: Language) -> Self {
        Self {
            payment_id: payment.id.as_str(),
            transaction_status: payment.status.as_str(),
            funds_available: payment.funds_available,
            psu_message: psu_message(payment, language),
            links: PaymentLinks::new(payment, None),
        }
    }
}

/// The answer to a question for details: the request's fields, and no status.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DetailsView<'p> {
    payment_id: &'p str,
    #[serde(flatten)]
    order: OrderView<'p>,
    #[serde(rename = "_links")]
    links: PaymentLinks,
}

impl<'p> DetailsView<'p> {
    pub(crate) fn new(payment: &'p Payment) -> Self {
        let mut links = PaymentLinks::new(payment, None);
        links.start_authorisation = None;
        Self { payment_id: payment.id.as_str(), order: OrderView::from(&payment.order), links }
    }
}

/// The answer to a DELETE that cannot cancel by itself.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CancellationView {
    transaction_status: &'static str,
    #[serde(rename = "_links")]
    links: PaymentLinks,
}

impl CancellationView {
    pub(crate) fn new(payment: &Payment) -> Self {
        Self { transaction_status: payment.status.as_str(), links: PaymentLinks::of_cancellation(payment) }
    }
}

/// What the TPP may show the PSU about the payment.
fn psu_message(payment: &Payment, language: Language) -> Cow<'_, str> {
    if let Some(why) = &payment.on_hold {
        return on_hold_message(why, language);
    }
    let no_funds = payment.funds_available == Some(false);
    let (english, bokmal) = match payment.status {
        PaymentStatus::Rcvd => {
            ("The payment waits for your approval.", "Betalingen venter på din godkjenning.")
        }
        PaymentStatus::Acsc => ("The payment is carried out.", "Betalingen er utført."),
        PaymentStatus::Rjct if no_funds => (
            "The payment was rejected: there is not enough money in the account.",
            "Betalingen ble avvist: det er ikke nok penger på kontoen.",
        ),
        PaymentStatus::Rjct => ("The payment was rejected.", "Betalingen ble avvist."),
        PaymentStatus::Canc => ("The payment is cancelled.", "Betalingen er kansellert."),
        PaymentStatus::Part if no_funds => (
            "The payment is carried out in part: there is not enough money in the account for the rest.",
            "Betalingen er delvis utført: det er ikke nok penger på kontoen til resten.",
        ),
        PaymentStatus::Part => ("The payment is carried out in part.", "Betalingen er delvis utført."),
        PaymentStatus::Pdng
        | PaymentStatus::Actc
        | PaymentStatus::Accp
        | PaymentStatus::Acwc
        | PaymentStatus::Acsp
        | PaymentStatus::Acwp => ("The payment is being processed.", "Betalingen er under behandling."),
    };
    match language {
        Language::English => english.into(),
        Language::Bokmal => bokmal.into(),
    }
}

/// That the bank holds the payment, and why where it says so.
fn on_hold_message(why: &str, language: Language) -> Cow<'_, str> {
    let held = match language {
        Language::English => "The bank has put the payment on hold",
        Language::Bokmal => "Banken har satt betalingen på vent",
    };
    let end = if why.is_empty() { "." } else { ": " };
    [held, end, why].concat().into()
}
