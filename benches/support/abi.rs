//! Calls the C ABI through its symbols, so that nothing is inlined, as in a C program.

use core::ffi::c_void;
use core::mem;
use core::ptr;

use netclock::c::*;

pub(crate) use netclock::c::{
    NetclockReading as Reading, NetclockReply as Reply, NetclockRequest as Request,
};

pub(crate) const DATAGRAM: usize = 32;

pub(crate) fn sized<T>() -> T {
    // SAFETY: all fields are plain numbers, and the first field is the structure's size.
    unsafe {
        let mut value: T = mem::zeroed();
        ptr::from_mut(&mut value).cast::<u32>().write(size_of::<T>() as u32);
        value
    }
}

pub(crate) fn request(id: u64, client_time: i64) -> Request {
    Request { id, client_time, ..sized() }
}

/// Returns a reply from a server that answers without delay.
pub(crate) fn reply(id: u64, epoch: u64, stamp: i64) -> Reply {
    Reply { id, epoch, received: stamp, sent: stamp, ..sized() }
}

/// A client that threads may share, according to the header.
#[derive(Debug)]
pub(crate) struct Client(*mut c_void);

// SAFETY: the header allows reading from any thread and serialises the calls that write.
unsafe impl Sync for Client {}
// SAFETY: the handle is not tied to a thread.
unsafe impl Send for Client {}

pub(crate) fn monotonic_now() -> i64 {
    // SAFETY: the function has no parameters and may be called from any thread.
    unsafe { netclock_monotonic_now() }
}

#[inline]
fn filled<T>(mut value: T, call: impl FnOnce(*mut T) -> i32) -> T {
    let status = call(&raw mut value);
    debug_assert_eq!(status, NETCLOCK_OK);
    value
}

impl Client {
    pub(crate) fn new() -> Self {
        // SAFETY: a null configuration means the default, and the handle is writable.
        let client = filled(ptr::null_mut(), |to| unsafe { netclock_client_create(ptr::null(), 1, 2, to) });
        assert!(!client.is_null(), "creating a client");
        Client(client)
    }

    #[inline]
    pub(crate) fn tick(&self, now: i64) -> bool {
        let mut request: Request = sized();
        // SAFETY: the handle is alive, and `request` is writable.
        let status = unsafe { netclock_client_tick(self.0, now, (&raw mut request).cast()) };
        debug_assert!(status == NETCLOCK_OK || status == NETCLOCK_NOTHING_DUE, "{status}");
        status == NETCLOCK_OK
    }

    #[inline]
    pub(crate) fn make_request(&self, now: i64) -> Request {
        // SAFETY: the handle is alive, and the request is writable.
        filled(sized(), |to: *mut Request| unsafe { netclock_client_make_request(self.0, now, to.cast()) })
    }

    #[inline]
    pub(crate) fn handle_reply(&self, reply: &Reply, arrived: i64) -> i32 {
        // SAFETY: the handle is alive, and `reply` is readable.
        unsafe { netclock_client_handle_reply(self.0, ptr::from_ref(reply).cast(), arrived) }
    }

    #[inline]
    pub(crate) fn update_server_time(&self, server_time: i64, now: i64, round_trip: i64) -> i32 {
        let sent = now - round_trip;
        // SAFETY: the handle is alive.
        unsafe { netclock_client_handle_exchange(self.0, sent, server_time, server_time, now, 0, 0, 0) }
    }

    #[inline]
    pub(crate) fn current_server_time(&self, now: i64) -> i64 {
        // SAFETY: the handle is alive, and the time is writable.
        filled(0, |to| unsafe { netclock_client_current_server_time(self.0, now, to) })
    }

    #[inline]
    pub(crate) fn read(&self, now: i64) -> Reading {
        // SAFETY: the handle is alive, and the reading has the stated size.
        filled(sized(), |to: *mut Reading| unsafe { netclock_client_read(self.0, now, to.cast()) })
    }

    #[inline]
    pub(crate) fn local_time_at(&self, server_time: i64) -> i64 {
        // SAFETY: the handle is alive, and the time is writable.
        filled(0, |to| unsafe { netclock_client_local_time_at(self.0, server_time, to) })
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // SAFETY: the handle was created in `new`, is destroyed once, and is not borrowed.
        let status = unsafe { netclock_client_destroy(self.0) };
        debug_assert_eq!(status, NETCLOCK_OK);
    }
}

#[derive(Debug)]
pub(crate) struct Server(*mut c_void);

impl Server {
    pub(crate) fn new(epoch: u64) -> Self {
        // SAFETY: the handle is writable.
        let server = filled(ptr::null_mut(), |to| unsafe { netclock_server_create(epoch, to) });
        assert!(!server.is_null(), "creating a server");
        Server(server)
    }

    /// Also decodes the request's datagram and encodes the reply.
    #[inline]
    pub(crate) fn answer(&self, datagram: &[u8; DATAGRAM], received: i64, sent: i64) -> [u8; DATAGRAM] {
        let (mut request, mut reply, mut answer) = (sized::<Request>(), sized::<Reply>(), [0; DATAGRAM]);
        // SAFETY: the handle is alive, and every pointer points to a complete value of its type.
        let statuses = unsafe {
            [
                netclock_decode_request(datagram.as_ptr().cast(), DATAGRAM, (&raw mut request).cast()),
                netclock_server_respond(
                    self.0,
                    (&raw const request).cast(),
                    received,
                    sent,
                    (&raw mut reply).cast(),
                ),
                netclock_encode_reply((&raw const reply).cast(), answer.as_mut_ptr().cast(), DATAGRAM),
            ]
        };
        debug_assert_eq!(statuses, [NETCLOCK_OK; 3]);
        answer
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // SAFETY: the handle was created in `new` and is destroyed once.
        let status = unsafe { netclock_server_destroy(self.0) };
        debug_assert_eq!(status, NETCLOCK_OK);
    }
}

pub(crate) fn encode(request: &Request) -> [u8; DATAGRAM] {
    let mut datagram = [0; DATAGRAM];
    // SAFETY: both pointers point to complete values.
    let status = unsafe {
        netclock_encode_request(ptr::from_ref(request).cast(), datagram.as_mut_ptr().cast(), DATAGRAM)
    };
    assert_eq!(status, NETCLOCK_OK, "encoding a request");
    datagram
}
