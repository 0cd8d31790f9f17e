//! The edge between C and Rust: no panic crosses it, no NULL is read through, and an output is written
//! only after everything went well.

use std::mem::MaybeUninit;
use std::panic::{catch_unwind, AssertUnwindSafe};

use crate::error::{xs2a_error, xs2a_result};

/// Where the caller wants an error, if it wants one.
pub(crate) type ErrorOut<'a> = Option<&'a mut MaybeUninit<Option<Box<xs2a_error>>>>;

/// Runs a fallible function that gives nothing back.
pub(crate) fn run(error: ErrorOut<'_>, body: impl FnOnce() -> Result<(), xs2a_error>) -> xs2a_result {
    // A panic leaves no half-changed engine: the core writes in transactions and its locks do not poison.
    match catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| Err(xs2a_error::panic())) {
        Ok(()) => xs2a_result::XS2A_OK,
        Err(failure) => {
            let code = failure.code();
            if let Some(place) = error {
                place.write(Some(Box::new(failure)));
            }
            code
        }
    }
}

/// Runs a fallible function and writes what it gives to `out`. Without `out` it does not run at all.
pub(crate) fn produce<T>(
    out: Option<&mut MaybeUninit<T>>,
    error: ErrorOut<'_>,
    body: impl FnOnce() -> Result<T, xs2a_error>,
) -> xs2a_result {
    run(error, || {
        let place = required(out, "out")?;
        place.write(body()?);
        Ok(())
    })
}

/// Runs a function that cannot fail; returns `default` after a panic.
pub(crate) fn total<T>(default: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(default)
}

/// A pointer that must not be NULL.
pub(crate) fn required<T>(pointer: Option<T>, argument: &str) -> Result<T, xs2a_error> {
    pointer.ok_or_else(|| xs2a_error::null(argument))
}

/// A handle for the caller to own.
#[expect(clippy::unnecessary_wraps, reason = "the shape of an output: NULL is None")]
pub(crate) fn owned<T>(value: T) -> Option<Box<T>> {
    Some(Box::new(value))
}

#[cfg(test)]
mod tests {
    use super::xs2a_result::*;
    use super::*;

    #[test]
    fn a_panic_becomes_internal_and_writes_no_output() {
        let (mut out, mut error) = (MaybeUninit::new(7), MaybeUninit::new(None));
        let result = produce(Some(&mut out), Some(&mut error), || panic!("a secret"));
        assert_eq!(result, XS2A_INTERNAL);
        // SAFETY: initialised above.
        assert_eq!(unsafe { out.assume_init() }, 7);
        // SAFETY: initialised above.
        let error = unsafe { error.assume_init() };
        assert!(!format!("{:?}", error.unwrap()).contains("secret"));
    }

    #[test]
    fn a_panic_without_a_place_for_the_error_is_internal_too() {
        assert_eq!(run(None, || panic!()), XS2A_INTERNAL);
        assert_eq!(total(3, || panic!()), 3);
    }

    #[test]
    fn success_leaves_the_error_alone() {
        let mut error = MaybeUninit::new(None);
        assert_eq!(run(Some(&mut error), || Ok(())), XS2A_OK);
        // SAFETY: initialised above.
        assert!(unsafe { error.assume_init() }.is_none());
    }

    #[test]
    fn without_a_place_for_the_output_nothing_is_done() {
        let mut ran = false;
        let result = produce(None, None, || {
            ran = true;
            Ok(())
        });
        assert_eq!((result, ran), (XS2A_NULL_ARGUMENT, false));
    }
}
