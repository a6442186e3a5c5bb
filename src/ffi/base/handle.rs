//! Handles: made, used and destroyed here. A handle is registered while it lives, and poisoned by a panic.

use core::sync::atomic::{AtomicU32, Ordering};

use super::boundary;
use super::failure::{Failure, Outcome};
use super::fork;
use super::pointers::writable;
use super::registry;
use super::status::{NETCLOCK_FORKED, NETCLOCK_POISONED, NetclockStatus};
use crate::memory::boxed;

/// Set when a call on the handle panicked: its state may be half changed. Until then it knows in which process the
/// handle was created.
#[derive(Debug)]
pub(crate) struct Poison(AtomicU32);

impl Default for Poison {
    /// Not set, of this process.
    fn default() -> Self {
        Poison(AtomicU32::new(fork::count()))
    }
}

impl Poison {
    const SET: u32 = u32::MAX;

    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed) == Self::SET
    }

    fn set(&self) {
        self.0.store(Self::SET, Ordering::Relaxed);
    }

    /// Whether the handle was created before this process was forked.
    fn is_inherited(&self) -> bool {
        self.0.load(Ordering::Relaxed) != fork::count()
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
        fork::watch()?;
        let handle = boxed(|| make().map(H::new))?;
        registry::enter(handle.as_ptr().addr(), H::KIND)?;
        // SAFETY: not null, and the caller's promise.
        unsafe { out.write(Box::into_raw(handle).cast()) };
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

/// The handle, if it may be changed: it is one of this process, and was not poisoned.
///
/// # Safety
/// `handle` is null or points to a live handle of its type.
pub(crate) unsafe fn changeable<'a, H: Handle>(handle: *const H) -> Outcome<&'a H> {
    // SAFETY: the caller's promise.
    let handle = unsafe { usable(handle)? };
    not_inherited(handle)?;
    Ok(handle)
}

/// Whether the handle was created in this process. In a forked one, a thread that is not there may hold its lock, and
/// its random numbers are those of the parent.
pub(crate) fn not_inherited<H: Handle>(handle: &H) -> Outcome {
    if handle.poison().is_inherited() { Err(Failure::of(NETCLOCK_FORKED)) } else { Ok(()) }
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
