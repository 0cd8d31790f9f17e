//! What is kept of a consent.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::machine::ConsentStatus;
use crate::limits::{CONSENT_LIFE_DAYS, DETAILS_WITHOUT_PSU_DAYS};
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
    /// Who granted it, in which context, for which customer.
    pub psu: ActingPsu,
    /// When the last consent SCA was completed.
    pub granted_at: DateTime<Utc>,
    /// Whether the PSU took it back since.
    pub is_revoked: bool,
    /// The ordinary accounts.
    pub accounts: BTreeSet<AccountId>,
    /// The card accounts.
    pub card_accounts: BTreeSet<CardAccountId>,
}

impl Consent {
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
        let revoked = Consent { is_revoked: true, ..consent };
        for days in [0, 179, 181] {
            assert_eq!(revoked.status_at(after(days)), ConsentStatus::RevokedByPsu);
        }
    }
}
