use core::ffi::{CStr, c_char};

use crate::ffi::base::prelude::*;
use crate::ffi::link::status::NETCLOCK_BAD_ADDRESS;
use crate::link::DATAGRAM;

/// Link flag: the link has no thread. Call the link's `_poll` function every frame.
pub const NETCLOCK_LINK_POLLED: u32 = 1;
/// Link flag: the link's thread timestamps arrivals, even if the kernel could. Use this to compare the two.
pub const NETCLOCK_LINK_THREAD_STAMPS: u32 = 2;
/// Link flag: the link has neither a socket nor a thread. The caller transports and timestamps its datagrams
/// with `netclock_link_client_due`, `netclock_link_client_handle` and `netclock_link_server_answer`. Use this
/// flag on systems whose sockets this library does not support.
pub const NETCLOCK_LINK_CARRIED: u32 = 8;
/// Link flag: the link does not mark its datagrams. Without this flag, time requests and their replies carry
/// DSCP 45 for non-queue-building traffic (RFC 9956), except on Windows. If the path drops marked datagrams,
/// the client notices within seconds and stops marking them. Carried links never mark their datagrams.
pub const NETCLOCK_LINK_NO_MARK: u32 = 16;
pub(crate) const FLAGS: u32 =
    NETCLOCK_LINK_POLLED | NETCLOCK_LINK_THREAD_STAMPS | NETCLOCK_LINK_CARRIED | NETCLOCK_LINK_NO_MARK;

/// The size of every link datagram, in bytes.
pub const NETCLOCK_LINK_DATAGRAM_SIZE: usize = 64;

const _: () = assert!(NETCLOCK_LINK_DATAGRAM_SIZE == DATAGRAM);

pub(crate) fn check(flags: u32, known: u32, clock_offset: i64) -> Outcome {
    let unknown = flags & !known;
    if unknown == 0 && clock_offset.unsigned_abs() <= 1 << 61 {
        return Ok(());
    }
    Err(Failure::because(NETCLOCK_BAD_CONFIG, move |f| match unknown {
        0 => f.write_str("clock_offset is outside +-2^61 ticks"),
        unknown => write!(f, "flags contains {unknown}, which this end does not support"),
    }))
}

/// # Safety
/// `text` must be null or point to a zero-terminated string that stays valid while the result is used.
pub(crate) unsafe fn text_in<'a>(text: *const c_char, name: &'static str) -> Outcome<&'a str> {
    if text.is_null() {
        return Err(Failure::null(name));
    }
    // SAFETY: not null, and the caller guarantees the rest.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::of(NETCLOCK_BAD_ADDRESS))
}
