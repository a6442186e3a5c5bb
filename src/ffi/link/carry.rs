//! Links without a socket: the caller carries their datagrams.

use core::ffi::c_void;

use crate::clock::{LocalTime, ServerTime, WireError};
use crate::ffi::base::entries::change;
use crate::ffi::base::failure::{Failure, Outcome, local_time};
use crate::ffi::base::pointers::{bytes_in, copy_out};
use crate::ffi::base::status::{NETCLOCK_NOTHING_DUE, NetclockStatus};
use crate::ffi::clock::exchange::wire::room;
use crate::ffi::link::carried::{Carried, failure};
use crate::ffi::link::common::{End, NetclockLink};
use crate::ffi::link::status::{NETCLOCK_NOT_CARRIED, NETCLOCK_OTHER_END};
use crate::link::DATAGRAM;

/// Length of every datagram of a link, in bytes.
pub const NETCLOCK_LINK_DATAGRAM_SIZE: usize = 56;

const _: () = assert!(NETCLOCK_LINK_DATAGRAM_SIZE == DATAGRAM);

/// A datagram that came. One of another length is not looked at.
///
/// # Safety
/// `datagram` is null or points to `length` readable bytes, for as long as the result is used.
unsafe fn came<'a>(datagram: *const c_void, length: usize) -> Outcome<&'a [u8]> {
    if !datagram.is_null() && length != DATAGRAM {
        return Err(WireError::Length(length).into());
    }
    // SAFETY: the caller's promise, and the length is small.
    unsafe { bytes_in(datagram, length, "datagram") }
}

impl End {
    fn carried_client(&mut self) -> Result<&mut Carried, NetclockStatus> {
        match self {
            End::CarriedClient(client) => Ok(client),
            End::CarriedServer(_) => Err(NetclockStatus(NETCLOCK_OTHER_END)),
            End::Server(_) | End::Client(_) => Err(NetclockStatus(NETCLOCK_NOT_CARRIED)),
        }
    }

    fn carried_server(&mut self) -> Result<&mut crate::link::ServerLink, NetclockStatus> {
        match self {
            End::CarriedServer(server) => Ok(server),
            End::CarriedClient(_) => Err(NetclockStatus(NETCLOCK_OTHER_END)),
            End::Server(_) | End::Client(_) => Err(NetclockStatus(NETCLOCK_NOT_CARRIED)),
        }
    }
}

/// A client's link that is carried: does what is due at local time `now` (ticks), and writes the datagram to send at once, of
/// `NETCLOCK_LINK_DATAGRAM_SIZE` bytes, to where there is room for `capacity`. Call it again until nothing is due.
/// `NETCLOCK_NOTHING_DUE`: `*next` is the local time of the next call, if no datagram comes before; at most half a second
/// later. `next` may be null. Errors: `NETCLOCK_NULL_ARGUMENT`, `NETCLOCK_WIRE_LENGTH` if the buffer is too small,
/// `NETCLOCK_TIME_OUT_OF_RANGE`, `NETCLOCK_TIME_WENT_BACKWARDS`, `NETCLOCK_OTHER_END`, `NETCLOCK_NOT_CARRIED`, `NETCLOCK_POISONED`.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn netclock_link_due(
    link: *mut NetclockLink,
    now: i64,
    datagram: *mut c_void,
    capacity: usize,
    next: *mut i64,
) -> NetclockStatus {
    change!(netclock_link_due, link, |link| {
        let room = room::<DATAGRAM>(datagram, capacity)?;
        match link.carried_client()?.due(local_time(now)?)? {
            Ok(due) => copy_out(room, "datagram", due),
            Err(at) => {
                if let Some(next) = next.as_mut() {
                    *next = at.ticks();
                }
                Err(Failure::of(NETCLOCK_NOTHING_DUE))
            }
        }
    })
}

/// A client's link that is carried: takes a datagram of `length` bytes that arrived at local time `arrived` (ticks). Stamp it as close to
/// the network as possible. On an error the datagram was not used. Errors: those of `netclock_open_message` and of
/// `netclock_client_handle_reply`, `NETCLOCK_OTHER_END`, `NETCLOCK_NOT_CARRIED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netclock_link_handle(
    link: *mut NetclockLink,
    datagram: *const c_void,
    length: usize,
    arrived: i64,
) -> NetclockStatus {
    change!(netclock_link_handle, link, |link| {
        link.carried_client()?.handle(came(datagram, length)?, LocalTime::from_ticks(arrived))
    })
}

/// A server's link that is carried: answers a datagram of `length` bytes that arrived at server time `received` (ticks). The
/// answer, which leaves at `sent`, has `NETCLOCK_LINK_DATAGRAM_SIZE` bytes, and goes to where there is room for `capacity`. Send it to
/// where the datagram came from, and to nobody else. On an error send nothing. Errors: those of `netclock_session_keys_open`,
/// `netclock_session_keys_allow` and `netclock_server_respond`, `NETCLOCK_OTHER_END`, `NETCLOCK_NOT_CARRIED`.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn netclock_link_answer(
    link: *mut NetclockLink,
    datagram: *const c_void,
    length: usize,
    received: i64,
    sent: i64,
    answer: *mut c_void,
    capacity: usize,
) -> NetclockStatus {
    change!(netclock_link_answer, link, |link| {
        let room = room::<DATAGRAM>(answer, capacity)?;
        let mut out = [0; DATAGRAM];
        let (received_at, sent_at) = (ServerTime::from_ticks(received), ServerTime::from_ticks(sent));
        let server = link.carried_server()?;
        let answered = server.answer(came(datagram, length)?, received_at, sent_at, &mut out);
        answered.map_err(|error| failure(error, received, sent))?;
        copy_out(room, "answer", out)
    })
}
