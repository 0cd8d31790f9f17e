//! What is kept of a session.

use std::fmt::{self, Debug};
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::machine::SessionState;
use crate::limits::SESSION_LIFE_SECONDS;
use crate::types::instant::is_younger;
use crate::types::{ActingPsu, AuthorisationId};

/// A TPP's session with a PSU. One id is one session: an SCA under it opens it again, for the PSU who completed the
/// SCA.
#[derive(Clone, PartialEq, Eq)]
pub struct Session {
    /// The organisation identifier of the TPP.
    pub tpp: Arc<str>,
    /// The TPP-Session-ID; another TPP may use the same.
    pub id: String,
    /// Who completed the SCA, in which context, for which customer.
    pub psu: ActingPsu,
    /// When the last SCA under this id was completed.
    pub opened_at: DateTime<Utc>,
    /// The authorisation that opened this id first since it was last replaced: the session is as new as that.
    pub first_sca: AuthorisationId,
    /// Whether an SCA under a newer id came after it.
    pub is_replaced: bool,
}

/// Log-safe: neither the id, which opens account data, nor the person.
impl Debug for Session {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Session")
            .field("tpp", &self.tpp)
            .field("opened_at", &self.opened_at)
            .field("is_replaced", &self.is_replaced)
            .finish_non_exhaustive()
    }
}

impl Session {
    /// The state of the session at a time: at exactly one hour it is over.
    pub fn state_at(&self, now: DateTime<Utc>) -> SessionState {
        match self.is_replaced {
            true => SessionState::Replaced,
            false if is_younger(self.opened_at, now, TimeDelta::seconds(SESSION_LIFE_SECONDS)) => {
                SessionState::Open
            }
            false => SessionState::Expired,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Context, PsuKey, ID_BYTES};

    fn opened(opened_at: DateTime<Utc>) -> Session {
        let psu = ActingPsu { psu: PsuKey::new("kari"), context: Context::Private, corporate: None };
        let first_sca = AuthorisationId::from_bytes([0; ID_BYTES]);
        Session {
            tpp: "PSDNO-FSA-1".into(),
            id: "s".to_owned(),
            psu,
            opened_at,
            first_sca,
            is_replaced: false,
        }
    }

    #[test]
    fn a_log_shows_neither_the_id_nor_the_psu_of_a_session() {
        let session = opened("2026-09-01T12:00:00Z".parse().unwrap());
        let shown =
            "Session { tpp: \"PSDNO-FSA-1\", opened_at: 2026-09-01T12:00:00Z, is_replaced: false, .. }";
        assert_eq!(format!("{session:?}"), shown);
    }

    #[test]
    fn a_session_is_over_at_exactly_one_hour() {
        let noon: DateTime<Utc> = "2026-09-01T12:00:00Z".parse().unwrap();
        let session = opened(noon);
        let after = |seconds, micros| {
            session.state_at(noon + TimeDelta::seconds(seconds) + TimeDelta::microseconds(micros))
        };
        assert_eq!(after(0, 0), SessionState::Open);
        assert_eq!(after(3599, 999_999), SessionState::Open);
        assert_eq!(after(3600, 0), SessionState::Expired);
        assert_eq!(after(-599, 0), SessionState::Open, "the clock of another node may be ahead");
        assert_eq!(after(-600, 0), SessionState::Expired);
        let replaced = Session { is_replaced: true, ..session.clone() };
        assert_eq!(replaced.state_at(noon), SessionState::Replaced);
        assert_eq!(replaced.state_at(noon + TimeDelta::hours(2)), SessionState::Replaced);
    }
}
