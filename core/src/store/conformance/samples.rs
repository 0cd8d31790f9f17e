//! Records to store.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::audit::kind::AuditKind;
use crate::audit::record::AuditEvent;
use crate::basket::machine::BasketState;
use crate::basket::record::Basket;
use crate::consent::record::Consent;
use crate::env::clock::from_micros;
use crate::payment::machine::PaymentStatus;
use crate::payment::product::Product;
use crate::payment::record::Payment;
use crate::payment::stored;
use crate::reason::Language;
use crate::sca::machine::ScaStatus;
use crate::sca::record::{Authorisation, Purpose};
use crate::session::record::Session;
use crate::store::{CountedAccess, DeadLetter, Event, OutboxOrder, UsedRequestId, Write};
use crate::types::date::oslo_day;
use crate::types::{
    AccountId, ActingPsu, AuthorisationId, BasketId, CardAccountId, Context, CorporateKey, Currency,
    IdentityNumber, Money, PaymentId, PsuKey, RedirectUri, RequestId, ID_BYTES,
};

pub(crate) const TPP: &str = "PSDNO-FSA-123456789";
pub(crate) const OTHER_TPP: &str = "PSDSE-FINA-5568000000";

/// That many microseconds after a Friday morning.
pub(crate) fn time(micros: i64) -> DateTime<Utc> {
    from_micros(1_795_168_800_000_000 + micros)
}

pub(crate) fn payment_id(number: u8) -> PaymentId {
    PaymentId::from_bytes([number; ID_BYTES])
}

pub(crate) fn authorisation_id(number: u8) -> AuthorisationId {
    AuthorisationId::from_bytes([number; ID_BYTES])
}

pub(crate) fn basket_id(number: u8) -> BasketId {
    BasketId::from_bytes([number; ID_BYTES])
}

pub(crate) fn uuid(number: u8) -> Uuid {
    Uuid::from_bytes([number; 16])
}

pub(crate) fn psu(number: u8) -> PsuKey {
    PsuKey::new(format!("person-{number}"))
}

pub(crate) fn corporate(number: u8) -> CorporateKey {
    CorporateKey::new(format!("firma-æøå-{number}"))
}

/// A new payment with no optional field, unlike every other number's.
pub(crate) fn payment(number: u8) -> Payment {
    Payment {
        id: payment_id(number),
        version: 1,
        tpp: TPP.into(),
        product: Product::InstantDomesticStraks,
        psu: None,
        context: None,
        corporate: None,
        identity: None,
        order: stored::from_text(
            r#"{"instructedAmount":{"currency":"NOK","amount":"12.50"},"creditorName":"Kari Nordmann",
            "creditorAccount":{"bban":"91351631959","currency":"NOK"},
            "debtorAccount":{"bban":"91351631959","currency":"NOK"}}"#,
        )
        .unwrap(),
        fee: Money::zero(Currency::NOK),
        status: PaymentStatus::Rcvd,
        funds_available: None,
        on_hold: None,
        basket: None,
        authorised_at: None,
        created_at: time(0),
        duplicate_fingerprint: [number; 32],
    }
}

/// A payment with every field set, and each other than in [`payment`].
pub(crate) fn full_payment(number: u8) -> Payment {
    Payment {
        product: Product::NorwegianCrossBorder,
        psu: Some(psu(number)),
        context: Some(Context::Corporate),
        corporate: Some(corporate(number)),
        identity: Some(IdentityNumber::parse("18129215603").unwrap()),
        order: stored::from_text(
            r#"{"instructedAmount":{"currency":"EUR","amount":"1000000.01"},"creditorName":"Bjørn \"B\" Ærlig",
            "creditorAccount":{"iban":"DE89370400440532013000","currency":"EUR"},
            "creditorAgent":"COBADEFFXXX",
            "creditorAddress":{"street":"Straße","buildingNumber":"1","postalCode":"10115",
                "townName":"Berlin","country":"DE"},
            "debtorAccount":{"bban":"91351631959","currency":"NOK"},
            "ultimateDebtor":"Ola","remittanceInformationUnstructured":"takk'; DROP TABLE payment; --",
            "regulatoryReportingCode":"14","regulatoryReportingInformation":"varer","serviceLevel":"URGP"}"#,
        )
        .unwrap(),
        fee: Money::parse("-99999999999999999.95", Currency::EUR).unwrap(),
        status: PaymentStatus::Acsp,
        funds_available: Some(false),
        on_hold: Some("årsak \"A\"".to_owned()),
        basket: Some(basket_id(number)),
        authorised_at: Some(time(1)),
        created_at: time(-1),
        duplicate_fingerprint: [!number; 32],
        ..payment(number)
    }
}

