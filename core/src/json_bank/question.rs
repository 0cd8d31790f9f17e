//! The objects that are questions, and the objects in them.

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::shape::{MemberRow, Shape};
use crate::account::record::TransactionQuery;
use crate::bank::{PaymentOrder, PsuClient, ScaOccasion, ScaQuestion};
use crate::payment::order::Order;
use crate::payment::product::Product;
use crate::payment::view::{AccountView, AmountView, OrderView};
use crate::types::instant::rfc3339;
use crate::types::{AccountReference, ActingPsu, Money};

/// `Name "name-in-the-docs" { field: Type = presence "wireName", "its form", "what it says"; }`
macro_rules! question {
    ($(#[$doc:meta])* $type:ident $name:literal {
        $( $field:ident: $form_of:ty = $presence:ident $wire:literal, $form:literal, $meaning:literal; )+
    }) => {
        $(#[$doc])*
        #[derive(Serialize)]
        pub(crate) struct $type<'q> { $(
            #[serde(rename = $wire, skip_serializing_if = "Absent::is_absent")]
            pub(crate) $field: question!(@field $presence $form_of),
        )+ }

        impl $type<'_> {
            /// For the docs.
            pub(super) fn shape() -> Shape {
                Shape { name: $name, members: vec![ $(
                    MemberRow {
                        name: $wire,
                        form: $form.into(),
                        is_required: question!(@is $presence),
                        meaning: $meaning,
                    },
                )+ ] }
            }
        }
    };
    (@field required $type:ty) => { Always<$type> };
    (@field optional $type:ty) => { Option<$type> };
    (@is required) => { true };
    (@is optional) => { false };
}

/// A member that is always there.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct Always<T>(pub(crate) T);

/// Whether a member is left out.
trait Absent {
    fn is_absent(&self) -> bool;
}

impl<T> Absent for Always<T> {
    fn is_absent(&self) -> bool {
        false
    }
}

impl<T> Absent for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

question! {
    /// A PSU in the role they act in.
    PsuView "psu" {
        person: &'q str = required "person", "a text", "the bank's own reference to the person";
        context: &'q str = required "context", "`PRIVATE` or `CORPORATE`", "for themselves, or for a customer";
        corporate: &'q str = optional "corporate", "a text",
            "the bank's own reference to the customer they act for; in the context `CORPORATE` alone";
    }
}

question! {
    /// What the TPP forwarded of the PSU's own call.
    ClientView "client" {
        ip_address: String = optional "ipAddress", "an IP address", "PSU-IP-Address; without it the PSU is away";
        ip_port: u16 = optional "ipPort", "a port", "PSU-IP-Port";
        http_method: &'q str = optional "httpMethod", "a text", "PSU-HTTP-Method";
        user_agent: &'q str = optional "userAgent", "a text", "PSU-User-Agent";
        accept: &'q str = optional "accept", "a text", "PSU-Accept";
        accept_charset: &'q str = optional "acceptCharset", "a text", "PSU-Accept-Charset";
        accept_encoding: &'q str = optional "acceptEncoding", "a text", "PSU-Accept-Encoding";
        accept_language: &'q str = optional "acceptLanguage", "a text", "PSU-Accept-Language";
        device_id: String = optional "deviceId", "a UUID", "PSU-Device-ID";
        geo_location: &'q str = optional "geoLocation", "a text", "PSU-Geo-Location, as it was sent";
        brand: &'q str = optional "brand", "a text", "TPP-Brand-Logging-Information";
        redirect_preferred: bool = optional "redirectPreferred", "`true` or `false`", "TPP-Redirect-Preferred";
    }
}

question! {
    /// Who a person is.
    PsuQuestion "psu" {
        identity: &'q str = required "identity", "11 digits", "the national identity number, as the TPP sent it";
    }
}

question! {
    /// Whether an account may pay.
    DebtorQuestion "debtor_account" {
        psu: PsuView<'q> = required "psu", "[psu](#psu)", "who pays";
        account: AccountView<'q> = required "account", "[account reference](#account-reference)",
            "the account; the currency is the TPP's word and need not be looked at";
    }
}

question! {
    /// What a creditor agreed on.
    CreditorQuestion "kid_agreement" {
        bban: &'q str = required "bban", "an account number", "the creditor's account";
    }
}

question! {
    /// What a payment costs.
    FeeQuestion "fee" {
        product: &'static str = required "product", "service and product, as in the path", "the product";
        order: OrderView<'q> = required "order", "[order](#order)", "the order";
    }
}

