//! The only ways to time, randomness and the outside world.

pub(crate) mod clock;
pub(crate) mod current_call;
pub(crate) mod entropy;
pub(crate) mod interference;
pub(crate) mod logger;
pub(crate) mod registry;
pub(crate) mod revocation;

pub use clock::{Clock, ManualClock, SystemClock};
pub use current_call::current_call;
pub use entropy::{Entropy, Position, SeededEntropy, SystemEntropy};
pub use logger::{LogLevel, Logger};
pub use registry::{Applicant, EveryCertificateCounts, TppRegistry};
pub use revocation::{IssuedCertificate, NoRevocationList, Revocation, RevocationStatus};