/// A new basket of one payment with no optional field.
pub(crate) fn basket(number: u8) -> Basket {
    Basket {
        id: basket_id(number),
        version: 1,
        tpp: TPP.into(),
        payments: vec![payment_id(number)],
        psu: psu(number),
        context: Context::Private,
        corporate: None,
        state: BasketState::Open,
        created_at: time(0),
    }
}

/// A basket with every field set, and each other than in [`basket`].
pub(crate) fn full_basket(number: u8) -> Basket {
    Basket {
        // Not in the order of their names.
        payments: [3, 1, 2, 9, 8, 7, 6, 5, 4, 0].map(payment_id).into(),
        psu: psu(number.wrapping_add(1)),
        context: Context::Corporate,
        corporate: Some(corporate(number)),
        state: BasketState::Deleted,
        created_at: time(-1),
        ..basket(number)
    }
}

/// A new authorisation of a payment with no optional field.
pub(crate) fn authorisation(number: u8, payment: u8) -> Authorisation {
    Authorisation {
        id: authorisation_id(number),
        version: 1,
        tpp: TPP.into(),
        purpose: Purpose::Payment(payment_id(payment)),
        redirect_uri: RedirectUri::parse("https://tpp.example/back?state=1").unwrap(),
        session_id: "session".into(),
        psu: None,
        identity: None,
        context: None,
        corporate: None,
        tpp_name: None,
        brand: None,
        redirect_preferred: true,
        language: Language::English,
        psu_language: Language::English,
        created_at: time(0),
        status: ScaStatus::Started,
    }
}

/// The link that a new payment is created with.
pub(crate) fn opening_link(payment: &Payment) -> Authorisation {
    let id = AuthorisationId::parse(payment.id.as_str()).unwrap();
    Authorisation {
        id,
        tpp: payment.tpp.clone(),
        purpose: Purpose::Payment(payment.id.clone()),
        psu: payment.psu.clone(),
        identity: payment.identity,
        context: payment.context,
        corporate: payment.corporate.clone(),
        created_at: payment.created_at,
        ..authorisation(0, 0)
    }
}

/// An authorisation of a payment with every field set, and each other than in [`authorisation`].
pub(crate) fn full_authorisation(number: u8, payment: u8) -> Authorisation {
    Authorisation {
        redirect_uri: RedirectUri::parse("app.tpp:/back#here").unwrap(),
        session_id: "økt".into(),
        psu: Some(psu(number)),
        identity: Some(IdentityNumber::parse("13039319955").unwrap()),
        context: Some(Context::Private),
        corporate: Some(corporate(number)),
        tpp_name: Some("Bjørn \"B\" AS".into()),
        brand: Some("Bjørns <Betaling>".into()),
        redirect_preferred: false,
        psu_language: Language::Bokmal,
        language: Language::Bokmal,
        created_at: time(7),
        status: ScaStatus::Finalised,
        ..authorisation(number, payment)
    }
}

/// The insertion of a payment, without a look for like ones.
pub(crate) fn insert(payment: Payment) -> Write {
    Write::InsertPayment {
        payment: payment.into(),
        duplicate_window_start: None,
        alternative_fingerprints: Vec::new(),
    }
}

/// The insertion of a payment unless a like one was created at or after that time.
pub(crate) fn insert_unlike_since(payment: Payment, since: DateTime<Utc>) -> Write {
    insert_unlike_any_since(payment, Vec::new(), since)
}

/// The same, where payments with other fingerprints count as duplicates too.
pub(crate) fn insert_unlike_any_since(
    payment: Payment,
    alternative_fingerprints: Vec<[u8; 32]>,
    since: DateTime<Utc>,
) -> Write {
    Write::InsertPayment {
        payment: payment.into(),
        duplicate_window_start: Some(since),
        alternative_fingerprints,
    }
}

/// The use of a request id, a use in the hundred microseconds before being a replay.
pub(crate) fn request_id(tpp: &str, number: u8, micros: i64) -> Write {
    Write::UseRequestId(UsedRequestId {
        tpp: tpp.into(),
        request_id: uuid(number).into(),
        at: time(micros),
        since: time(micros - 100),
    })
}

/// The order of [`payment`].
pub(crate) fn order(payment: u8, attempts: u32, micros: i64) -> OutboxOrder {
    OutboxOrder {
        payment_id: payment_id(payment),
        attempts,
        faults: attempts / 3,
        due_at: time(micros),
        product: Some(self::payment(payment).product),
    }
}

pub(crate) fn dead_letter(payment: u8, attempts: u32, micros: i64) -> DeadLetter {
    let why = format!("årsak {attempts}");
    DeadLetter { payment_id: payment_id(payment).to_string(), attempts, why, since: time(micros) }
}

