//! A plain C++ clock for comparison with NetClock. It is compiled with -O2 and called through C functions.

#![expect(unsafe_code, reason = "the clock is C++")]

/// The C++ clock, whose default is unsynced. All times are in ticks of 100 ns.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Original {
    estimate: i64,
    updated: i64,
    difference: i64,
    smallest_round_trip: i64,
    is_synced: bool,
}

// SAFETY: the C++ functions have these parameters, with references instead of pointers, and keep none of
// them.
unsafe extern "C" {
    /// Returns true if the clock used this reply. `server` is the server time in the reply.
    pub safe fn original_update_server_time(
        clock: &mut Original,
        server: i64,
        now: i64,
        round_trip: i64,
    ) -> bool;

    /// Returns the server's time, or 0 until the clock is synced.
    pub safe fn original_current_server_time(clock: &Original, now: i64) -> i64;

    /// Just returns `now`, to show how much a call costs.
    pub safe fn original_nothing(clock: &Original, now: i64) -> i64;
}
