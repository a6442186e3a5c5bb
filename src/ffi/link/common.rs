//! What both ends of a link have in common: flags, and what comes in from the caller.

use core::ffi::{CStr, c_char};

use crate::ffi::base::prelude::*;
use crate::ffi::link::status::{NETCLOCK_BAD_ADDRESS, NETCLOCK_CARRIED, NETCLOCK_NOT_POLLED};
use crate::link::DATAGRAM;

/// Flag of a link: it has no thread. Call its `_poll` every frame.
pub const NETCLOCK_LINK_POLLED: u32 = 1;
/// Flag of a link: stamp arrivals by the thread, even where the kernel does it. For comparisons.
pub const NETCLOCK_LINK_THREAD_STAMPS: u32 = 2;
/// Flag of a link: it has neither socket nor thread. The caller carries its datagrams and stamps them, with
/// `netclock_link_client_due`, `netclock_link_client_handle` and `netclock_link_server_answer`. For systems
/// whose sockets this library does not know.
pub const NETCLOCK_LINK_CARRIED: u32 = 8;
/// Flag of a link: leave its datagrams unmarked. Otherwise requests for the time and their answers have the
/// DSCP 45 of packets that build no queue (RFC 9956), except on Windows, which does not mark them. Where
/// marked ones are dropped, a client notices within seconds and leaves them unmarked. Carried links mark
/// nothing.
pub const NETCLOCK_LINK_NO_MARK: u32 = 16;
/// Those of either end.
pub(crate) const FLAGS: u32 =
    NETCLOCK_LINK_POLLED | NETCLOCK_LINK_THREAD_STAMPS | NETCLOCK_LINK_CARRIED | NETCLOCK_LINK_NO_MARK;

/// Length of every datagram of a link, in bytes.
pub const NETCLOCK_LINK_DATAGRAM_SIZE: usize = 64;

const _: () = assert!(NETCLOCK_LINK_DATAGRAM_SIZE == DATAGRAM);

/// Checks the settings that the library below does not know. `known` are the flags of this end.
pub(crate) fn check(flags: u32, known: u32, clock_offset: i64) -> Outcome {
    let unknown = flags & !known;
    if unknown == 0 && clock_offset.unsigned_abs() <= 1 << 61 {
        return Ok(());
    }
    Err(Failure::because(NETCLOCK_BAD_CONFIG, move |f| match unknown {
        0 => f.write_str("clock_offset is outside +-2^61 ticks"),
        unknown => write!(f, "flags has {unknown}, which is no flag of this end"),
    }))
}

/// What a poll comes to: None without a socket, false with a thread.
pub(crate) fn polled(polled: Option<bool>) -> Outcome {
    match polled {
        Some(true) => Ok(()),
        Some(false) => Err(Failure::of(NETCLOCK_NOT_POLLED)),
        None => Err(Failure::of(NETCLOCK_CARRIED)),
    }
}

/// A name or an address.
///
/// # Safety
/// `text` is null or points to a text that ends with a zero, for as long as the result is used.
pub(crate) unsafe fn text_in<'a>(text: *const c_char, name: &'static str) -> Outcome<&'a str> {
    if text.is_null() {
        return Err(Failure::null(name));
    }
    // SAFETY: not null, and the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::of(NETCLOCK_BAD_ADDRESS))
}
