//! What a call returns, and the statuses that all rooms share. Each room has its own in its `status.rs`.
//!
//! The first sentence of a status's documentation is its text: `build.rs` makes the table.

use core::ffi::{CStr, c_char};

/// Outcome of a call. `NETCLOCK_OK` is success. A positive code says what came of the call other than its
/// usual result, and nothing is wrong; its outputs are unchanged unless its comment says otherwise. A
/// negative code is an error: the call changed nothing, unless its text says otherwise. Codes are never
/// reused.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetclockStatus(pub i32);

/// Ok. The call did what it says.
pub const NETCLOCK_OK: i32 = 0;
/// Nothing is due to be sent.
pub const NETCLOCK_NOTHING_DUE: i32 = 1;

/// A pointer that must not be null is null.
pub const NETCLOCK_NULL_ARGUMENT: i32 = -1;
/// `struct_size` is not that of a known version of the structure, or a field that this library does not know
/// is set.
pub const NETCLOCK_UNKNOWN_STRUCT: i32 = -2;
/// A setting is out of range.
pub const NETCLOCK_BAD_CONFIG: i32 = -3;
/// A numeric argument other than a time is out of range.
pub const NETCLOCK_OUT_OF_RANGE: i32 = -4;
/// A local time is outside +-2^62 ticks.
pub const NETCLOCK_TIME_OUT_OF_RANGE: i32 = -5;
/// A stamp, or another instant that is not local time, is outside +-2^62 ticks or out of order, or a bound is
/// negative.
pub const NETCLOCK_STAMP_OUT_OF_RANGE: i32 = -6;
/// A time is earlier than that of an earlier call. A client accepts a step back of a second or more.
pub const NETCLOCK_TIME_WENT_BACKWARDS: i32 = -7;
/// The pointer to destroy is no live handle of that kind. It was destroyed before, or never was one.
pub const NETCLOCK_UNKNOWN_HANDLE: i32 = -8;
/// The handle to destroy is in use. A callback of its own has not returned, or another thread is in a call.
pub const NETCLOCK_BUSY: i32 = -9;
/// An earlier call on this handle panicked: destroy it.
pub const NETCLOCK_POISONED: i32 = -10;
/// A bug in NetClock: the call panicked. The handle refuses all further calls.
pub const NETCLOCK_PANICKED: i32 = -11;
/// There is no room for another one.
pub const NETCLOCK_FULL: i32 = -12;
/// A participant was admitted before, or a message was handled before.
pub const NETCLOCK_DUPLICATE: i32 = -13;
/// No participant with this number was admitted.
pub const NETCLOCK_UNKNOWN_PARTICIPANT: i32 = -16;
/// There is not enough memory. Nothing was created.
pub const NETCLOCK_OUT_OF_MEMORY: i32 = -17;
/// The handle was created before this process was forked, and belongs to the parent. Create another one.
pub const NETCLOCK_FORKED: i32 = -18;

/// Every status and its text, in the order of the declarations.
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

/// What a status means, in English. `netclock_last_error` says more about a single call. The text is static
/// and never null. Callable from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_status_text(status: NetclockStatus) -> *const c_char {
    status.text().as_ptr()
}
