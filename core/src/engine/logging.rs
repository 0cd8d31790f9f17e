//! The log of one engine: what is said through `tracing` while one of its calls runs goes to its logger.

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::sync::{Arc, Weak};

use tracing::dispatcher::{with_default, Dispatch};
use tracing::field::{display, Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber, Value};

use super::contain::contained;
use crate::env::current_call::current_call;
use crate::env::logger::{LogLevel, LogRecord, LogValue, Logger};
use crate::error::{Error, Result};
use crate::sca::record::{Authorisation, Purpose};
use crate::types::CallIds;

thread_local! {
    /// Whether this thread is handing a record to a logger. During that time `tracing` takes no event, and panics if a
    /// subscriber is set up.
    static IS_LOGGING: Cell<bool> = const { Cell::new(false) };
}

/// Where an engine's calls log: to its own logger, or as the host has set it up.
pub(crate) struct Logging(Option<Own>);

/// `tracing` may hold a dispatch for a moment longer than the engine. So the dispatch does not own the logger: what the
/// host gave with it ends with the engine, on the thread that drops it.
struct Own {
    dispatch: Dispatch,
    _logger: Arc<dyn Logger>,
}

impl Logging {
    pub(crate) fn to(logger: Option<Arc<dyn Logger>>) -> Self {
        Self(logger.map(|logger| {
            let level = contained(|| logger.level()).unwrap_or(LogLevel::Info);
            let dispatch = Dispatch::new(LoggerSubscriber { logger: Arc::downgrade(&logger), level });
            Own { dispatch, _logger: logger }
        }))
    }

    /// Runs a call of the engine. One that a logger makes logs nothing.
    pub(crate) fn around<T>(&self, call: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(own) if !IS_LOGGING.get() => with_default(&own.dispatch, call),
            _ => call(),
        }
    }

    /// Runs a call of the host. What fails on the bank's side or ours is logged, and a panic stays within: it is the
    /// host's bank or store that panics, and a whole gateway must not fall over that. What is not possible now, or
    /// should not have been called, is for its caller alone.
    ///
    /// # Errors
    /// Those of the call; [`Error::Internal`] for a panic.
    pub(crate) fn guard<T>(&self, name: &'static str, call: impl FnOnce() -> Result<T>) -> Result<T> {
        self.guard_sca(name, |_| call())
    }

    /// The same for a call about an SCA, which says on its way which one that is.
    ///
    /// # Errors
    /// As [`Self::guard`].
    pub(crate) fn guard_sca<T>(
        &self,
        name: &'static str,
        call: impl FnOnce(&WhichSca) -> Result<T>,
    ) -> Result<T> {
        self.around(|| {
            let about = WhichSca::default();
            let Some(answered) = caught_about(name, &about, || call(&about)) else {
                return Err(Error::Internal(format!("{name} panicked")));
            };
            match &answered {
                Err(error) if !error.is_of_caller() => {
                    let (tpp, purpose, payment_id, basket_id) = about.fields();
                    tracing::error!(
                        call = name, tpp, purpose, payment_id, basket_id, %error, "a call failed"
                    );
                }
                _ => {}
            }
            answered
        })
    }
}

/// Runs functions that belong to no engine, such as those of [`crate::tools`]: what they log goes to that logger.
pub fn logged<T>(logger: Arc<dyn Logger>, call: impl FnOnce() -> T) -> T {
    Logging::to(Some(logger)).around(call)
}

/// The SCA that a call is about, once it is known: its TPP and its purpose. The id in the link is a secret, and the PSU
/// is not logged.
#[derive(Default)]
pub(crate) struct WhichSca(OnceCell<(Arc<str>, Purpose)>);

impl WhichSca {
    /// Does nothing if the SCA is set already.
    pub(crate) fn note_authorisation(&self, authorisation: &Authorisation) {
        self.0.get_or_init(|| (authorisation.tpp.clone(), authorisation.purpose.clone()));
    }

