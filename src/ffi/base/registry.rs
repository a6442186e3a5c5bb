//! Keeps track of live handles, so that `_destroy` detects invalid pointers without dereferencing them.
//!
//! Only creation and destruction use the registry, because a lookup in every call would take longer than
//! reading the clock. Memory is reused, so a pointer that is destroyed twice may by then belong to another
//! live handle.
//!
//! Both operations take constant time. Waiting threads spin, because the lock is held only briefly, even
//! during a fork.

use core::cell::UnsafeCell;
use core::hash::BuildHasherDefault;
use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::HashMap;

use siphasher::sip::SipHasher24;

use super::failure::{Failure, Outcome};
use super::status::NETCLOCK_UNKNOWN_HANDLE;
use crate::clock::for_parts::OutOfMemory;

const SPINS: u32 = 64;

pub(super) static LIVE: Live = Live::new();

/// The keys are inverted addresses. See [`hidden`].
type Handles = HashMap<usize, &'static str, BuildHasherDefault<SipHasher24>>;

pub(super) struct Live {
    locked: AtomicBool,
    handles: UnsafeCell<Handles>,
}

// SAFETY: only `with` accesses the handles, and it holds the lock.
unsafe impl Sync for Live {}

impl Live {
    const fn new() -> Self {
        let handles = HashMap::with_hasher(BuildHasherDefault::new());
        Live { locked: AtomicBool::new(false), handles: UnsafeCell::new(handles) }
    }

    /// `fork.rs` holds the lock during a fork, so that the child inherits a consistent map.
    pub(super) fn lock(&self) {
        let mut spins = 0;
        while self.locked.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            spins += 1;
            if spins % SPINS == 0 {
                std::thread::yield_now();
            } else {
                core::hint::spin_loop();
            }
        }
    }

    pub(super) fn unlock(&self) {
        self.locked.store(false, Ordering::Release);
    }

    /// Runs `body` while holding the lock, so `body` must not panic or call this function.
    fn with<T>(&self, body: impl FnOnce(&mut Handles) -> T) -> T {
        self.lock();
        // SAFETY: the lock is held.
        let result = body(unsafe { &mut *self.handles.get() });
        self.unlock();
        result
    }
}

/// Inverts the address. Otherwise, leak checkers would treat it as a reference and never report handles that
/// were not destroyed.
fn hidden(address: usize) -> usize {
    !address
}

pub(crate) fn enter(address: usize, kind: &'static str) -> Result<(), OutOfMemory> {
    let hidden = hidden(address);
    LIVE.with(|live| {
        live.try_reserve(1).map_err(|_| OutOfMemory)?;
        live.insert(hidden, kind);
        Ok(())
    })
}

/// Removes a live handle unless `may_leave` fails. `may_leave` is called only if the handle is live.
pub(crate) fn leave(address: usize, kind: &'static str, may_leave: impl FnOnce() -> Outcome) -> Outcome {
    let hidden = hidden(address);
    LIVE.with(|live| {
        if live.get(&hidden) != Some(&kind) {
            return Err(Failure::because(NETCLOCK_UNKNOWN_HANDLE, move |f| {
                write!(
                    f,
                    "{address:#x} is not a live {kind}; it was destroyed, has another type, or never existed"
                )
            }));
        }
        may_leave()?;
        live.remove(&hidden);
        if live.is_empty() {
            // Free the map, so that a program that destroys all its handles leaks nothing.
            *live = HashMap::default();
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_live_between_enter_and_leave() {
        let unknown = |outcome: Outcome| outcome.err().map(|failure| failure.status().0);
        assert_eq!(enter(7, "a_kind"), Ok(()));
        assert_eq!(unknown(leave(7, "another_kind", || Ok(()))), Some(NETCLOCK_UNKNOWN_HANDLE));
        assert_eq!(unknown(leave(7, "a_kind", || Err(Failure::of(-9)))), Some(-9));
        assert_eq!(unknown(leave(7, "a_kind", || Ok(()))), None);
        assert_eq!(unknown(leave(7, "a_kind", || Ok(()))), Some(NETCLOCK_UNKNOWN_HANDLE));
    }
}
