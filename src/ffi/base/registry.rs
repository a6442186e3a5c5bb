//! The handles that are alive, so that destroying anything else is noticed without looking at it.
//!
//! Only creating and destroying a handle come here. Checking every call would cost more than a read of the
//! clock. Freed memory is used again, so a pointer that is destroyed twice may by then be another live
//! handle.
//!
//! Both take the same time however many handles there are. The lock is held for no longer than that, so
//! waiting for it is a loop. A process may be forked meanwhile; see `fork.rs`.

use core::cell::UnsafeCell;
use core::hash::BuildHasherDefault;
use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::HashMap;

use siphasher::sip::SipHasher24;

use super::failure::{Failure, Outcome};
use super::status::NETCLOCK_UNKNOWN_HANDLE;
use crate::clock::for_parts::OutOfMemory;

/// Failed attempts to take a lock before the thread lets others run.
const SPINS: u32 = 64;

static LIVE: Live = Live::new();

/// Live handles by what stands for their address, with their kind.
type Handles = HashMap<usize, &'static str, BuildHasherDefault<SipHasher24>>;

/// The handles, under a lock.
struct Live {
    locked: AtomicBool,
    handles: UnsafeCell<Handles>,
}

// SAFETY: the handles are reached through `with` only, which holds the lock.
unsafe impl Sync for Live {}

impl Live {
    const fn new() -> Self {
        let handles = HashMap::with_hasher(BuildHasherDefault::new());
        Live { locked: AtomicBool::new(false), handles: UnsafeCell::new(handles) }
    }

    fn lock(&self) {
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

    fn unlock(&self) {
        self.locked.store(false, Ordering::Release);
    }

    /// Runs `body` on the handles, alone. It must not panic, and must not come here again.
    fn with<T>(&self, body: impl FnOnce(&mut Handles) -> T) -> T {
        self.lock();
        // SAFETY: the thread that holds the lock is alone with them.
        let result = body(unsafe { &mut *self.handles.get() });
        self.unlock();
        result
    }
}

/// What stands for an address: each bit inverted. To a leak checker, plain addresses would look like pointers
/// in use, and would hide every handle that nobody destroys.
fn hidden(address: usize) -> usize {
    !address
}

/// A handle was created.
pub(crate) fn enter(address: usize, kind: &'static str) -> Result<(), OutOfMemory> {
    let hidden = hidden(address);
    LIVE.with(|live| {
        live.try_reserve(1).map_err(|_| OutOfMemory)?;
        live.insert(hidden, kind);
        Ok(())
    })
}

/// The handle of this kind is about to be destroyed, if `may_leave` agrees; it is asked only about a live
/// one.
pub(crate) fn leave(address: usize, kind: &'static str, may_leave: impl FnOnce() -> Outcome) -> Outcome {
    let hidden = hidden(address);
    LIVE.with(|live| {
        if live.get(&hidden) != Some(&kind) {
            return Err(Failure::because(NETCLOCK_UNKNOWN_HANDLE, move |f| {
                write!(f, "{address:#x} is no live {kind}: destroyed before, of another kind, or no handle")
            }));
        }
        may_leave()?;
        live.remove(&hidden);
        if live.is_empty() {
            // So that a program which destroyed all it created leaks nothing.
            *live = HashMap::default();
        }
        Ok(())
    })
}

/// Takes the lock, so that a fork finds a whole map.
#[cfg(unix)]
pub(crate) fn lock() {
    LIVE.lock();
}

/// Gives it back, in the parent and in the child.
#[cfg(unix)]
pub(crate) fn unlock() {
    LIVE.unlock();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_live_from_enter_to_leave() {
        // Of no memory: odd, and so no handle of another test.
        let unknown = |outcome: Outcome| outcome.err().map(|failure| failure.status().0);
        assert_eq!(enter(7, "a_kind"), Ok(()));
        assert_eq!(unknown(leave(7, "another_kind", || Ok(()))), Some(NETCLOCK_UNKNOWN_HANDLE));
        assert_eq!(unknown(leave(7, "a_kind", || Err(Failure::of(-9)))), Some(-9));
        assert_eq!(unknown(leave(7, "a_kind", || Ok(()))), None);
        assert_eq!(unknown(leave(7, "a_kind", || Ok(()))), Some(NETCLOCK_UNKNOWN_HANDLE));
    }
}
