//! What a call may do.

use chrono::NaiveDate;

use super::account_read::{AccountRead, Found};
use crate::consent::record::Consent;
use crate::reason::Refusal;
use crate::sca::record::Purpose;
use crate::store::CountedAccess;
use crate::types::{ActingPsu, IdentityNumber, Party};

/// What the call may do.
pub(crate) enum Access {
    /// All that it asks for: it reads no accounts.
    Open,
    /// Read what the PSU opened.
    Granted(Box<Granted>),
    /// Only send the PSU to an SCA.
    ScaRequired(Box<ScaRequired>),
}

/// Access to what a PSU opened.
pub(crate) struct Granted {
    /// The PSU in its role.
    pub(crate) psu: ActingPsu,
    /// What it opened.
    pub(crate) consent: Consent,
    /// What is to be read.
    pub(crate) read: AccountRead<Found>,
    /// The day on which the history begins, where it is not all open.
    pub(crate) history_begins: Option<NaiveDate>,
    /// By what the call is counted, where it is.
    pub(crate) counted: Option<CountedAccess>,
}

/// A refusal that an SCA would cure.
pub(crate) struct ScaRequired {
    /// What the call is answered.
    pub(crate) refusal: Refusal,
    /// What the SCA is for.
    pub(crate) purpose: Purpose,
    /// Who is to complete it.
    pub(crate) expected: ExpectedPsu,
}

/// Who is to complete an SCA, as far as the call says it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ExpectedPsu {
    /// The person and the role; the PSU chooses what is absent.
    pub(crate) party: Party,
    /// The person, as an earlier call named it by X-PSU-IDENTITY.
    pub(crate) identity: Option<IdentityNumber>,
}
