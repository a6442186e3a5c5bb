//! What each call is made on: a client in sync, a server, a request under way, and room for outputs.

use core::ptr;
use std::panic::resume_unwind;

use super::super::{MILLISECOND, SECOND, client};
use crate::ffi::base::growable::Growable;
use crate::ffi::base::{handle, owned};
use crate::ffi::clock::client::event::{NetclockEvent, netclock_client_next_event};
use crate::ffi::clock::client::handle::*;
use crate::ffi::clock::client::reading::{NetclockReading, netclock_client_read};
use crate::ffi::clock::client::tap::NETCLOCK_UNKNOWN_TIME;
use crate::ffi::clock::exchange::messages::{NetclockReply, NetclockRequest};
use crate::ffi::clock::responder::handle::*;
use crate::ffi::game::watch::handle::*;
use crate::ffi::tests::statuses::{NETCLOCK_NO_EVENT, NETCLOCK_OK};

/// What outputs hold before a call.
const PATTERN: u64 = 0xA5A5_A5A5_A5A5_A5A5;
/// Eight-byte words of the largest output: more than any structure may have.
const WORDS: usize = 1024;

/// How far ahead the server's clock is.
pub(super) const AHEAD: i64 = 1000 * SECOND;

pub(super) struct Bench {
    pub(super) client: *mut NetclockClient,
    pub(super) server: *mut NetclockServer,
    /// With reports until `now`.
    pub(super) rate_watch: *mut NetclockRateWatch,
    /// The latest time the client was told.
    pub(super) now: i64,
    /// A request under way.
    pub(super) asked: NetclockRequest,
    asked_at: i64,
    /// A reply that was used.
    pub(super) used: NetclockReply,
    outputs: Box<[u64; WORDS]>,
    expected: Box<[u64; WORDS]>,
}

impl Bench {
    pub(super) fn new() -> Self {
        let mut server = ptr::null_mut();
        // SAFETY: `server` can be written.
        assert_eq!(unsafe { netclock_server_create(7, &raw mut server) }.0, NETCLOCK_OK);
        let mut bench = Bench {
            client: client(),
            server,
            rate_watch: rate_watch(),
            now: 0,
            asked: NetclockRequest::zero(),
            asked_at: 0,
            used: NetclockReply::zero(),
            outputs: Box::new([PATTERN; WORDS]),
            expected: Box::new([PATTERN; WORDS]),
        };
        for _ in 0..5 {
            bench.now += 100 * MILLISECOND;
            bench.ask();
            bench.used = bench.reply();
            bench.now += 20 * MILLISECOND;
            // SAFETY: a live client, and a whole reply.
            let status =
                unsafe { netclock_client_handle_reply(bench.client, &raw const bench.used, bench.now) };
            assert_eq!(status.0, NETCLOCK_OK);
        }
        bench.ask();
        while bench.has_news() {}
        for at in (0..60 * SECOND).step_by(SECOND as usize) {
            // SAFETY: a live watch.
            let status =
                unsafe { netclock_rate_watch_report(bench.rate_watch, at, at, NETCLOCK_UNKNOWN_TIME) };
            assert_eq!(status.0, NETCLOCK_OK);
        }
        bench
    }

    /// Sends a request now.
    pub(super) fn ask(&mut self) {
        // SAFETY: a live client, and room for a request.
        let status = unsafe { netclock_client_make_request(self.client, self.now, &raw mut self.asked) };
        assert_eq!(status.0, NETCLOCK_OK);
        self.asked_at = self.now;
    }

    /// A good reply to the request under way: 10 ms each way.
    pub(super) fn reply(&self) -> NetclockReply {
        let middle = self.asked_at + 10 * MILLISECOND + AHEAD;
        NetclockReply { id: self.asked.id, epoch: 7, received: middle, sent: middle, ..NetclockReply::zero() }
    }

    /// Room for an output.
    pub(super) fn out<T>(&mut self) -> *mut T {
        self.outputs.as_mut_ptr().cast()
    }

    /// Room for a structure that says it has `size` bytes.
    pub(super) fn sized<T>(&mut self, size: u32) -> *mut T {
        let head = PATTERN.to_ne_bytes();
        let mut word = size.to_ne_bytes().to_vec();
        word.extend_from_slice(&head[4..]);
        let word = u64::from_ne_bytes(word.try_into().expect("eight bytes"));
        (self.outputs[0], self.expected[0]) = (word, word);
        self.out()
    }

    pub(super) fn outputs_are_untouched(&self) -> bool {
        self.outputs == self.expected
    }

    /// What the client shows now, a second and a quarter of an hour later.
    pub(super) fn readings(&self) -> [NetclockReading; 3] {
        [0, 1, 1000].map(|seconds| {
            let mut reading = NetclockReading::zero();
            // SAFETY: a live client, and room for a reading of the size it states.
            let read =
                unsafe { netclock_client_read(self.client, self.now + seconds * SECOND, &raw mut reading) };
            assert_eq!(read.0, NETCLOCK_OK);
            reading
        })
    }

    /// What the watch is, to the last bit.
    pub(super) fn watched(&self) -> String {
        let mut state = String::new();
        // SAFETY: a live watch.
        unsafe {
            owned::change("a_test", self.rate_watch, |watch| {
                state = format!("{watch:?}");
                Ok(())
            })
        };
        state
    }

    /// Takes an event, if there is one.
    pub(super) fn has_news(&self) -> bool {
        let mut event = NetclockEvent::zero();
        // SAFETY: a live client, and room for an event of the size it states.
        let status = unsafe { netclock_client_next_event(self.client, &raw mut event) };
        status.0 != NETCLOCK_NO_EVENT
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // SAFETY: created by `new`, unless a test destroyed them, which is noticed.
        unsafe {
            netclock_client_destroy(self.client);
            netclock_server_destroy(self.server);
            netclock_rate_watch_destroy(self.rate_watch);
        }
    }
}

/// A client on which a call panicked.
pub(super) fn poisoned_client() -> *mut NetclockClient {
    let client = client();
    // SAFETY: a live client.
    unsafe { write("a_test", client, |_| resume_unwind(Box::new("poisoned"))) };
    client
}

/// A watch that was never told anything.
pub(super) fn rate_watch() -> *mut NetclockRateWatch {
    let mut watch = ptr::null_mut();
    // SAFETY: null means all defaults, and `watch` can be written.
    assert_eq!(unsafe { netclock_rate_watch_create(ptr::null(), &raw mut watch) }.0, NETCLOCK_OK);
    watch
}

/// A watch on which a call panicked.
pub(super) fn poisoned_rate_watch(watch: *mut NetclockRateWatch) -> *mut NetclockRateWatch {
    // SAFETY: the tests pass live watches.
    unsafe { owned::change("a_test", watch, |_| resume_unwind(Box::new("poisoned"))) };
    watch
}

/// A server on which a call panicked.
pub(super) fn poisoned_server(server: *mut NetclockServer) -> *mut NetclockServer {
    // SAFETY: the tests pass live servers.
    unsafe { handle::read("a_test", server, |_| resume_unwind(Box::new("poisoned"))) };
    server
}