    /// TPP, purpose, payment and basket, where there are such.
    fn fields(&self) -> (impl Value + '_, impl Value + '_, impl Value + '_, impl Value + '_) {
        let sca = self.0.get();
        let purpose = sca.map(|(_, purpose)| purpose.parts());
        (
            sca.map(|(tpp, _)| &**tpp),
            purpose.map(|(name, _, _)| display(name)),
            purpose.and_then(|(_, payment, _)| payment).map(display),
            purpose.and_then(|(_, _, basket)| basket).map(display),
        )
    }
}

/// Runs a call with its ids in a span, for a subscriber of the host. A logger gets them with each record.
pub(crate) fn with_span<T>(ids: CallIds, call: impl FnOnce() -> T) -> T {
    if ids.is_empty() {
        return call();
    }
    let (traceparent, correlation_id) = (ids.traceparent.map(display), ids.correlation_id.map(display));
    tracing::error_span!("call", traceparent, correlation_id).in_scope(call)
}

/// Runs a call of the engine; `None` where it panicked, which is logged.
pub(crate) fn caught<T>(name: &'static str, call: impl FnOnce() -> T) -> Option<T> {
    caught_about(name, &WhichSca::default(), call)
}

fn caught_about<T>(name: &'static str, about: &WhichSca, call: impl FnOnce() -> T) -> Option<T> {
    let answered = contained(call);
    if answered.is_none() {
        let (tpp, purpose, payment_id, basket_id) = about.fields();
        // What the panic says may hold anything.
        tracing::error!(call = name, tpp, purpose, payment_id, basket_id, "a call panicked");
    }
    answered
}

/// As long as it lives, this thread is handing a record to a logger.
struct RecordInProgress;

impl RecordInProgress {
    fn begin() -> Self {
        IS_LOGGING.set(true);
        Self
    }
}

impl Drop for RecordInProgress {
    fn drop(&mut self) {
        IS_LOGGING.set(false);
    }
}

/// Hands events on as records. There are no spans.
struct LoggerSubscriber {
    logger: Weak<dyn Logger>,
    level: LogLevel,
}

impl Subscriber for LoggerSubscriber {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && level(*metadata.level()) >= self.level
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(match self.level {
            LogLevel::Trace => LevelFilter::TRACE,
            LogLevel::Debug => LevelFilter::DEBUG,
            LogLevel::Info => LevelFilter::INFO,
            LogLevel::Warn => LevelFilter::WARN,
            LogLevel::Error => LevelFilter::ERROR,
        })
    }

    fn new_span(&self, _span: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _span: &Id, _values: &Record<'_>) {}

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let Some(logger) = self.logger.upgrade() else { return };
        let mut found = Found::default();
        event.record(&mut found);
        found.add_ids(current_call());
        let metadata = event.metadata();
        let level = level(*metadata.level());
        let record = LogRecord::new(level, metadata.target(), &found.message, found.fields);
        let _record = RecordInProgress::begin();
        // If the logger panics, the record is lost: what is logged must not depend on the logger.
        contained(|| logger.log(&record));
    }

    fn enter(&self, _span: &Id) {}

    fn exit(&self, _span: &Id) {}
}

fn level(level: Level) -> LogLevel {
    match level {
        Level::TRACE => LogLevel::Trace,
        Level::DEBUG => LogLevel::Debug,
        Level::INFO => LogLevel::Info,
        Level::WARN => LogLevel::Warn,
        Level::ERROR => LogLevel::Error,
    }
}

/// The message of an event, and its fields.
#[derive(Default)]
struct Found {
    message: String,
    fields: Vec<(&'static str, LogValue)>,
}

impl Found {
    fn add(&mut self, field: &Field, value: LogValue) {
        match (field.name(), value) {
            ("message", LogValue::Text(text)) => self.message = text,
            (name, value) => self.fields.push((name, value)),
        }
    }

