//! The status type and the codes that all parts share. Each part defines its other codes in its own
//! `status.rs`.
//!
//! `build.rs` generates the status texts from the first sentence of each comment.

use core::ffi::{CStr, c_char};

/// The result of a call. Zero means success, a positive code reports another outcome, and a negative code is
/// an error. See "Status" in the contract. Codes are never reused.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockStatus(pub i32);

/// The call succeeded.
pub const NETCLOCK_OK: i32 = 0;
/// There is nothing to send now.
pub const NETCLOCK_NOTHING_DUE: i32 = 1;

/// A required pointer is null.
pub const NETCLOCK_NULL_ARGUMENT: i32 = -1;
/// The `struct_size` of a structure is invalid, or a field that this library does not support is set.
pub const NETCLOCK_UNKNOWN_STRUCT: i32 = -2;
/// A setting is out of range.
pub const NETCLOCK_BAD_CONFIG: i32 = -3;
/// A numeric argument other than a time is out of range.
pub const NETCLOCK_OUT_OF_RANGE: i32 = -4;
/// A local time is outside +-2^62 ticks.
pub const NETCLOCK_TIME_OUT_OF_RANGE: i32 = -5;
/// A timestamp is outside +-2^62 ticks or out of order, or an error bound is negative.
pub const NETCLOCK_STAMP_OUT_OF_RANGE: i32 = -6;
/// A time is earlier than in a previous call. A client accepts local times that step back by a second or
/// more.
pub const NETCLOCK_TIME_WENT_BACKWARDS: i32 = -7;
/// The pointer to destroy is not a live handle of this type. The handle may have been destroyed before.
pub const NETCLOCK_UNKNOWN_HANDLE: i32 = -8;
/// The handle to destroy is in use by a callback that has not returned, by another thread, or by a link.
pub const NETCLOCK_BUSY: i32 = -9;
/// An earlier call on this handle panicked. Destroy the handle.
pub const NETCLOCK_POISONED: i32 = -10;
/// The call panicked because of a bug in NetClock. The handle rejects all further calls.
pub const NETCLOCK_PANICKED: i32 = -11;
/// The capacity is exhausted.
pub const NETCLOCK_FULL: i32 = -12;
/// The participant was already admitted, or the message was already handled.
pub const NETCLOCK_DUPLICATE: i32 = -13;
/// No participant with this number was admitted.
pub const NETCLOCK_UNKNOWN_PARTICIPANT: i32 = -16;
/// There is not enough memory, so nothing was created.
pub const NETCLOCK_OUT_OF_MEMORY: i32 = -17;
/// The handle belongs to the parent of this forked process. Create a new handle.
pub const NETCLOCK_FORKED: i32 = -18;

const TEXTS: &[(i32, &CStr)] = include!(concat!(env!("OUT_DIR"), "/status_texts.rs"));

impl NetclockStatus {
    pub(crate) const OK: Self = NetclockStatus(NETCLOCK_OK);

    pub(crate) const fn is_error(self) -> bool {
        self.0 < 0
    }

    pub(crate) fn text(self) -> &'static CStr {
        TEXTS.iter().find(|(status, _)| *status == self.0).map_or(c"unknown status", |(_, text)| text)
    }
}

/// Returns an English description of a status. The string is static and never null. For a failed call,
/// `netclock_last_error` returns the details.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_status_text(status: NetclockStatus) -> *const c_char {
    status.text().as_ptr()
}
