//! SCA by risk.

use chrono::{DateTime, Utc};

use crate::error::Result;
use crate::payment::order::Order;
use crate::payment::product::Product;
use crate::types::{ActingPsu, PsuClient, ScaDemand};

/// The action that the bank assesses: it may demand more than the rules, or less.
#[derive(Debug, Clone, Copy)]
pub enum ScaOccasion<'c> {
    /// Account data is about to be read, and the consent is valid. Unless `is_ruled`, account, history and quota are
    /// checked already; otherwise they are checked after the answer, because only an exemption makes them matter.
    ///
    /// [`ScaDemand::Demanded`] refuses the call with a link to an SCA, also in a session with a completed SCA. After
    /// that SCA the bank is asked again, and says whether it is enough. [`ScaDemand::Exempt`] has an effect if the
    /// rules ask for an SCA: the call then continues as one without a session, with a history of 90 days.
    AccountInformation {
        /// The name of the operation, such as `getTransactions`.
        operation: &'static str,
        /// Whether the rules ask for an SCA, because none was completed under the session that the call names. The
        /// bank's answer does not change the other rows of the table of access.
        is_ruled: bool,
        /// When the last SCA under the call's session was completed; `None` where it names no session or a new one.
        sca_completed_at: Option<DateTime<Utc>>,
    },
    /// An identified PSU's payment is about to be created, and it is valid. The rules ask for an SCA
    /// with dynamic linking.
    ///
    /// With [`ScaDemand::Exempt`] the payment is created authorised by the bank, and becomes an order at once.
    Payment {
        /// The product.
        product: Product,
        /// The order.
        order: &'c Order,
    },
}

/// What the bank knows when it is asked about an SCA.
#[derive(Debug, Clone, Copy)]
pub struct ScaQuestion<'c> {
    /// What is about to happen.
    pub occasion: ScaOccasion<'c>,
    /// The organisation identifier of the calling TPP.
    pub tpp: &'c str,
    /// Who acts, in what role.
    pub psu: &'c ActingPsu,
    /// What the TPP forwarded about the PSU's own call.
    pub client: &'c PsuClient,
}

/// The bank's risk analysis.
pub trait BankRisk: Send + Sync {
    /// Whether an SCA is required: the bank's risk analysis may demand one or exempt from one. Called at most once in a
    /// call of a TPP; never for signing baskets, cancellations and PSUs who are not identified.
    ///
    /// Source: contract, "Authentication" (the service may exempt or require SCA by risk analysis).
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank).
    fn requires_sca(&self, question: &ScaQuestion<'_>) -> Result<ScaDemand>;
}

/// A bank without a risk analysis: the rules decide.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoRiskAnalysis;

impl BankRisk for NoRiskAnalysis {
    fn requires_sca(&self, _question: &ScaQuestion<'_>) -> Result<ScaDemand> {
        Ok(ScaDemand::AsRuled)
    }
}
