//! Handles: made, used and destroyed here. A handle is registered while it lives, and poisoned by a panic.

use core::sync::atomic::{AtomicBool, Ordering};

use super::boundary;
use super::failure::{Failure, Outcome};
use super::pointers::writable;
use super::registry;
use super::status::{NETCLOCK_POISONED, NetclockStatus};

/// Set when a call on the handle panicked: its state may be half changed.
#[derive(Debug, Default)]
pub(crate) struct Poison(AtomicBool);

impl Poison {
    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What C holds a pointer to.
pub(crate) trait Handle: Sized {
    /// What it is called in C, and as an argument.
    const KIND: &'static str;
    const ARGUMENT: &'static str;
    /// What it holds.
    type Value;

    fn new(value: Self::Value) -> Self;

    fn poison(&self) -> &Poison;

    /// The handle was poisoned just now.
    fn on_poison(&self) {}

    /// Whether it may be destroyed, as far as it can tell.
    fn may_be_destroyed(&self) -> Outcome {
        Ok(())
    }
}

/// Creates a handle of what `make` gives. Every `_create` comes here.
///
/// # Safety
/// `out` is null or can be written.
pub(crate) unsafe fn create<H: Handle>(
    name: &'static str,
    out: *mut *mut H,
    make: impl FnOnce() -> Outcome<H::Value>,
) -> NetclockStatus {
    boundary::entry(name, || {
        let out = writable(out, H::ARGUMENT)?;
        let handle = Box::into_raw(Box::new(H::new(make()?)));
        registry::enter(handle.addr(), H::KIND);
        // SAFETY: not null, and the caller's promise.
        unsafe { out.write(handle) };
        Ok(())
    })
}

/// Takes a handle back and drops it. Null is allowed and does nothing. If it is no live handle, its memory is not
/// read.
/// Every `_destroy` comes here.
///
/// # Safety
/// If `handle` is a live handle, nobody else uses it any more.
pub(crate) unsafe fn destroy<H: Handle>(name: &'static str, handle: *mut H) -> NetclockStatus {
    // SAFETY: asked only about live handles of this kind.
    let may_be_destroyed = || unsafe { (*handle).may_be_destroyed() };
    // SAFETY: it was alive and came from `create`, and a second destroy does not find it in the registry.
    let drop_it = || drop(unsafe { Box::from_raw(handle) });
    destroy_any(name, (handle.addr(), H::KIND), &may_be_destroyed, &drop_it)
}

/// What destroying has in common for all kinds.
#[inline(never)]
fn destroy_any(
    name: &'static str,
    (address, kind): (usize, &'static str),
    may_be_destroyed: &dyn Fn() -> Outcome,
    drop_it: &dyn Fn(),
) -> NetclockStatus {
    boundary::entry(name, || {
        if address != 0 {
            registry::leave(address, kind, may_be_destroyed)?;
            drop_it();
        }
        Ok(())
    })
}

/// Runs an entry on a handle that any number of threads may use at once. A panic poisons the handle.
///
/// # Safety
/// `handle` is null or points to a live handle of its type.
pub(crate) unsafe fn read<H: Handle>(
    name: &'static str,
    handle: *const H,
    body: impl FnOnce(&H) -> Outcome,
) -> NetclockStatus {
    // SAFETY: the caller's promise.
    let outcome = unsafe { usable(handle) }.and_then(|handle| run(handle, || body(handle)));
    boundary::finish(name, outcome)
}

/// The handle, if it is one and was not poisoned.
///
/// # Safety
/// `handle` is null or points to a live handle of its type.
pub(crate) unsafe fn usable<'a, H: Handle>(handle: *const H) -> Outcome<&'a H> {
    // SAFETY: the caller's promise; null gives none.
    let handle = unsafe { handle.as_ref() }.ok_or_else(|| Failure::null(H::ARGUMENT))?;
    still_usable(handle)?;
    Ok(handle)
}

/// Whether the handle was not poisoned.
pub(crate) fn still_usable<H: Handle>(handle: &H) -> Outcome {
    if handle.poison().is_set() { Err(Failure::of(NETCLOCK_POISONED)) } else { Ok(()) }
}

/// Runs what an entry does to a handle. A panic poisons it.
pub(crate) fn run<H: Handle>(handle: &H, body: impl FnOnce() -> Outcome) -> Outcome {
    let outcome = boundary::guarded(body);
    if let Err(Failure::Panicked(_)) = outcome {
        handle.poison().set();
        handle.on_poison();
    }
    outcome
}
