//! Runs the link's thread. It starts once, can be stopped from any thread, and is never leaked.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle, ThreadId};

use parking_lot::Mutex;

use super::NetError;
use super::waker::Waker;
use crate::clock::for_parts::Shared;
use crate::link::DATAGRAM;

/// Maximum number of datagrams to handle before doing other work and checking whether to stop.
pub(super) const AT_ONCE: usize = 256;

/// Size of the receive buffer. It is larger than a link datagram, so that longer datagrams are detected.
pub(super) const BUFFER: usize = DATAGRAM + 8;

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
    /// Does the work that is due, without waiting.
    fn step(&mut self);

    /// Waits until work may be due, or until the waker is notified.
    fn wait(&self);
}

/// Runs work on its own thread, or when the caller polls.
pub(super) struct Runner {
    stop: Stop,
    /// The work to poll, or `None` if there is a thread or the work was stopped.
    polled: Mutex<Option<Box<dyn Work>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// The process that started the thread. A forked child process does not have this thread.
    process: u32,
    thread_id: Option<ThreadId>,
}

impl Runner {
    /// Runs `work` on a thread with this name. Without a name, the caller polls.
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

    pub(super) fn poll(&self) -> bool {
        let mut polled = self.polled.lock();
        let Some(work) = &mut *polled else { return false };
        work.step();
        true
    }

    /// Stops the work and, unless called on its thread, waits until the thread has ended. Further calls do
    /// nothing.
    pub(super) fn stop(&self) {
        if self.process != std::process::id() {
            // The thread belongs to the parent process and continues there.
            core::mem::forget(self.thread.lock().take());
            return;
        }
        self.stop.set();
        drop(self.polled.lock().take());
        // The first call of `thread::current` on a thread allocates, so call it only if necessary.
        if self.thread_id.is_some_and(|id| id == thread::current().id()) {
            return;
        }
        // Hold the lock while joining, so that a second caller waits as well.
        let mut running = self.thread.lock();
        if let Some(thread) = running.take() {
            // A thread that panicked has ended as well.
            let _ = thread.join();
        }
    }
}

/// Starts a thread with this name. The closure is boxed because each instance of the standard library's
/// generic function adds kilobytes of code.
#[expect(clippy::disallowed_methods, reason = "only this function starts threads")]
pub(super) fn spawn(name: &str, body: Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(body)
}
