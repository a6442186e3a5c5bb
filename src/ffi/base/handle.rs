//! Handles: made, used and destroyed here. A handle is registered while it lives, and poisoned by a panic.

use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering};

use super::boundary;
use super::failure::{Failure, Outcome};
use super::fork;
use super::pointers::writable;
use super::registry;
use super::status::{NETCLOCK_FORKED, NETCLOCK_POISONED, NetclockStatus};
use crate::clock::for_parts::memory::boxed;

/// In which process a handle was created, and whether a call on it panicked: its state may be half changed.
#[derive(Debug)]
pub(crate) struct Poison(AtomicU32);

impl Default for Poison {
    /// Not set, of this process.
    fn default() -> Self {
        Poison(AtomicU32::new(fork::count()))
    }
}

impl Poison {
    /// Beside the count of forks, which is smaller.
    const SET: u32 = 1 << 31;

    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed) & Self::SET != 0
    }

    pub(crate) fn set(&self) {
        self.0.fetch_or(Self::SET, Ordering::Relaxed);
    }

    /// Whether the handle was not poisoned.
    #[inline]
    pub(crate) fn usable(&self) -> Result<(), NetclockStatus> {
        if self.is_set() { Err(NetclockStatus(NETCLOCK_POISONED)) } else { Ok(()) }
    }

    /// Whether the handle was created in this process. In a forked one, a thread that is not there may hold
    /// its lock, and its random numbers are those of the parent.
    #[inline]
    pub(crate) fn not_inherited(&self) -> Result<(), NetclockStatus> {
        let is_of_this_process = self.0.load(Ordering::Relaxed) & !Self::SET == fork::count();
        if is_of_this_process { Ok(()) } else { Err(NetclockStatus(NETCLOCK_FORKED)) }
    }

    /// Whether the handle may be changed.
    #[inline]
    pub(crate) fn changeable(&self) -> Result<(), NetclockStatus> {
        self.usable()?;
        self.not_inherited()
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
#[inline]
pub(crate) unsafe fn create<H: Handle>(
    name: &'static str,
    out: *mut *mut H,
    make: impl FnOnce() -> Outcome<H::Value>,
) -> NetclockStatus {
    boundary::entry(name, || {
        writable(out, H::ARGUMENT)?;
        fork::watch()?;
        let handle = boxed(|| make().map(H::new))?;
        registry::enter(ptr::from_ref(&*handle).addr(), H::KIND)?;
        // SAFETY: not null, and the caller's promise.
        unsafe { out.write(Box::into_raw(handle)) };
        Ok(())
    })
}

/// Takes a handle back and drops it. In a forked process it forgets one that is in use. Null is allowed and
/// does nothing. If it is no live handle, its memory is not read. Every `_destroy` comes here.
///
/// # Safety
/// If `handle` is a live handle, nobody else uses it any more.
#[inline]
pub(crate) unsafe fn destroy<H: Handle>(name: &'static str, handle: *mut H) -> NetclockStatus {
    boundary::entry(name, || {
        if handle.is_null() {
            return Ok(());
        }
        let mut is_forgotten = false;
        registry::leave(handle.addr(), H::KIND, || {
            // SAFETY: asked only about live handles of this kind.
            let handle = unsafe { &*handle };
            let outcome = handle.may_be_destroyed();
            // Its user may be a thread of the parent, and has left it half changed here. So its memory is
            // left alone.
            is_forgotten = outcome.is_err() && handle.poison().not_inherited().is_err();
            if is_forgotten { Ok(()) } else { outcome }
        })?;
        if !is_forgotten {
            // SAFETY: it was alive and came from `create`, and a second destroy does not find it in the
            // registry.
            drop(unsafe { Box::from_raw(handle) });
        }
        Ok(())
    })
}

/// Runs an entry on a handle that any number of threads may use at once. A panic poisons the handle.
///
/// # Safety
/// `handle` is null or points to a live handle of its type.
#[inline]
pub(crate) unsafe fn read<H: Handle>(
    name: &'static str,
    handle: *const H,
    body: impl FnOnce(&H) -> Outcome,
) -> NetclockStatus {
    // SAFETY: the caller's promise.
    match unsafe { usable(handle) } {
        Ok(handle) => boundary::within(name, || body(handle), || poison(handle)),
        Err(failure) => boundary::finish(name, Err(failure)),
    }
}

/// The handle, if it is one and was not poisoned.
///
/// # Safety
/// `handle` is null or points to a live handle of its type.
#[inline]
pub(crate) unsafe fn usable<'a, H: Handle>(handle: *const H) -> Outcome<&'a H> {
    // SAFETY: the caller's promise; null gives none.
    let handle = unsafe { handle.as_ref() }.ok_or_else(|| Failure::null(H::ARGUMENT))?;
    handle.poison().usable()?;
    Ok(handle)
}

/// An entry panicked.
#[cold]
pub(crate) fn poison<H: Handle>(handle: &H) {
    handle.poison().set();
    handle.on_poison();
}
