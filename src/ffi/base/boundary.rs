//! Catches panics before they reach C, and records every error for `netclock_last_error`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::failure::{Failure, Outcome};
use super::last_error;
use super::status::NetclockStatus;

pub(crate) fn entry(name: &'static str, body: impl FnOnce() -> Outcome) -> NetclockStatus {
    within(name, body, || ())
}

#[inline]
pub(crate) fn within(
    name: &'static str,
    body: impl FnOnce() -> Outcome,
    panicked: impl FnOnce(),
) -> NetclockStatus {
    // Return only the status from the closure, because copying a whole `Outcome` takes as long as a short
    // call.
    let caught = catch_unwind(AssertUnwindSafe(|| finish(name, body())));
    caught.unwrap_or_else(|payload| {
        panicked();
        failed(name, &Failure::Panicked(payload))
    })
}

/// The caller must record the outcome with [`finish`].
#[inline]
pub(crate) fn guarded(body: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| Err(Failure::Panicked(payload)))
}

#[inline]
pub(crate) fn finish(name: &'static str, outcome: Outcome) -> NetclockStatus {
    outcome.map_or_else(|failure| failed(name, &failure), |()| NetclockStatus::OK)
}

#[cold]
fn failed(name: &'static str, failure: &Failure) -> NetclockStatus {
    let status = failure.status();
    if status.is_error() {
        last_error::record(format_args!("{name}: {failure}"));
    }
    status
}

pub(crate) fn or_else<T>(body: impl FnOnce() -> T, panicked: T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(panicked)
}
