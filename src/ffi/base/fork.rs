//! Forked processes: the child has the handles of its parent, but none of the parent's other threads.
//!
//! A thread that held a handle's lock is not there to give it back. The child would also draw the same random
//! numbers as the parent. So the child may read what it inherited and destroy it, and must not change it. It
//! knows by a count of forks, which the system has incremented in each child before `fork` returns there.

#[cfg(unix)]
pub(crate) use counted::{count, watch};
#[cfg(not(unix))]
pub(crate) use never::{count, watch};

#[cfg(unix)]
mod counted {
    use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    use super::super::registry;
    use crate::clock::for_parts::OutOfMemory;

    static FORKS: AtomicU32 = AtomicU32::new(0);
    static WATCHED: AtomicBool = AtomicBool::new(false);

    /// How many forks lie between this process and the one that loaded the library.
    #[inline]
    pub(crate) fn count() -> u32 {
        FORKS.load(Ordering::Relaxed)
    }

    /// Has forks counted from now on. Only the first call does anything.
    pub(crate) fn watch() -> Result<(), OutOfMemory> {
        if WATCHED.load(Ordering::Relaxed) || WATCHED.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        // SAFETY: the three take and give back a lock of the library, and count; nothing of it allocates.
        let failed = unsafe { libc::pthread_atfork(Some(prepare), Some(parent), Some(child)) };
        if failed == 0 {
            return Ok(());
        }
        WATCHED.store(false, Ordering::Relaxed);
        Err(OutOfMemory)
    }

    extern "C" fn prepare() {
        registry::lock();
    }

    extern "C" fn parent() {
        registry::unlock();
    }

    extern "C" fn child() {
        FORKS.fetch_add(1, Ordering::Relaxed);
        registry::unlock();
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
