//! Where an engine's log goes. Its lines hold no data of a PSU and no key.

use std::fmt;

/// The severity of a line of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LogLevel {
    /// For finding a bug of this library.
    Trace,
    /// For finding a fault of the host.
    Debug,
    /// Information for an operator.
    Info,
    /// An operator should look at it.
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

/// Takes the lines that one engine logs. Without one they go to the host's subscriber of the crate
/// `tracing`.
///
/// It is called on the thread of the call that logs, before that call returns. It may call an engine; lines that this
/// engine logs are dropped, and so are the logger's own lines through `tracing`. If it panics, that line is lost.
pub trait Logger: Send + Sync {
    /// The lowest level that is logged; called once, when the engine is built.
    fn level(&self) -> LogLevel {
        LogLevel::Info
    }

    /// Takes a line: its place (a path such as `xs2a::engine::run_due`) and its message, followed by values as
    /// `name=value`.
    fn log(&self, level: LogLevel, target: &str, message: &str);
}
