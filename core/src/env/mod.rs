//! The only ways to time, randomness and the outside world.

pub(crate) mod clock;
pub(crate) mod current_call;
pub(crate) mod entropy;
pub(crate) mod interference;
pub(crate) mod logger;
pub(crate) mod registry;
pub(crate) mod response_signer;
pub(crate) mod revocation;

pub use clock::{Clock, ManualClock, SystemClock};
pub use current_call::current_call;
pub use entropy::{Entropy, Position, SeededEntropy, SystemEntropy};
pub use logger::{LogLevel, LogRecord, LogValue, Logger};
pub use registry::{Applicant, EveryCertificateCounts, Registration, TppRegistry};
pub use response_signer::ResponseSigner;
pub use revocation::{IssuedCertificate, NoRevocationList, Revocation, RevocationStatus};
