//! How a sandbox is opened.

use std::path::PathBuf;

use chrono::{DateTime, Utc};

/// What may be chosen; the default is a fresh sandbox in memory at the present time with seed 0.
#[derive(Debug, Clone, Default)]
pub struct SandboxOptions {
    /// A SQLite file, made where it does not exist; `None` for memory.
    pub database: Option<PathBuf>,
    /// Where the clock starts. `None`: the present, or for a file the stored time of its clock.
    pub now: Option<DateTime<Utc>>,
    /// What the present is where a new sandbox has no `now`. `None`: the machine's clock.
    pub present: Option<DateTime<Utc>>,
    /// Where ids and serial numbers of certificates come from. Same seed, same `now`, same calls: the same bytes. The
    /// test PKI's root and its key pairs are the same with every seed.
    pub seed: u64,
    /// The prefix of `/v1/…` in request paths, such as `/api-sandbox`.
    pub base_path: String,
    /// Policies as the text of a JSON object. Unknown keys are refused.
    pub policy: Option<String>,
}
