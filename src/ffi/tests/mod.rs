//! Tests of the C ABI that need access to private items.

#[path = "../../../tests/support/abi.rs"]
mod abi;
mod bad_input;
mod callbacks;
mod layout;
mod misuse;
mod written;

use core::ffi::{CStr, c_char, c_void};
use core::ptr;

use crate::ffi::base::last_error::netclock_last_error;
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::clock::client::handle::{NetclockClient, netclock_client_create, netclock_client_destroy};
use crate::ffi::clock::report::callbacks::{netclock_client_set_log, netclock_client_set_tap};
use crate::ffi::clock::report::log::NETCLOCK_LOG_DEBUG;
use crate::ffi::clock::report::tap::NetclockSample;

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
    // SAFETY: the tests destroy what they created.
    assert_eq!(unsafe { netclock_client_destroy(client) }, NetclockStatus::OK);
}

pub(super) fn last_error() -> String {
    // SAFETY: never null, and read before the next call.
    unsafe { text(netclock_last_error()) }
}

/// `text` must be a zero-terminated string.
pub(super) unsafe fn text(text: *const c_char) -> String {
    // SAFETY: guaranteed by the caller.
    unsafe { CStr::from_ptr(text) }.to_str().expect("UTF-8").to_owned()
}

#[derive(Clone, Copy)]
struct Shared(*mut NetclockClient);
// SAFETY: the header allows calls from any thread.
unsafe impl Send for Shared {}

#[derive(Default)]
pub(super) struct Recorder {
    pub(super) messages: Vec<(i32, String)>,
    pub(super) samples: Vec<NetclockSample>,
}

impl Recorder {
    /// The callbacks keep a pointer to the recorder, so do not move it while it is listening.
    pub(super) fn listen(&mut self, client: *mut NetclockClient) {
        let here = ptr::from_mut(self).cast::<c_void>();
        // SAFETY: `client` is alive, and the callbacks receive this recorder.
        unsafe {
            assert_eq!(netclock_client_set_log(client, NETCLOCK_LOG_DEBUG, Some(note), here).0, 0);
            assert_eq!(netclock_client_set_tap(client, Some(keep), here).0, 0);
        }
    }
}

unsafe extern "C-unwind" fn note(recorder: *mut c_void, level: i32, message: *const c_char) {
    // SAFETY: set by `listen`, which passed a `Recorder`.
    unsafe { (*recorder.cast::<Recorder>()).messages.push((level, text(message))) }
}

unsafe extern "C-unwind" fn keep(recorder: *mut c_void, sample: *const NetclockSample) {
    // SAFETY: as above.
    unsafe { (*recorder.cast::<Recorder>()).samples.push(*sample) }
}
