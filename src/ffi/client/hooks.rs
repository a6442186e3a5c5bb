//! A client's callbacks, and how they are called: with nothing locked, so that they may call anything.

use core::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};

use parking_lot::Mutex;

use crate::client::{Client, Event, Sample};
use crate::ffi::base::failure::Outcome;
use crate::ffi::client::log::{self, Log};
use crate::ffi::client::tap::{NetclockSample, Tap};

/// More events than one call can cause: a local step or gap, two degradations, a recovery, what is shown.
const EVENTS: usize = 8;

/// What happened in a call, as far as a callback wants it.
pub(crate) struct News {
    log: bool,
    tap: bool,
    /// Another thread was changing the client.
    pub(crate) collided: bool,
    sample: Option<Sample>,
    /// The exchange was refused.
    refused: bool,
    events: Option<[Option<Event>; EVENTS]>,
}

impl News {
    #[inline]
    pub(crate) fn is_wanted(&self) -> bool {
        self.log || self.tap
    }

    #[inline]
    pub(crate) fn keep_sample(&mut self, sample: &Sample) {
        self.refused = sample.outcome.is_err();
        if self.tap {
            self.sample = Some(*sample);
        }
    }

    /// Keeps what came after the first `before` events.
    pub(crate) fn keep_events(&mut self, client: &Client, before: u64) {
        if self.log && client.event_count() != before {
            let mut events = [None; EVENTS];
            for (kept, event) in events.iter_mut().zip(client.events_since(before)) {
                *kept = Some(event);
            }
            self.events = Some(events);
        }
    }
}

/// A client's callbacks. They have a lock of their own: they can be set while the client is used, and get panics.
#[derive(Default)]
pub(crate) struct Hooks {
    /// Largest level that is wanted, and whether samples are. Calls without a listener look at no more than this.
    level: AtomicI32,
    tapped: AtomicBool,
    set: Mutex<Set>,
    /// Callbacks that have not returned.
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

    /// No news yet.
    #[inline]
    pub(crate) fn news(&self) -> News {
        let (log, tap) = (self.level.load(Ordering::Relaxed) > 0, self.tapped.load(Ordering::Relaxed));
        News { log, tap, collided: false, sample: None, refused: false, events: None }
    }

    /// Reports a call that has ended.
    #[cold]
    #[inline(never)]
    pub(crate) fn tell(&self, name: &'static str, outcome: &Outcome, news: &News) {
        if let Some(sample) = &news.sample {
            self.tap(&NetclockSample::of(sample));
        }
        if !news.log {
            return;
        }
        if news.collided {
            self.log(log::collision(name));
        }
        for event in news.events.iter().flatten().flatten() {
            if let Some(message) = log::event(event) {
                self.log(message);
            }
        }
        if let Some(message) = log::outcome(name, outcome, news.refused) {
            self.log(message);
        }
    }

    fn tap(&self, sample: &NetclockSample) {
        let Some(tap) = self.set.lock().tap else { return };
        self.call(|| tap.call(sample));
    }

    fn log(&self, message: log::Message<'_>) {
        // Looked up for each message: a callback may set another one and free what this one needs.
        let Some(log) = self.set.lock().log else { return };
        if message.level <= log.max_level {
            self.call(|| log.call(&message));
        }
    }

    fn call(&self, callback: impl FnOnce()) {
        self.running.fetch_add(1, Ordering::Relaxed);
        // A panic of a callback written in Rust ends here. It does not affect the clock.
        let _panicked = catch_unwind(AssertUnwindSafe(callback));
        self.running.fetch_sub(1, Ordering::Relaxed);
    }
}