/// An order that was due then is due at its own time.
pub(crate) fn reschedule(was_due: i64, order: OutboxOrder) -> Write {
    Write::RescheduleOrder { order, was_due: time(was_due) }
}

/// Makes an order that was due then a dead letter.
pub(crate) fn to_dead_letters(was_due: i64, order: DeadLetter) -> Write {
    Write::MoveToDeadLetters { order, was_due: time(was_due) }
}

/// The bank answered to the order; if the order waits on, then not before its time.
pub(crate) fn answer(payment: u8, micros: i64) -> Write {
    Write::AnswerOrder { payment_id: payment_id(payment), again_at: time(micros) }
}

pub(crate) fn retry(payment: u8, micros: i64) -> Write {
    Write::RetryOrder { payment_id: payment_id(payment), due_at: time(micros) }
}

pub(crate) fn event(payment: u8, micros: i64, cause: &str) -> Event {
    Event {
        payment_id: payment_id(payment),
        at: time(micros),
        from: PaymentStatus::Rcvd,
        to: PaymentStatus::Pdng,
        cause: cause.into(),
    }
}

/// A line of the audit with no optional field.
pub(crate) fn audited(micros: i64) -> AuditEvent {
    AuditEvent {
        at: time(micros),
        kind: AuditKind::PaymentCreated,
        id: None,
        tpp: None,
        psu: None,
        context: None,
        corporate: None,
        cause: "createPayment".into(),
        request_id: None,
        details: None,
    }
}

/// A line of the audit with every field set, and each other than in [`audited`].
pub(crate) fn fully_audited(micros: i64) -> AuditEvent {
    AuditEvent {
        kind: AuditKind::CallRefused,
        id: Some("økt".into()),
        tpp: Some(TPP.into()),
        psu: Some(psu(1)),
        context: Some(Context::Corporate),
        corporate: Some(corporate(1)),
        cause: "sca completed".into(),
        request_id: Some(RequestId::parse("TEST_7").unwrap()),
        details: Some(r#"{"reason":"SIG-13","æ":["'; DROP TABLE audit; --"]}"#.into()),
        ..audited(micros)
    }
}

pub(crate) fn remember_psu(tpp: &str, person: u8, id: u8) -> Write {
    Write::RememberPsu { tpp: tpp.into(), psu: psu(person), psu_id: uuid(id) }
}

pub(crate) fn remember_corporate(tpp: &str, person: u8, customer: u8, id: u8) -> Write {
    Write::RememberCorporate {
        tpp: tpp.into(),
        psu: psu(person),
        corporate: corporate(customer),
        corporate_id: uuid(id),
    }
}

/// A person in a context, for no customer.
pub(crate) fn acting(person: u8, context: Context) -> ActingPsu {
    ActingPsu { psu: psu(person), context, corporate: None }
}

/// A person who acts for a corporate customer.
pub(crate) fn acting_for(person: u8, customer: u8) -> ActingPsu {
    ActingPsu { corporate: Some(corporate(customer)), ..acting(person, Context::Corporate) }
}

/// An open private session.
pub(crate) fn session(tpp: &str, id: &str, person: u8, micros: i64) -> Session {
    let psu = acting(person, Context::Private);
    let first_sca = authorisation_id(1);
    Session { tpp: tpp.into(), id: id.into(), psu, opened_at: time(micros), first_sca, is_replaced: false }
}

/// That session, as an SCA opens it.
pub(crate) fn session_by(id: &str, sca: u8) -> Session {
    Session { first_sca: authorisation_id(sca), ..session(TPP, id, 1, 0) }
}

pub(crate) fn open_session(tpp: &str, id: &str, person: u8, micros: i64) -> Write {
    Write::OpenSession(session(tpp, id, person, micros))
}

pub(crate) fn consent(tpp: &str, psu: ActingPsu, accounts: &[u8], cards: &[u8], micros: i64) -> Consent {
    Consent {
        tpp: tpp.into(),
        psu,
        tpp_name: Some("Ærlig \"Bank\" AS".to_owned()),
        granted_at: time(micros),
        last_access_at: None,
        is_revoked: false,
        accounts: accounts.iter().map(|number| AccountId::from_bytes([*number; ID_BYTES])).collect(),
        card_accounts: cards.iter().map(|number| CardAccountId::from_bytes([*number; ID_BYTES])).collect(),
    }
}

pub(crate) fn counted(account: u8) -> CountedAccess {
    CountedAccess {
        tpp: TPP.into(),
        psu: psu(1),
        account: AccountId::from_bytes([account; ID_BYTES]).as_str().into(),
        operation: "getTransactions".into(),
        day: oslo_day(time(0)),
    }
}

pub(crate) fn count_access(counted: &CountedAccess, limit: u32) -> Write {
    Write::CountAccess { counted: counted.clone(), limit }
}
