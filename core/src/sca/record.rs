//! What is kept of an authorisation: the thing behind an `scaRedirect` link.

use std::fmt::{self, Debug};
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::machine::ScaStatus;
use crate::limits::AUTHORISATION_LIFE_SECONDS;
use crate::machine::Machine as _;
use crate::reason::Language;
use crate::types::instant::is_younger;
use crate::types::Context;
use crate::types::IdentityNumber;
use crate::types::RedirectUri;
use crate::types::{AuthorisationId, BasketId, PaymentId};
use crate::types::{CorporateKey, PsuKey};

/// What an authorisation asks the PSU to approve.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// One payment, with dynamic linking to its amount and payee.
    Payment(PaymentId),
    /// That one payment is not carried out.
    Cancellation(PaymentId),
    /// Every payment of a signing basket.
    Basket(BasketId),
    /// Access to accounts, chosen one by one.
    Consent,
    /// Nothing but who the PSU is: for a TPP that needs a PSU-ID and no access.
    Identification,
}

impl Purpose {
    /// Its word in the stores and in the audit, and the payment or the basket it is for.
    pub(crate) fn parts(&self) -> (&'static str, Option<&PaymentId>, Option<&BasketId>) {
        match self {
            Self::Payment(id) => ("payment", Some(id), None),
            Self::Cancellation(id) => ("cancellation", Some(id), None),
            Self::Basket(id) => ("basket", None, Some(id)),
            Self::Consent => ("consent", None, None),
            Self::Identification => ("identification", None, None),
        }
    }

    /// Its word there, and for the host's SCA site.
    pub(crate) fn word(&self) -> &'static str {
        self.parts().0
    }

    /// What [`Purpose::parts`] gave; `None` for anything else.
    pub(crate) fn from_parts(
        word: &str,
        payment: Option<PaymentId>,
        basket: Option<BasketId>,
    ) -> Option<Self> {
        match (word, payment, basket) {
            ("payment", Some(id), None) => Some(Self::Payment(id)),
            ("cancellation", Some(id), None) => Some(Self::Cancellation(id)),
            ("basket", None, Some(id)) => Some(Self::Basket(id)),
            ("consent", None, None) => Some(Self::Consent),
            ("identification", None, None) => Some(Self::Identification),
            _ => None,
        }
    }
}

/// An authorisation as it is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Authorisation {
    /// The unguessable id in the link.
    pub id: AuthorisationId,
    /// Counts the changes, for compare-and-swap.
    pub version: u32,
    /// The organisation identifier of the TPP it belongs to.
    pub tpp: Arc<str>,
    /// What is to be approved.
    pub purpose: Purpose,
    /// Where the PSU returns to.
    pub redirect_uri: RedirectUri,
    /// The TPP-Session-ID of the call, or the one made for it.
    pub session_id: String,
    /// The person the call named by PSU-ID.
    pub psu: Option<PsuKey>,
    /// The person the call named by X-PSU-IDENTITY; where it named none, the one that the payment's creation named.
    pub identity: Option<IdentityNumber>,
    /// The context the call named.
    pub context: Option<Context>,
    /// The corporate customer the call named by PSU-Corporate-ID.
    pub corporate: Option<CorporateKey>,
    /// The name of the TPP, for the bank's own site to show.
    pub tpp_name: Option<String>,
    /// The brand that the TPP uses toward the PSU (TPP-Brand-Logging-Information), for the bank's own site to show.
    pub brand: Option<String>,
    /// Whether a plain redirect is wanted (TPP-Redirect-Preferred); if not, the bank's app may authenticate the PSU.
    pub redirect_preferred: bool,
    /// The language the texts of the call-back are in.
    pub language: Language,
    /// The language of the PSU, for the bank's own site.
    pub psu_language: Language,
    /// When the link was made.
    pub created_at: DateTime<Utc>,
    /// Its status.
    pub status: ScaStatus,
}

/// Log-safe: nothing of the link, the session or the persons.
impl Debug for Authorisation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Authorisation")
            .field("version", &self.version)
            .field("tpp", &self.tpp)
            .field("purpose", &self.purpose)
            .field("created_at", &self.created_at)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

