//! Creates, uses and destroys handles. Live handles are registered, and a panic in a call poisons its handle.

use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering};

use parking_lot::Mutex;

use super::boundary;
use super::failure::{Failure, Outcome};
use super::fork;
use super::pointers::writable;
use super::registry;
use super::status::{NETCLOCK_BUSY, NETCLOCK_FORKED, NETCLOCK_POISONED, NetclockStatus};
use crate::clock::for_parts::memory::boxed;

pub(crate) fn unless_locked<T>(value: &Mutex<T>) -> Outcome {
    if value.is_locked() { Err(busy()) } else { Ok(()) }
}

pub(crate) fn busy() -> Failure {
    Failure::because(NETCLOCK_BUSY, |f| {
        f.write_str("the handle is in use by another thread or by a callback")
    })
}

/// Stores the fork count at creation, and whether a panic may have left the handle in an inconsistent state.
#[derive(Debug)]
pub(crate) struct Poison(AtomicU32);

impl Default for Poison {
    fn default() -> Self {
        Poison(AtomicU32::new(fork::count()))
    }
}

impl Poison {
    /// A fork count never reaches this value.
    const SET: u32 = 1 << 31;

    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed) & Self::SET != 0
    }

    pub(crate) fn set(&self) {
        self.0.fetch_or(Self::SET, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn usable(&self) -> Result<(), NetclockStatus> {
        if self.is_set() { Err(NetclockStatus(NETCLOCK_POISONED)) } else { Ok(()) }
    }

    /// Fails in a forked process, because a thread that exists only in the parent may hold the lock, and
    /// random numbers would repeat the parent's.
    #[inline]
    pub(crate) fn not_inherited(&self) -> Result<(), NetclockStatus> {
        let is_of_this_process = self.0.load(Ordering::Relaxed) & !Self::SET == fork::count();
        if is_of_this_process { Ok(()) } else { Err(NetclockStatus(NETCLOCK_FORKED)) }
    }

    #[inline]
    pub(crate) fn changeable(&self) -> Result<(), NetclockStatus> {
        self.usable()?;
        self.not_inherited()
    }
}

pub(crate) trait Handle: Sized {
    const KIND: &'static str;
    const ARGUMENT: &'static str;
    type Value;

    fn new(value: Self::Value) -> Self;

    fn poison(&self) -> &Poison;

    fn on_poison(&self) {}

    fn may_be_destroyed(&self) -> Outcome {
        Ok(())
    }
}

/// # Safety
/// `out` must be null or writable.
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
        // SAFETY: `out` is not null, so the caller guarantees that it is writable.
        unsafe { out.write(Box::into_raw(handle)) };
        Ok(())
    })
}

/// Frees a handle. Ignores null, and rejects any pointer that is not a live handle without reading its
/// memory. In a forked process, leaks a handle that was in use.
///
/// # Safety
/// If `handle` is live, no other call may be using it.
#[inline]
pub(crate) unsafe fn destroy<H: Handle>(name: &'static str, handle: *mut H) -> NetclockStatus {
    boundary::entry(name, || {
        if handle.is_null() {
            return Ok(());
        }
        let mut is_forgotten = false;
        registry::leave(handle.addr(), H::KIND, || {
            // SAFETY: the registry calls this only for live handles of this type.
            let handle = unsafe { &*handle };
            let outcome = handle.may_be_destroyed();
            // A thread of the parent may have been modifying the handle during the fork, so leak it.
            is_forgotten = outcome.is_err() && handle.poison().not_inherited().is_err();
            if is_forgotten { Ok(()) } else { outcome }
        })?;
        if !is_forgotten {
            // SAFETY: `create` allocated this live handle, and the registry rejects a second call.
            drop(unsafe { Box::from_raw(handle) });
        }
        Ok(())
    })
}

/// Runs `body` on a handle that several threads may use at once. A panic poisons the handle.
///
/// # Safety
/// `handle` must be null or point to a live handle of its type.
#[inline]
pub(crate) unsafe fn read<H: Handle>(
    name: &'static str,
    handle: *const H,
    body: impl FnOnce(&H) -> Outcome,
) -> NetclockStatus {
    // SAFETY: guaranteed by the caller.
    match unsafe { usable(handle) } {
        Ok(handle) => boundary::within(name, || body(handle), || poison(handle)),
        Err(failure) => boundary::finish(name, Err(failure)),
    }
}

/// # Safety
/// `handle` must be null or point to a live handle of its type.
#[inline]
pub(crate) unsafe fn usable<'a, H: Handle>(handle: *const H) -> Outcome<&'a H> {
    // SAFETY: guaranteed by the caller; null returns `None`.
    let handle = unsafe { handle.as_ref() }.ok_or_else(|| Failure::null(H::ARGUMENT))?;
    handle.poison().usable()?;
    Ok(handle)
}

#[cold]
pub(crate) fn poison<H: Handle>(handle: &H) {
    handle.poison().set();
    handle.on_poison();
}
