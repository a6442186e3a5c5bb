//! Tests of the C ABI that need access to private items.

#[path = "../../../tests/support/abi.rs"]
mod abi;
mod bad_input;
mod callbacks;
mod layout;
mod misuse;
mod written;

use core::ffi::{CStr, c_char};
use core::ptr;

use crate::ffi::base::last_error::netclock_last_error;
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::clock::client::handle::{NetclockClient, netclock_client_create, netclock_client_destroy};

pub(super) const MILLISECOND: i64 = 10_000;
pub(super) const SECOND: i64 = 1000 * MILLISECOND;

pub(super) fn client() -> *mut NetclockClient {
    let mut client = ptr::null_mut();
    // SAFETY: null selects the default configuration, and `client` is writable.
    let status = unsafe { netclock_client_create(ptr::null(), 1, 2, &raw mut client) };
    assert_eq!(status, NetclockStatus::OK);
    client
}

pub(super) fn destroy(client: *mut NetclockClient) {
    // SAFETY: each test destroys only the client that it created.
    assert_eq!(unsafe { netclock_client_destroy(client) }, NetclockStatus::OK);
}

pub(super) fn last_error() -> String {
    // SAFETY: the text is never null, and is read before the next call.
    unsafe { text(netclock_last_error()) }
}

/// `text` must be a zero-terminated string.
pub(super) unsafe fn text(text: *const c_char) -> String {
    // SAFETY: guaranteed by the caller.
    unsafe { CStr::from_ptr(text) }.to_str().expect("UTF-8").to_owned()
}

#[derive(Clone, Copy)]
struct Shared(*mut NetclockClient);
// SAFETY: the header allows calls on a client from any thread.
unsafe impl Send for Shared {}
