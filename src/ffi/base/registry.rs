//! The handles that are alive, so that destroying anything else is noticed without looking at it.
//!
//! Only creating and destroying a handle come here. Checking every call would cost more than a read of the
//! clock. Freed memory is used again, so a pointer that is destroyed twice may by then be another live
//! handle.
//!
//! Both take the same time however many handles there are. The handles are divided into shares, each with a
//! lock of its own: threads that create handles at once seldom meet, and one that has to make room holds up
//! few others. The locks are held for no longer than that, so waiting for one is a loop. A process may be
//! forked meanwhile; see `fork.rs`.

use core::cell::UnsafeCell;
use core::hash::{BuildHasherDefault, Hasher};
use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::HashMap;

use super::failure::{Failure, Outcome};
use super::status::NETCLOCK_UNKNOWN_HANDLE;
use crate::clock::for_parts::OutOfMemory;
use crate::clock::for_parts::index::spread;

/// A power of two.
const SHARES: usize = 16;

/// Failed attempts to take a lock before the thread lets others run.
const SPINS: u32 = 64;

static LIVE: [Share; SHARES] = [const { Share::new() }; SHARES];

/// Live handles by what stands for their address, with their kind.
type Handles = HashMap<usize, &'static str, BuildHasherDefault<Spread>>;

/// Some of the handles, under a lock.
struct Share {
    locked: AtomicBool,
    handles: UnsafeCell<Handles>,
}

// SAFETY: the handles are reached through `with` only, which holds the lock.
unsafe impl Sync for Share {}

impl Share {
    const fn new() -> Self {
        let handles = HashMap::with_hasher(BuildHasherDefault::new());
        Share { locked: AtomicBool::new(false), handles: UnsafeCell::new(handles) }
    }

    fn of(hidden: usize) -> &'static Self {
        &LIVE[share(hidden)]
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

/// The share of a handle: the highest bits.
fn share(hidden: usize) -> usize {
    (spread(hidden as u64) >> (u64::BITS - SHARES.ilog2())) as usize
}

/// The place of a handle within its share: bits below those, which the map takes from the low end.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_usize(usize::from(byte)));
    }

    fn write_usize(&mut self, number: usize) {
        // The highest bits are alike in a share, and the map looks at them, too.
        self.0 = spread(number as u64 ^ self.0).rotate_left(SHARES.ilog2());
    }

    fn finish(&self) -> u64 {
        self.0
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
    Share::of(hidden).with(|live| {
        live.try_reserve(1).map_err(|_| OutOfMemory)?;
        live.insert(hidden, kind);
        Ok(())
    })
}

/// The handle of this kind is about to be destroyed, if `may_leave` agrees; it is asked only about a live
/// one.
pub(crate) fn leave(address: usize, kind: &'static str, may_leave: impl FnOnce() -> Outcome) -> Outcome {
    let hidden = hidden(address);
    Share::of(hidden).with(|live| {
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

/// Takes all locks, so that a fork finds whole shares.
#[cfg(unix)]
pub(crate) fn lock_all() {
    LIVE.iter().for_each(Share::lock);
}

/// Gives them back, in the parent and in the child.
#[cfg(unix)]
pub(crate) fn unlock_all() {
    LIVE.iter().for_each(Share::unlock);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_spread_over_shares_and_within_them() {
        let shares: Vec<usize> = (0..1024).map(|i| share(!(0x7F00_0000_1000 + i * 16))).collect();
        for share in 0..SHARES {
            let count = shares.iter().filter(|&&of| of == share).count();
            assert!((32..128).contains(&count), "share {share} has {count} of 1024");
        }
        let buckets: std::collections::BTreeSet<u64> = (0..256)
            .map(|i| {
                let mut spread = Spread::default();
                spread.write_usize(!(0x7F00_0000_1000 + i * 6720));
                spread.finish() % 256
            })
            .collect();
        assert!(buckets.len() > 128, "256 handles in {} buckets of 256", buckets.len());
    }

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
