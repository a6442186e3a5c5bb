//! The handles that are alive, so that destroying anything else is noticed without looking at it.
//!
//! Only creating and destroying a handle come here. Checking every call would cost more than a read of the clock.
//! Freed memory is used again, so a pointer that is destroyed twice may by then be another live handle.

use parking_lot::Mutex;

use super::failure::{Failure, Outcome};
use super::status::NETCLOCK_UNKNOWN_HANDLE;

/// Every live handle, in the order of what stands for it, and its kind.
static LIVE: Mutex<Vec<(usize, &'static str)>> = Mutex::new(Vec::new());

/// What stands for an address: each bit inverted. To a leak checker, plain addresses would look like pointers in use,
/// and would hide every handle that nobody destroys.
fn hidden(address: usize) -> usize {
    !address
}

/// A handle was created.
pub(crate) fn enter(address: usize, kind: &'static str) {
    let hidden = hidden(address);
    let mut live = LIVE.lock();
    let place = live.partition_point(|&(other, _)| other < hidden);
    live.insert(place, (hidden, kind));
}

/// The handle of this kind is about to be destroyed, if `may_leave` agrees; it is asked only about a live one.
pub(crate) fn leave(address: usize, kind: &'static str, may_leave: impl FnOnce() -> Outcome) -> Outcome {
    let hidden = hidden(address);
    let mut live = LIVE.lock();
    let place = live.partition_point(|&(other, _)| other < hidden);
    if live.get(place) != Some(&(hidden, kind)) {
        return Err(Failure::because(NETCLOCK_UNKNOWN_HANDLE, move |f| {
            write!(f, "{address:#x} is no live {kind}: destroyed before, of another kind, or no handle")
        }));
    }
    may_leave()?;
    live.remove(place);
    if live.is_empty() {
        // So that a program which destroyed all it created leaks nothing.
        *live = Vec::new();
    }
    Ok(())
}
