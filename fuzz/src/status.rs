//! Checks each status that the C ABI returns, and provides a callback that calls the library.

#![expect(unsafe_code, reason = "the C ABI is called as C calls it")]

use core::ffi::{CStr, c_void};

use netclock::c::*;

pub(crate) use netclock::c::{NETCLOCK_OK as OK, NETCLOCK_UNKNOWN_HANDLE as UNKNOWN_HANDLE};

/// Each status must have a text, each error must have details, and no error may report a bug.
pub(crate) fn judge(status: i32) -> i32 {
    assert!(status != NETCLOCK_PANICKED && status != NETCLOCK_POISONED, "status {status}");
    // SAFETY: the text is static, and the detail is valid until the next failing call.
    let (text, detail) =
        unsafe { (CStr::from_ptr(netclock_status_text(status)), CStr::from_ptr(netclock_last_error())) };
    assert_ne!(text, c"unknown status", "{status}");
    assert!(status >= 0 || !detail.is_empty(), "{status} without a reason");
    assert!(detail.count_bytes() <= 255, "{detail:?}");
    assert!(detail.to_str().is_ok(), "cut within a character: {detail:?}");
    status
}

/// Reads the client's clock and tries a call that is forbidden in callbacks.
pub(crate) unsafe extern "C" fn on_tap(client: *mut c_void, sample: *const c_void) {
    // SAFETY: the sample is valid during the call and starts with its size, and the client is alive.
    unsafe {
        assert!(sample.cast::<u32>().read() >= 56);
        judge(netclock_client_set_tap(client, on_tap as *const c_void, client));
        let mut shown = 0;
        judge(netclock_client_current_server_time(client, 0, &raw mut shown));
        assert_eq!(netclock_client_destroy(client), NETCLOCK_BUSY);
    }
}
