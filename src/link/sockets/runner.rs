//! The life cycle of a thread: started once, stopped from any thread, never leaked.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle, ThreadId};

use parking_lot::Mutex;

use super::NetError;
use super::waker::Waker;
use crate::clock::for_parts::Shared;

/// Whether a thread has to end.
#[derive(Clone)]
pub(super) struct Stop {
    flag: Shared<AtomicBool>,
    waker: Waker,
}

impl Stop {
    pub(super) fn new() -> Result<Self, NetError> {
        Ok(Stop { flag: Shared::new(AtomicBool::new(false))?, waker: Waker::new()? })
    }

    pub(super) fn is_set(&self) -> bool {
        self.flag.load(Ordering::Acquire)
    }

    pub(super) fn waker(&self) -> &Waker {
        &self.waker
    }

    fn set(&self) {
        self.flag.store(true, Ordering::Release);
        self.waker.wake();
    }
}

/// Work that is repeated until it is stopped.
pub(super) trait Work: Send + 'static {
    /// Performs the work that is due, without waiting.
    fn step(&mut self);

    /// Waits until work may be due, or until the waker ends the wait.
    fn wait(&self);
}

/// Work on its own thread, or polled by the caller.
pub(super) struct Runner {
    stop: Stop,
    /// `None` if there is a thread, or after the end.
    polled: Mutex<Option<Box<dyn Work>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// The process that started it. A forked child does not have the thread.
    process: u32,
    thread_id: Option<ThreadId>,
}

impl Runner {
    /// Runs `work`, on a thread with this name if there is one.
    pub(super) fn start(
        mut work: Box<dyn Work>,
        stop: Stop,
        thread_name: Option<&str>,
    ) -> Result<Self, NetError> {
        let (thread, polled) = match thread_name {
            Some(name) => {
                let stop = stop.clone();
                let run = move || {
                    while !stop.is_set() {
                        work.step();
                        work.wait();
                    }
                };
                (Some(spawn(name, Box::new(run)).map_err(|_| NetError::Thread)?), None)
            }
            None => (None, Some(work)),
        };
        Ok(Runner {
            thread_id: thread.as_ref().map(|thread| thread.thread().id()),
            stop,
            polled: Mutex::new(polled),
            thread: Mutex::new(thread),
            process: std::process::id(),
        })
    }

    /// Performs the work that is due if there is no thread. Returns false if there is one.
    pub(super) fn poll(&self) -> bool {
        let mut polled = self.polled.lock();
        let Some(work) = &mut *polled else { return false };
        work.step();
        true
    }

    /// Ends the work and waits for its thread, unless this is that thread. Further calls do nothing.
    pub(super) fn stop(&self) {
        if self.process != std::process::id() {
            // The thread belongs to the parent and continues there.
            core::mem::forget(self.thread.lock().take());
            return;
        }
        self.stop.set();
        drop(self.polled.lock().take());
        // The first `thread::current` of a thread allocates, so call it only if there is a thread.
        if self.thread_id.is_some_and(|id| id == thread::current().id()) {
            return;
        }
        // Under the lock, so that a second caller waits, too.
        let mut running = self.thread.lock();
        if let Some(thread) = running.take() {
            // A panic there has ended it as well.
            let _ = thread.join();
        }
    }
}

/// Starts a thread with this name. A single function for all threads, because the standard library's takes
/// kilobytes for each closure.
#[expect(clippy::disallowed_methods, reason = "this room has the library's threads")]
pub(super) fn spawn(name: &str, body: Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(body)
}
