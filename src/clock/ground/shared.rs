//! A reference-counted value whose allocation may fail. The standard library's `Arc` would abort the process
//! if an allocation failed, because `Arc::try_new` is not stable. A game server that is out of memory must
//! only reject a player.

#![expect(unsafe_code, reason = "the owners share a pointer, and the last one frees it")]

use core::marker::PhantomData;
use core::ops::Deref;
use core::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

use crate::clock::ground::memory::{OutOfMemory, boxed};

/// Memory cannot hold this many owners, so this limit prevents an overflow of the counter.
const MOST_OWNERS: usize = usize::MAX / 2;

pub(crate) struct Shared<T> {
    place: NonNull<Place<T>>,
    owns: PhantomData<Place<T>>,
}

struct Place<T> {
    value: T,
    owners: AtomicUsize,
}

// SAFETY: owners on other threads only read the value, and the last owner drops it on its thread.
unsafe impl<T: Send + Sync> Send for Shared<T> {}
// SAFETY: as above, because a shared reference allows another thread to become an owner.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Result<Self, OutOfMemory> {
        let place = boxed(|| Ok::<_, OutOfMemory>(Place { value, owners: AtomicUsize::new(1) }))?;
        let place = NonNull::from(Box::leak(place)).cast();
        Ok(Shared { place, owns: PhantomData })
    }

    fn place(&self) -> &Place<T> {
        // SAFETY: the allocation lives until its last owner is dropped, and `self` is an owner.
        unsafe { self.place.as_ref() }
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.place().value
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        let before = self.place().owners.fetch_add(1, Ordering::Relaxed);
        assert!(before < MOST_OWNERS, "owners were leaked");
        Shared { place: self.place, owns: PhantomData }
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        if self.place().owners.fetch_sub(1, Ordering::Release) != 1 {
            return;
        }
        // All accesses by other owners must happen before the drop.
        fence(Ordering::Acquire);
        let one: *mut [Place<T>; 1] = self.place.as_ptr().cast();
        // SAFETY: `new` leaked this box, and this was its last owner.
        drop(unsafe { Box::from_raw(one) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cell::Cell;

    struct Noted<'a>(&'a Cell<u32>);

    impl Drop for Noted<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    #[test]
    fn the_last_owner_drops_the_value_once() -> Result<(), OutOfMemory> {
        let dropped = Cell::new(0);
        let first = Shared::new(Noted(&dropped))?;
        let (second, third) = (first.clone(), first.clone());
        drop((first, third));
        assert_eq!((dropped.get(), second.0.get()), (0, 0));
        drop(second);
        assert_eq!(dropped.get(), 1);
        Ok(())
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "owners on several threads are what is tested here")]
    fn owners_on_other_threads_are_counted() -> Result<(), OutOfMemory> {
        let shared = Shared::new(AtomicUsize::new(0))?;
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let own = shared.clone();
                scope.spawn(move || {
                    for _ in 0..1000 {
                        own.clone().fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(shared.load(Ordering::Relaxed), 4000);
        assert_eq!(shared.place().owners.load(Ordering::Relaxed), 1);
        Ok(())
    }
}