    /// The ids of the call that logs, after the fields of the event.
    fn add_ids(&mut self, ids: CallIds) {
        let CallIds { traceparent, correlation_id, .. } = ids;
        let traceparent = traceparent.map(|id| ("traceparent", id.to_string()));
        let correlation_id = correlation_id.map(|id| ("correlation_id", id.to_string()));
        let ids = traceparent.into_iter().chain(correlation_id);
        self.fields.extend(ids.map(|(name, id)| (name, LogValue::Text(id))));
    }
}

impl Visit for Found {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field, LogValue::Text(format!("{value:?}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, LogValue::Text(value.to_owned()));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, LogValue::Integer(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, LogValue::Integer(i64::try_from(value).unwrap_or(i64::MAX)));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, LogValue::Boolean(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parking_lot::Mutex;

    struct Kept(Mutex<Vec<String>>, LogLevel);

    impl Logger for Kept {
        fn level(&self) -> LogLevel {
            self.1
        }

        fn log(&self, record: &LogRecord) {
            self.0.lock().push(format!("{} {} {record}", record.level(), record.target()));
            tracing::error!("a logger that logs");
        }
    }

    /// A logger that calls an engine: here two, one of which is its own.
    struct Calls(Mutex<Vec<String>>, Logging);

    impl Logger for Calls {
        fn log(&self, record: &LogRecord) {
            let own = Logging::to(Some(Arc::new(Kept(Mutex::default(), LogLevel::Info))));
            for logging in [&own, &self.1] {
                logging.around(|| tracing::error!("it failed again"));
            }
            self.0.lock().push(record.message().to_owned());
        }
    }

    #[test]
    fn a_logger_may_call_an_engine_whose_lines_then_go_nowhere() {
        let others = Arc::new(Kept(Mutex::default(), LogLevel::Info));
        let calls = Arc::new(Calls(Mutex::default(), Logging::to(Some(others.clone()))));
        let logging = Logging::to(Some(calls.clone()));
        for _ in 0..2 {
            logging.around(|| tracing::error!("it failed"));
        }
        assert_eq!(*calls.0.lock(), ["it failed", "it failed"]);
        assert!(others.0.lock().is_empty());
        calls.1.around(|| tracing::error!("after the line"));
        assert_eq!(others.0.lock().len(), 1);
    }

    /// A logger that panics.
    struct Panics;

    impl Logger for Panics {
        fn log(&self, _record: &LogRecord) {
            panic!("no disk");
        }
    }

    #[test]
    fn after_a_logger_that_panics_records_are_handed_on() {
        let logging = Logging::to(Some(Arc::new(Panics)));
        let say = || logging.around(|| tracing::error!("it failed"));
        say();
        assert!(!said(LogLevel::Error).is_empty());
    }

    fn said(level: LogLevel) -> Vec<String> {
        let kept = Arc::new(Kept(Mutex::default(), level));
        let logging = Logging::to(Some(kept.clone()));
        let answered = logging.around(|| {
            tracing::error!(error = %"disk full", attempts = 3, is_last = true, name = "x", "it failed");
            tracing::warn!(target: "elsewhere", "look");
            tracing::info!("by the way");
            tracing::debug!("thought");
            tracing::trace!("step");
            7
        });
        tracing::error!("after the call");
        assert_eq!(answered, 7);
        let lines = kept.0.lock().clone();
        lines
    }

    #[test]
    fn the_lines_of_a_call_go_to_the_logger_from_its_level_on() {
        let here = module_path!();
        let all = [
            format!("error {here} it failed error=\"disk full\" attempts=3 is_last=true name=\"x\""),
            "warn elsewhere look".to_owned(),
            format!("info {here} by the way"),
            format!("debug {here} thought"),
            format!("trace {here} step"),
        ];
        let levels = [LogLevel::Error, LogLevel::Warn, LogLevel::Info, LogLevel::Debug, LogLevel::Trace];
        for (number, level) in levels.into_iter().enumerate() {
            assert_eq!(said(level), all[..=number], "{level}");
        }
    }
}
