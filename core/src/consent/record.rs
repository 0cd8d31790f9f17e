//! What is kept of a consent.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::machine::ConsentStatus;
use crate::limits::{CONSENT_LIFE_DAYS, DETAILS_WITHOUT_PSU_DAYS, LAST_ACCESS_SECONDS};
use crate::types::instant::is_younger;
use crate::types::{AccountId, ActingPsu, CardAccountId};

/// Which accounts a PSU opens to a TPP during SCA.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grant {
    /// Every account that was offered.
    Everything,
    /// These alone: one at least, all of them offered.
    Only {
        /// Ordinary accounts.
        accounts: Vec<AccountId>,
        /// Card accounts.
        card_accounts: Vec<CardAccountId>,
    },
}

/// What one PSU, in one role, has opened to one TPP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent {
    /// The organisation identifier of the TPP.
    pub tpp: Arc<str>,
    /// The name of the TPP in the certificate of the call that asked for the consent.
    pub tpp_name: Option<String>,
    /// Who granted it, in which context, for which customer.
    pub psu: ActingPsu,
    /// When the last consent SCA was completed.
    pub granted_at: DateTime<Utc>,
    /// When the TPP last read under it. It lags behind by less than a minute, because not every read writes.
    pub last_access_at: Option<DateTime<Utc>>,
    /// Whether the PSU took it back since.
    pub is_revoked: bool,
    /// The ordinary accounts.
    pub accounts: BTreeSet<AccountId>,
    /// The card accounts.
    pub card_accounts: BTreeSet<CardAccountId>,
}

/// Why a consent ended before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConsentEnd {
    /// The PSU took it back.
    Revoked,
    /// The PSU granted another one to the TPP, in the same role.
    Replaced,
}

impl ConsentEnd {
    /// Its stable name: what is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Revoked => "revoked",
            Self::Replaced => "replaced",
        }
    }

    /// The end of that name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Revoked, Self::Replaced].into_iter().find(|end| end.as_str() == name)
    }
}

/// A consent as it is listed: one that counts, or an ended one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedConsent {
    /// The number of its row: a consent that was granted later has a greater one.
    pub number: i64,
    /// The consent.
    pub consent: Consent,
    /// When it was revoked or replaced, and which of both.
    pub ended: Option<(DateTime<Utc>, ConsentEnd)>,
}

/// When a consent was granted that expires at a time.
pub(crate) fn granted_when_over_at(time: DateTime<Utc>) -> DateTime<Utc> {
    time.checked_sub_signed(TimeDelta::days(CONSENT_LIFE_DAYS)).unwrap_or(DateTime::<Utc>::MIN_UTC)
}

impl Consent {
    /// When it expires.
    pub fn valid_until(&self) -> DateTime<Utc> {
        self.granted_at
            .checked_add_signed(TimeDelta::days(CONSENT_LIFE_DAYS))
            .unwrap_or(DateTime::<Utc>::MAX_UTC)
    }

    /// Whether a read at that time is to be noted.
    pub fn notes_access_at(&self, now: DateTime<Utc>) -> bool {
        let precision = TimeDelta::seconds(LAST_ACCESS_SECONDS);
        self.last_access_at.is_none_or(|last| now.signed_duration_since(last) >= precision)
    }

    /// The status of the consent at a time: it is expired from exactly 180 times 24 hours on.
    pub fn status_at(&self, now: DateTime<Utc>) -> ConsentStatus {
        match self.is_revoked {
            true => ConsentStatus::RevokedByPsu,
            false if is_younger(self.granted_at, now, TimeDelta::days(CONSENT_LIFE_DAYS)) => {
                ConsentStatus::Valid
            }
            false => ConsentStatus::Expired,
        }
    }

    /// Whether transaction details may still be read while the PSU is away: until exactly 90 times 24 hours
    /// after the last consent SCA.
    pub fn allows_details_without_psu_at(&self, now: DateTime<Utc>) -> bool {
        is_younger(self.granted_at, now, TimeDelta::days(DETAILS_WITHOUT_PSU_DAYS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Context, PsuKey};

    #[test]
    fn a_consent_is_over_at_exactly_180_days_and_for_details_at_exactly_90() {
        let granted_at: DateTime<Utc> = "2026-09-01T12:00:00Z".parse().unwrap();
        let consent = Consent {
            tpp: "PSDNO-FSA-1".into(),
            psu: ActingPsu { psu: PsuKey::new("kari"), context: Context::Private, corporate: None },
            granted_at,
            tpp_name: None,
            last_access_at: None,
            is_revoked: false,
            accounts: BTreeSet::new(),
            card_accounts: BTreeSet::new(),
        };
        let micro = TimeDelta::microseconds(1);
        let after = |days| granted_at + TimeDelta::days(days);
        assert_eq!(consent.status_at(after(180) - micro), ConsentStatus::Valid);
        assert_eq!(consent.status_at(after(180)), ConsentStatus::Expired);
        assert!(consent.allows_details_without_psu_at(after(90) - micro));
        assert!(!consent.allows_details_without_psu_at(after(90)));
        let ahead = granted_at - TimeDelta::minutes(10);
        assert_eq!(
            consent.status_at(ahead + micro),
            ConsentStatus::Valid,
            "another node's clock may be ahead"
        );
        assert_eq!(consent.status_at(ahead), ConsentStatus::Expired);
        assert!(consent.allows_details_without_psu_at(ahead + micro));
        assert!(!consent.allows_details_without_psu_at(ahead));
        assert!(consent.notes_access_at(granted_at));
        let read = Consent { last_access_at: Some(granted_at), ..consent.clone() };
        let minute = granted_at + TimeDelta::seconds(LAST_ACCESS_SECONDS);
        assert!(read.notes_access_at(minute) && !read.notes_access_at(minute - micro));
        let revoked = Consent { is_revoked: true, ..consent };
        for days in [0, 179, 181] {
            assert_eq!(revoked.status_at(after(days)), ConsentStatus::RevokedByPsu);
        }
    }
}