impl Authorisation {
    /// Whether the PSU may still answer at that time: used links and links of 10 minutes are dead.
    pub fn is_open_at(&self, now: DateTime<Utc>) -> bool {
        self.status == ScaStatus::Started
            && is_younger(self.created_at, now, TimeDelta::seconds(AUTHORISATION_LIFE_SECONDS))
    }

    /// Ends it, and removes the identity number, which is not needed any more.
    pub fn end(&mut self, status: ScaStatus) {
        debug_assert!(self.status.may_become(status), "an SCA ends once");
        self.status = status;
        self.version += 1;
        self.identity = None;
    }

    /// When the link expires.
    pub fn expires_at(&self) -> DateTime<Utc> {
        self.created_at
            .checked_add_signed(TimeDelta::seconds(AUTHORISATION_LIFE_SECONDS))
            .unwrap_or(DateTime::<Utc>::MAX_UTC)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ID_BYTES;

    fn made_at(created_at: DateTime<Utc>, status: ScaStatus) -> Authorisation {
        Authorisation {
            id: AuthorisationId::from_bytes([1; ID_BYTES]),
            version: 1,
            tpp: "PSDNO-FSA-1".into(),
            purpose: Purpose::Consent,
            redirect_uri: RedirectUri::parse("https://tpp.example/back").unwrap(),
            session_id: "5e551011".to_owned(),
            psu: None,
            identity: None,
            context: None,
            corporate: None,
            tpp_name: None,
            brand: None,
            redirect_preferred: true,
            language: Language::English,
            psu_language: Language::English,
            created_at,
            status,
        }
    }

    #[test]
    fn each_purpose_has_a_word_and_is_read_again_from_its_parts() {
        let payment = PaymentId::from_bytes([2; ID_BYTES]);
        let basket = BasketId::from_bytes([3; ID_BYTES]);
        for (purpose, word) in [
            (Purpose::Payment(payment.clone()), "payment"),
            (Purpose::Cancellation(payment), "cancellation"),
            (Purpose::Basket(basket), "basket"),
            (Purpose::Consent, "consent"),
            (Purpose::Identification, "identification"),
        ] {
            assert_eq!(purpose.word(), word);
            let (word, payment, basket) = purpose.parts();
            assert_eq!(Purpose::from_parts(word, payment.cloned(), basket.cloned()), Some(purpose));
        }
        let basket = Some(BasketId::from_bytes([3; ID_BYTES]));
        assert_eq!(Purpose::from_parts("basket", None, None), None);
        assert_eq!(Purpose::from_parts("consent", None, basket), None);
    }

    #[test]
    fn what_is_logged_opens_no_link_and_no_session() {
        let made = made_at(DateTime::<Utc>::MIN_UTC, ScaStatus::Started);
        let shown = format!("{made:?} {:?}", made.id);
        for secret in [made.id.as_str(), made.session_id.as_str(), "tpp.example"] {
            assert!(!shown.contains(secret), "{shown}");
        }
        assert!(shown.contains("Started") && shown.ends_with("AuthorisationId(redacted)"), "{shown}");
    }

    #[test]
    fn a_link_that_was_made_ten_minutes_ago_or_ten_minutes_ahead_is_dead() {
        let now: DateTime<Utc> = "2026-09-01T10:00:00Z".parse().unwrap();
        let (life, microsecond) = (TimeDelta::minutes(10), TimeDelta::microseconds(1));
        // The clock of the node that made it may be ahead by a little.
        for is_open in [TimeDelta::zero(), life - microsecond, microsecond - life] {
            assert!(made_at(now + is_open, ScaStatus::Started).is_open_at(now), "{is_open}");
        }
        for is_dead in [life, -life, TimeDelta::days(3_650)] {
            assert!(!made_at(now + is_dead, ScaStatus::Started).is_open_at(now), "{is_dead}");
        }
        assert!(!made_at(DateTime::<Utc>::MAX_UTC, ScaStatus::Started).is_open_at(now));
        assert!(!made_at(now, ScaStatus::Failed).is_open_at(now));
    }
}
