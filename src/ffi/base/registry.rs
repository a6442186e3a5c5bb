//! Keeps track of live handles, so that `_destroy` can detect an invalid pointer without reading its target.
//!
//! Only creation and destruction access the registry, because a check in every call would cost more than
//! reading the clock. Since freed memory is reused, a pointer that is destroyed twice may by then point to
//! another live handle.
//!
//! Both operations take constant time. The lock is held only briefly, so waiting is a spin loop. `fork.rs`
//! handles processes that fork in the meantime.

use core::cell::UnsafeCell;
use core::hash::BuildHasherDefault;
use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::HashMap;

use siphasher::sip::SipHasher24;

use super::failure::{Failure, Outcome};
use super::status::NETCLOCK_UNKNOWN_HANDLE;
use crate::clock::for_parts::OutOfMemory;

/// How many times a thread tries to acquire the lock before it yields.
const SPINS: u32 = 64;

pub(super) static LIVE: Live = Live::new();

/// The types of the live handles, by hidden address.
type Handles = HashMap<usize, &'static str, BuildHasherDefault<SipHasher24>>;

pub(super) struct Live {
    locked: AtomicBool,
    handles: UnsafeCell<Handles>,
}

// SAFETY: the handles are only accessed in `with`, which holds the lock.
unsafe impl Sync for Live {}

impl Live {
    const fn new() -> Self {
        let handles = HashMap::with_hasher(BuildHasherDefault::new());
        Live { locked: AtomicBool::new(false), handles: UnsafeCell::new(handles) }
    }

    /// Acquires the lock, also during a fork, so that the child inherits a consistent map.
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

    /// Runs `body` with exclusive access to the handles. It must not panic, and must not call this function.
    fn with<T>(&self, body: impl FnOnce(&mut Handles) -> T) -> T {
        self.lock();
        // SAFETY: the lock is held.
        let result = body(unsafe { &mut *self.handles.get() });
        self.unlock();
        result
    }
}

/// An address with all bits inverted. Leak checkers would treat plain addresses as references, and would miss
/// every handle that is never destroyed.
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

/// Removes a handle of this type if `may_leave` succeeds, which is only called for a live handle.
pub(crate) fn leave(address: usize, kind: &'static str, may_leave: impl FnOnce() -> Outcome) -> Outcome {
    let hidden = hidden(address);
    LIVE.with(|live| {
        if live.get(&hidden) != Some(&kind) {
            return Err(Failure::because(NETCLOCK_UNKNOWN_HANDLE, move |f| {
                write!(
                    f,
                    "{address:#x} is not a live {kind}: already destroyed, of another type, or never a handle"
                )
            }));
        }
        may_leave()?;
        live.remove(&hidden);
        if live.is_empty() {
            // Frees the map, so that a program which has destroyed all its handles leaks nothing.
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
        // Odd, so it is never the address of another test's handle.
        let unknown = |outcome: Outcome| outcome.err().map(|failure| failure.status().0);
        assert_eq!(enter(7, "a_kind"), Ok(()));
        assert_eq!(unknown(leave(7, "another_kind", || Ok(()))), Some(NETCLOCK_UNKNOWN_HANDLE));
        assert_eq!(unknown(leave(7, "a_kind", || Err(Failure::of(-9)))), Some(-9));
        assert_eq!(unknown(leave(7, "a_kind", || Ok(()))), None);
        assert_eq!(unknown(leave(7, "a_kind", || Ok(()))), Some(NETCLOCK_UNKNOWN_HANDLE));
    }
}