question! {
    /// What a currency is worth.
    RateQuestion "rate" {
        source: &'q str = required "sourceCurrency", "a currency's code", "of this currency one unit";
        target: &'q str = required "targetCurrency", "a currency's code", "in this currency";
    }
}

question! {
    /// Whether an SCA is wanted.
    RiskQuestion "requires_sca" {
        occasion: &'q str = required "occasion", "`accountInformation` or `payment`",
            "account data is about to be read; or a payment of a known PSU is about to be created, and the rules ask \
             for an SCA";
        operation: &'q str = optional "operation", "a text",
            "for account data: the operation, such as `getTransactions`";
        is_ruled: bool = optional "isRuled", "a boolean",
            "for account data: whether the rules ask for an SCA, because none was completed under the session that \
             the call names";
        sca_completed_at: String = optional "scaCompletedAt",
            "a time by RFC 3339 in UTC, with 0, 3, 6 or 9 digits of a second",
            "for account data: when the last SCA under the call's session was completed";
        product: &'static str = optional "product", "service and product, as in the path", "for a payment: the product";
        order: OrderView<'q> = optional "order", "[order](#order)", "for a payment: the order";
        tpp: &'q str = required "tpp", "a text", "the TPP's organisation identifier, such as `PSDNO-FSA-912345678`";
        psu: PsuView<'q> = required "psu", "[psu](#psu)", "who acts";
        client: ClientView<'q> = required "client", "[client](#client)", "what the TPP forwarded of the PSU's own call";
    }
}

question! {
    /// An authorised payment.
    SubmitQuestion "submit_payment" {
        payment_id: &'q str = required "paymentId", "an id", "the idempotency key: one id is carried out once";
        product: &'static str = required "product", "service and product, as in the path", "the product";
        psu: PsuView<'q> = required "psu", "[psu](#psu)", "who ordered it";
        order: OrderView<'q> = required "order", "[order](#order)", "the order";
        fee: AmountView = required "fee", "`{amount, currency}`", "the fee that was shown at creation";
        authorised_at: String = required "authorisedAt",
            "a time by RFC 3339 in UTC, with 0, 3, 6 or 9 digits of a second",
            "when the SCA was completed, or the bank exempted the payment from it";
        now: String = required "now", "a time by RFC 3339 in UTC, with 0, 3, 6 or 9 digits of a second",
            "the engine's time";
    }
}

question! {
    /// A payment to give up.
    CancelQuestion "cancel_payment" {
        payment_id: &'q str = required "paymentId", "an id", "the payment";
        now: String = required "now", "a time by RFC 3339 in UTC, with 0, 3, 6 or 9 digits of a second",
            "the engine's time";
    }
}

question! {
    /// What a person may act under.
    PersonQuestion "agreements" {
        person: &'q str = required "person", "a text", "the bank's own reference to the person";
    }
}

question! {
    /// What a PSU has.
    OwnerQuestion "accounts" {
        psu: PsuView<'q> = required "psu", "[psu](#psu)", "whose";
    }
}

question! {
    /// One account of a PSU.
    AccountQuestion "account" {
        psu: PsuView<'q> = required "psu", "[psu](#psu)", "whose";
        account_id: &'q str = required "accountId", "an id", "which";
    }
}

question! {
    /// Something of an account.
    OfAccountQuestion "balances" {
        account_id: &'q str = required "accountId", "an id", "the account";
    }
}

question! {
    /// A part of an account's booked transactions.
    BookedQuestion "booked" {
        account_id: &'q str = required "accountId", "an id", "the account";
        from: String = optional "dateFrom", "a day `YYYY-MM-DD`", "the first booking day; the period includes it";
        to: String = optional "dateTo", "a day `YYYY-MM-DD`", "the last booking day; the period includes it";
        offset: u64 = required "offset", "a whole number", "how many are skipped";
        limit: u32 = required "limit", "a whole number", "how many are answered at most; with 0 the total alone";
    }
}

question! {
    /// One transaction of an account.
    TransactionQuestion "transaction" {
        account_id: &'q str = required "accountId", "an id", "the account";
        transaction_id: &'q str = required "transactionId", "an id", "which";
    }
}

question! {
    /// One card account of a PSU.
    CardQuestion "card_account" {
        psu: PsuView<'q> = required "psu", "[psu](#psu)", "whose";
        card_account_id: &'q str = required "cardAccountId", "an id", "which";
    }
}

question! {
    /// Something of a card account.
    OfCardQuestion "card_balances" {
        card_account_id: &'q str = required "cardAccountId", "an id", "the card account";
    }
}

