//! The boundary between C and Rust: no panic crosses it, and every failure is remembered.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::failure::{Failure, Outcome};
use super::last_error;
use super::status::NetclockStatus;

/// Runs an entry that has no handle. `name` is its C name, for the last error.
pub(crate) fn entry(name: &'static str, body: impl FnOnce() -> Outcome) -> NetclockStatus {
    within(name, body, || ())
}

/// Runs an entry within the panic boundary, and `panicked` if it panicked.
#[inline]
pub(crate) fn within(
    name: &'static str,
    body: impl FnOnce() -> Outcome,
    panicked: impl FnOnce(),
) -> NetclockStatus {
    // Only the status leaves the boundary: to copy an outcome takes as long as a short entry.
    let caught = catch_unwind(AssertUnwindSafe(|| finish(name, body())));
    caught.unwrap_or_else(|payload| {
        panicked();
        failed(name, &Failure::Panicked(payload))
    })
}

/// As [`within`], where more is to be done with the outcome before it is finished.
#[inline]
pub(crate) fn guarded(body: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| Err(Failure::Panicked(payload)))
}

/// The status that C gets for an outcome.
#[inline]
pub(crate) fn finish(name: &'static str, outcome: Outcome) -> NetclockStatus {
    outcome.map_or_else(|failure| failed(name, &failure), |()| NetclockStatus::OK)
}

/// The status of anything but success.
#[cold]
fn failed(name: &'static str, failure: &Failure) -> NetclockStatus {
    let status = failure.status();
    if status.is_error() {
        last_error::record(format_args!("{name}: {failure}"));
    }
    status
}

/// Runs an entry that has no status to return, with what to return after a panic.
pub(crate) fn or_else<T>(body: impl FnOnce() -> T, panicked: T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(panicked)
}
