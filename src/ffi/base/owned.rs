//! Handles with one value that every call may change: the calls of a handle are serialised by a lock.

use parking_lot::Mutex;

use super::boundary;
use super::failure::{Failure, Outcome};
use super::handle::{self, Handle, Poison};
use super::status::{NETCLOCK_BUSY, NetclockStatus};

/// A value under a lock.
pub(crate) struct Owned<T> {
    pub(crate) poison: Poison,
    value: Mutex<T>,
}

impl<T> Owned<T> {
    pub(crate) fn new(value: T) -> Self {
        Owned { poison: Poison::default(), value: Mutex::new(value) }
    }

    pub(crate) fn may_be_destroyed(&self) -> Outcome {
        unless_locked(&self.value)
    }
}

/// Busy while somebody holds the lock.
pub(crate) fn unless_locked<T>(value: &Mutex<T>) -> Outcome {
    if value.is_locked() { Err(busy()) } else { Ok(()) }
}

/// The handle is in use.
pub(crate) fn busy() -> Failure {
    Failure::because(NETCLOCK_BUSY, |f| {
        f.write_str("the handle is in use: by another thread, or by the caller of a callback")
    })
}

/// A handle that is nothing but a value under a lock.
pub(crate) trait Owner: Handle {
    fn owned(&self) -> &Owned<Self::Value>;
}

/// `owned! { NetclockLead(Lead): "netclock_lead", "lead" }` declares what `pub struct NetclockLead(Owned<Lead>);`
/// is: a handle of this kind, passed as an argument of this name.
macro_rules! owned {
    ($handle:ident($value:ty): $kind:literal, $argument:literal) => {
        impl $crate::ffi::base::handle::Handle for $handle {
            const KIND: &'static str = $kind;
            const ARGUMENT: &'static str = $argument;
            type Value = $value;

            fn new(value: $value) -> Self {
                $handle($crate::ffi::base::owned::Owned::new(value))
            }

            fn poison(&self) -> &$crate::ffi::base::handle::Poison {
                &self.0.poison
            }

            fn may_be_destroyed(&self) -> $crate::ffi::base::failure::Outcome {
                self.0.may_be_destroyed()
            }
        }

        impl $crate::ffi::base::owned::Owner for $handle {
            fn owned(&self) -> &$crate::ffi::base::owned::Owned<$value> {
                &self.0
            }
        }
    };
}
pub(crate) use owned;

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
    let outcome = unsafe { handle::changeable(handle) }.and_then(|handle| {
        let mut value = handle.owned().value.lock();
        // Check again: the call that held the lock may have panicked. A panic poisons the handle before it frees
        // the lock.
        handle::still_usable(handle)?;
        handle::run(handle, || body(&mut value))
    });
    boundary::finish(name, outcome)
}