question! {
    /// A part of a card account's booked transactions.
    CardBookedQuestion "card_booked" {
        card_account_id: &'q str = required "cardAccountId", "an id", "the card account";
        from: String = optional "dateFrom", "a day `YYYY-MM-DD`", "the first booking day; the period includes it";
        to: String = optional "dateTo", "a day `YYYY-MM-DD`", "the last booking day; the period includes it";
        offset: u64 = required "offset", "a whole number", "how many are skipped";
        limit: u32 = required "limit", "a whole number", "how many are answered at most; with 0 the total alone";
    }
}

/// The objects in questions, for the docs.
pub(super) fn shapes() -> Vec<Shape> {
    vec![PsuView::shape(), ClientView::shape()]
}

impl<'q> From<&'q ActingPsu> for Always<PsuView<'q>> {
    fn from(acting: &'q ActingPsu) -> Self {
        Self(PsuView {
            person: Always(acting.psu.as_str()),
            context: Always(acting.context.as_str()),
            corporate: acting.corporate.as_ref().map(|corporate| corporate.as_str()),
        })
    }
}

impl<'q> From<&'q PsuClient> for ClientView<'q> {
    fn from(client: &'q PsuClient) -> Self {
        Self {
            ip_address: client.ip_address.map(|address| address.to_string()),
            ip_port: client.ip_port,
            http_method: client.http_method.as_deref(),
            user_agent: client.user_agent.as_deref(),
            accept: client.accept.as_deref(),
            accept_charset: client.accept_charset.as_deref(),
            accept_encoding: client.accept_encoding.as_deref(),
            accept_language: client.accept_language.as_deref(),
            device_id: client.device_id.map(|id| id.to_string()),
            geo_location: client.geo_location.as_deref(),
            brand: client.brand.as_deref(),
            redirect_preferred: client.redirect_preferred,
        }
    }
}

impl<'q> DebtorQuestion<'q> {
    pub(super) fn new(psu: &'q ActingPsu, account: &'q AccountReference) -> Self {
        Self { psu: psu.into(), account: Always(AccountView(account)) }
    }
}

impl<'q> FeeQuestion<'q> {
    pub(super) fn new(product: Product, order: &'q Order) -> Self {
        Self { product: Always(product.path()), order: Always(order.into()) }
    }
}

impl<'q> From<&ScaQuestion<'q>> for RiskQuestion<'q> {
    fn from(question: &ScaQuestion<'q>) -> Self {
        let mut asked = Self {
            occasion: Always("payment"),
            operation: None,
            is_ruled: None,
            sca_completed_at: None,
            product: None,
            order: None,
            tpp: Always(question.tpp),
            psu: question.psu.into(),
            client: Always(question.client.into()),
        };
        match question.occasion {
            ScaOccasion::AccountInformation { operation, is_ruled, sca_completed_at } => {
                asked.occasion = Always("accountInformation");
                asked.operation = Some(operation);
                asked.is_ruled = Some(is_ruled);
                asked.sca_completed_at = sca_completed_at.map(rfc3339);
            }
            ScaOccasion::Payment { product, order } => {
                asked.product = Some(product.path());
                asked.order = Some(order.into());
            }
        }
        asked
    }
}

impl<'q> SubmitQuestion<'q> {
    pub(super) fn new(payment: &'q PaymentOrder, now: DateTime<Utc>) -> Self {
        let fee: Money = payment.fee;
        Self {
            payment_id: Always(payment.payment_id.as_str()),
            product: Always(payment.product.path()),
            psu: (&payment.psu).into(),
            order: Always((&payment.order).into()),
            fee: Always(fee.into()),
            authorised_at: Always(rfc3339(payment.authorised_at)),
            now: Always(rfc3339(now)),
        }
    }
}

impl<'q> BookedQuestion<'q> {
    pub(super) fn new(account_id: &'q str, query: &TransactionQuery) -> Self {
        Self {
            account_id: Always(account_id),
            from: query.from.map(|day| day.to_string()),
            to: query.to.map(|day| day.to_string()),
            offset: Always(query.offset),
            limit: Always(query.limit),
        }
    }
}

impl<'q> CardBookedQuestion<'q> {
    pub(super) fn new(card_account_id: &'q str, query: &TransactionQuery) -> Self {
        Self {
            card_account_id: Always(card_account_id),
            from: query.from.map(|day| day.to_string()),
            to: query.to.map(|day| day.to_string()),
            offset: Always(query.offset),
            limit: Always(query.limit),
        }
    }
}
