//! Handles that contain a mutable value. A lock serialises the calls.

use parking_lot::{Mutex, MutexGuard};

use super::boundary;
use super::failure::{Failure, Outcome};
use super::handle::{Handle, Poison};
use super::status::NetclockStatus;

pub(crate) struct Owned<T> {
    pub(crate) poison: Poison,
    pub(crate) value: Mutex<T>,
}

impl<T> Owned<T> {
    pub(crate) fn new(value: T) -> Self {
        Owned { poison: Poison::default(), value: Mutex::new(value) }
    }

    /// Checks for poison again after locking, because a call that panics poisons the handle before it
    /// releases the lock.
    fn enter(&self) -> Outcome<MutexGuard<'_, T>> {
        self.poison.changeable()?;
        let value = self.value.lock();
        self.poison.usable()?;
        Ok(value)
    }
}

pub(crate) trait Owner: Handle {
    fn owned(&self) -> &Owned<Self::Value>;
}

/// `owned! { NetclockHost(Host): "netclock_host", "host" }` implements the handle traits for `pub struct
/// NetclockHost(Owned<Host>);`. The strings are the names of the C type and of the argument.
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
                $crate::ffi::base::handle::unless_locked(&self.0.value)
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

/// A panic in `body` poisons the handle.
///
/// # Safety
/// `handle` must be null or point to a live handle of its type.
#[inline]
pub(crate) unsafe fn change<H: Owner>(
    name: &'static str,
    handle: *const H,
    body: impl FnOnce(&mut H::Value) -> Outcome,
) -> NetclockStatus {
    // SAFETY: guaranteed by the caller; null returns `None`.
    let Some(owned) = unsafe { handle.as_ref() }.map(Owner::owned) else {
        return boundary::finish(name, Err(Failure::null(H::ARGUMENT)));
    };
    match owned.enter() {
        Ok(mut value) => boundary::within(name, || body(&mut value), || owned.poison.set()),
        Err(failure) => boundary::finish(name, Err(failure)),
    }
}
