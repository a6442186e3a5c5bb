//! Handles with one value that every call may change: the calls of a handle are serialised by a lock.

use parking_lot::Mutex;

use crate::ffi::base::boundary::{self, Handle, Outcome};
use crate::ffi::base::failure::Failure;
use crate::ffi::base::status::NetclockStatus;

/// A handle that is nothing but a value under a lock.
pub(crate) trait Owner: Handle {
    type Value;

    fn value(&self) -> &Mutex<Self::Value>;
}

/// What [`Handle::may_be_destroyed`] answers for an owner.
pub(crate) fn unless_locked<T>(value: &Mutex<T>) -> Outcome {
    if value.is_locked() { Err(Failure::Busy) } else { Ok(()) }
}

/// Runs `body` on the value, alone. One function for all entries of a handle, so that the boundary is there once.
///
/// # Safety
/// `handle` is null or points to a live handle of its type.
#[inline(never)]
pub(crate) unsafe fn change<H: Owner>(
    name: &'static str,
    handle: *const H,
    body: &mut dyn FnMut(&mut H::Value) -> Outcome,
) -> NetclockStatus {
    // SAFETY: the caller's promise.
    let outcome = unsafe { boundary::usable(handle) }.and_then(|handle| {
        let mut value = handle.value().lock();
        // Once more: whoever held the lock may have panicked. A panic poisons the handle before the lock is free.
        boundary::still_usable(handle)?;
        boundary::run(handle, || body(&mut value))
    });
    boundary::finish(name, outcome)
}
