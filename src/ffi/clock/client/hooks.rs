//! A client's callbacks. No lock is held while they run, so they may call any function.

use core::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};

use parking_lot::{Mutex, MutexGuard};

use crate::clock::for_parts::parts;
use crate::clock::{Client, Sample};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::report::log::{self, Log};
use crate::ffi::clock::report::tap::{NetclockSample, Tap};

/// A call causes at most a local step or gap, two degradations, a recovery, and a jump of the shown time.
const EVENTS: usize = 8;

/// A separate lock allows callbacks to be set, and to report panics, while a call holds the client's lock.
#[derive(Default)]
pub(crate) struct Hooks {
    /// Every call checks these two before it acquires the lock.
    level: AtomicI32,
    tapped: AtomicBool,
    set: Mutex<Set>,
    running: AtomicU32,
}

#[derive(Default)]
struct Set {
    log: Option<Log>,
    tap: Option<Tap>,
}

impl Hooks {
    pub(crate) fn set_log(&self, log: Option<Log>) {
        let mut set = self.set.lock();
        self.level.store(log.map_or(0, |log| log.max_level), Ordering::Relaxed);
        set.log = log;
    }

    pub(crate) fn set_tap(&self, tap: Option<Tap>) {
        let mut set = self.set.lock();
        self.tapped.store(tap.is_some(), Ordering::Relaxed);
        set.tap = tap;
    }

    pub(crate) fn are_running(&self) -> bool {
        self.running.load(Ordering::Relaxed) > 0
    }

    #[inline]
    pub(crate) fn are_set(&self) -> bool {
        self.level.load(Ordering::Relaxed) > 0 || self.tapped.load(Ordering::Relaxed)
    }

    /// Unlocks the client before it runs the callbacks, so that they may use it. `collided` means that the
    /// call had to wait for another thread.
    #[cold]
    pub(crate) fn report(
        &self,
        name: &'static str,
        outcome: &Outcome,
        client: MutexGuard<'_, Client>,
        (events_before, samples_before): (u64, u64),
        collided: bool,
    ) {
        let (mut events, mut sample) = ([None; EVENTS], None);
        // A call that panicked may have left the client in an inconsistent state.
        if !matches!(outcome, Err(Failure::Panicked(_))) {
            for (kept, event) in events.iter_mut().zip(parts(&client).events.since(events_before)) {
                *kept = Some(event);
            }
            sample = client.last_sample().filter(|_| parts(&client).sample_count != samples_before).copied();
        }
        drop(client);
        if let Some(sample) = &sample {
            self.tap(sample);
        }
        if collided {
            self.log(log::collision(name));
        }
        for event in events.iter().flatten() {
            if let Some(message) = log::event(event) {
                self.log(message);
            }
        }
        let refused = sample.is_some_and(|sample| sample.outcome.is_err());
        if let Some(message) = log::outcome(name, outcome, refused) {
            self.log(message);
        }
    }

    fn tap(&self, sample: &Sample) {
        let Some(tap) = self.set.lock().tap else { return };
        self.call(|| tap.call(&NetclockSample::of(sample)));
    }

    fn log(&self, message: log::Message<'_>) {
        // A callback may replace itself and free its data, so load it for each message.
        let Some(log) = self.set.lock().log else { return };
        if message.level <= log.max_level {
            self.call(|| log.call(&message));
        }
    }

    fn call(&self, callback: impl FnOnce()) {
        self.running.fetch_add(1, Ordering::Relaxed);
        let _panicked = catch_unwind(AssertUnwindSafe(callback));
        self.running.fetch_sub(1, Ordering::Relaxed);
    }
}
