//! The boundary between C and Rust: no panic crosses it, and every failure is remembered.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::failure::{Failure, Outcome};
use super::last_error;
use super::status::NetclockStatus;

/// Runs an entry that has no handle. `name` is its C name, for the last error.
pub(crate) fn entry(name: &'static str, body: impl FnOnce() -> Outcome) -> NetclockStatus {
    finish(name, guarded(body))
}

/// The panic boundary.
pub(crate) fn guarded(body: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| Err(Failure::Panicked(payload)))
}

/// The status that C gets for an outcome.
#[inline]
pub(crate) fn finish(name: &'static str, outcome: Outcome) -> NetclockStatus {
    match outcome {
        Ok(()) => NetclockStatus::OK,
        Err(failure) => {
            let status = failure.status();
            if status.is_error() {
                remember(name, &failure);
            }
            status
        }
    }
}

#[cold]
#[inline(never)]
fn remember(name: &'static str, failure: &Failure) {
    last_error::record(format_args!("{name}: {failure}"));
}

/// Runs an entry that has no status to return, with what to return after a panic.
pub(crate) fn or_else<T>(body: impl FnOnce() -> T, panicked: T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(panicked)
}
