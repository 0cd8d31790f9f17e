//! Where an engine's log goes. What it says holds no data of a PSU and no key.

use std::fmt;

/// How grave a line of the log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LogLevel {
    /// For who looks for a bug of this library.
    Trace,
    /// For who looks for a fault of their own.
    Debug,
    /// What an operator may want to know.
    Info,
    /// What an operator should look at.
    Warn,
    /// Something failed.
    Error,
}

impl LogLevel {
    /// The level in lower case, such as `error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for LogLevel {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// Takes the lines that one engine logs. Without one they go to the subscriber that the host has set up for the crate
/// `tracing`.
///
/// It is called on the thread of the call that logs, before that call returns. It may call an engine; the lines that
/// this logs are dropped, and so are the logger's own lines through `tracing`. A line on which it panics is lost.
pub trait Logger: Send + Sync {
    /// The least grave level that is of interest; asked once, when the engine is built.
    fn level(&self) -> LogLevel {
        LogLevel::Info
    }

    /// Takes a line: who says it (a path such as `xs2a::engine::run_due`), and what, its values after it as
    /// `name=value`.
    fn log(&self, level: LogLevel, target: &str, message: &str);
}
