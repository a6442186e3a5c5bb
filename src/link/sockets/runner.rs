//! Runs a link's thread, which can always be stopped and never leaks.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle, ThreadId};

use parking_lot::Mutex;

use super::NetError;
use super::waker::Waker;
use crate::clock::for_parts::Shared;
use crate::link::DATAGRAM;

pub(super) const AT_ONCE: usize = 256;

/// Buffers are larger than a link datagram, so that longer datagrams are detected.
pub(super) const BUFFER: usize = DATAGRAM + 8;

#[derive(Clone)]
pub(super) struct Stop {
    flag: Shared<AtomicBool>,
    pub(super) waker: Waker,
}

impl Stop {
    pub(super) fn new() -> Result<Self, NetError> {
        Ok(Stop { flag: Shared::new(AtomicBool::new(false))?, waker: Waker::new()? })
    }

    fn set(&self) {
        self.flag.store(true, Ordering::Release);
        self.waker.wake();
    }
}

pub(super) trait Work: Send + 'static {
    fn step(&mut self);

    fn wait(&self);
}

pub(super) struct Runner {
    stop: Stop,
    polled: Mutex<Option<Box<dyn Work>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// The process that started the thread. A forked child has no such thread.
    process: u32,
    thread_id: Option<ThreadId>,
}

impl Runner {
    /// Starts no thread if `thread_name` is `None`, in which case the caller must poll.
    pub(super) fn start(
        mut work: Box<dyn Work>,
        stop: Stop,
        thread_name: Option<&str>,
    ) -> Result<Self, NetError> {
        let (thread, polled) = match thread_name {
            Some(name) => {
                let stop = stop.clone();
                let run = move || {
                    while !stop.flag.load(Ordering::Acquire) {
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

    /// Waits for the work's thread to end, unless called from that thread. Later calls have no effect.
    pub(super) fn stop(&self) {
        if self.process != std::process::id() {
            // The thread belongs to the parent process and keeps running there.
            core::mem::forget(self.thread.lock().take());
            return;
        }
        self.stop.set();
        drop(self.polled.lock().take());
        // Avoid `thread::current` if possible, because it allocates when a thread first calls it.
        if self.thread_id.is_some_and(|id| id == thread::current().id()) {
            return;
        }
        // Hold the lock while joining, so that concurrent callers wait as well.
        let mut running = self.thread.lock();
        if let Some(thread) = running.take() {
            // An error means that the thread panicked, so it has ended as well.
            let _ = thread.join();
        }
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Takes a boxed closure, because each instance of the standard library's generic function adds kilobytes of
/// code.
#[expect(clippy::disallowed_methods, reason = "only this function starts threads")]
pub(super) fn spawn(name: &str, body: Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(body)
}
