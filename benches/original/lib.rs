//! A plain C++ clock to compare NetClock with. It is compiled with -O2 and called through C functions.

#![expect(unsafe_code, reason = "the clock is C++")]

use core::ffi::c_void;

unsafe extern "C" {
    fn original_create() -> *mut c_void;
    fn original_destroy(clock: *mut c_void);
    fn original_update_server_time(clock: *mut c_void, server: i64, now: i64, round_trip: i64) -> bool;
    fn original_current_server_time(clock: *const c_void, now: i64) -> i64;
    fn original_is_time_synced(clock: *const c_void) -> bool;
    fn original_nothing(clock: *const c_void, now: i64) -> i64;
}

/// All times are in ticks of 100 ns.
#[derive(Debug)]
pub struct Original(*mut c_void);

impl Original {
    /// Creates an unsynced clock.
    #[expect(clippy::new_without_default, reason = "it allocates in C++")]
    pub fn new() -> Self {
        // SAFETY: the function has no parameters and returns a new object.
        Original(unsafe { original_create() })
    }

    /// Returns true if the clock used this reply, whose server time is `server`.
    pub fn update_server_time(&mut self, server: i64, now: i64, round_trip: i64) -> bool {
        // SAFETY: the clock is alive until it is dropped, and is only borrowed here.
        unsafe { original_update_server_time(self.0, server, now, round_trip) }
    }

    /// Returns the server's time, or 0 until the clock is synced.
    #[inline]
    pub fn current_server_time(&self, now: i64) -> i64 {
        // SAFETY: the clock is alive until it is dropped.
        unsafe { original_current_server_time(self.0, now) }
    }

    /// Returns true once the clock has used a reply.
    pub fn is_time_synced(&self) -> bool {
        // SAFETY: the clock is alive until it is dropped.
        unsafe { original_is_time_synced(self.0) }
    }

    /// Calls a C++ function that just returns `now`, which shows how much a call costs.
    #[inline]
    pub fn nothing(&self, now: i64) -> i64 {
        // SAFETY: the pointer is not used.
        unsafe { original_nothing(self.0, now) }
    }
}

impl Drop for Original {
    fn drop(&mut self) {
        // SAFETY: the clock was created in `new` and is destroyed once.
        unsafe { original_destroy(self.0) }
    }
}
