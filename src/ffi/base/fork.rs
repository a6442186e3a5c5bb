//! Detects forks. A child process inherits its parent's handles, but not the parent's other threads.
//!
//! If another thread held a handle's lock during the fork, no thread in the child can release it. The child
//! would also draw the same random numbers as its parent. The child may therefore read and destroy inherited
//! handles but not modify them. A handler increments the fork counter in each child before `fork` returns.

#[cfg(unix)]
pub(crate) use counted::{count, watch};
#[cfg(not(unix))]
pub(crate) use never::{count, watch};

#[cfg(unix)]
mod counted {
    use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    use super::super::registry::LIVE;
    use crate::clock::for_parts::OutOfMemory;

    static FORKS: AtomicU32 = AtomicU32::new(0);
    static WATCHED: AtomicBool = AtomicBool::new(false);

    #[inline]
    pub(crate) fn count() -> u32 {
        FORKS.load(Ordering::Relaxed)
    }

    pub(crate) fn watch() -> Result<(), OutOfMemory> {
        if WATCHED.load(Ordering::Relaxed) || WATCHED.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        // SAFETY: the three handlers only acquire or release a lock and increment a counter. They never
        // allocate.
        let failed = unsafe { libc::pthread_atfork(Some(prepare), Some(parent), Some(child)) };
        if failed == 0 {
            return Ok(());
        }
        WATCHED.store(false, Ordering::Relaxed);
        Err(OutOfMemory)
    }

    extern "C" fn prepare() {
        LIVE.lock();
    }

    extern "C" fn parent() {
        LIVE.unlock();
    }

    extern "C" fn child() {
        FORKS.fetch_add(1, Ordering::Relaxed);
        LIVE.unlock();
    }
}

#[cfg(not(unix))]
mod never {
    use crate::clock::for_parts::OutOfMemory;

    #[inline]
    pub(crate) const fn count() -> u32 {
        0
    }

    pub(crate) fn watch() -> Result<(), OutOfMemory> {
        Ok(())
    }
}
