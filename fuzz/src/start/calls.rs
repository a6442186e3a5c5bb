//! The functions of `netclock.h` that starts need, as the linker knows them.

use core::ffi::c_void;

// Links the library, whose Rust interface is not used here.
use netclock as _;

unsafe extern "C" {
    pub(super) fn netclock_client_create(
        config: *const c_void,
        high: u64,
        low: u64,
        client: *mut *mut c_void,
    ) -> i32;
    pub(super) fn netclock_client_destroy(client: *mut c_void) -> i32;
    pub(super) fn netclock_client_handle_exchange(
        client: *mut c_void,
        client_sent: i64,
        server_received: i64,
        server_sent: i64,
        client_received: i64,
        server_epoch: u64,
    ) -> i32;
    pub(super) fn netclock_client_current_server_time(client: *const c_void, now: i64, time: *mut i64)
    -> i32;

    pub(super) fn netclock_organiser_create(
        config: *const c_void,
        epoch: u64,
        organiser: *mut *mut c_void,
    ) -> i32;
    pub(super) fn netclock_organiser_destroy(organiser: *mut c_void) -> i32;
    pub(super) fn netclock_organiser_admit(organiser: *mut c_void, participant: u64) -> i32;
    pub(super) fn netclock_organiser_remove(organiser: *mut c_void, participant: u64) -> i32;
    pub(super) fn netclock_organiser_propose(
        organiser: *mut c_void,
        now: i64,
        confidence: f64,
        proposal: *mut c_void,
    ) -> i32;
    pub(super) fn netclock_organiser_cancel(organiser: *mut c_void, now: i64) -> i32;
    pub(super) fn netclock_organiser_receive(
        organiser: *mut c_void,
        participant: u64,
        datagram: *const c_void,
        length: usize,
        now: i64,
    ) -> i32;
    pub(super) fn netclock_organiser_next_message(
        organiser: *mut c_void,
        now: i64,
        participant: *mut u64,
        datagram: *mut c_void,
        capacity: usize,
    ) -> i32;
    pub(super) fn netclock_organiser_participation(
        organiser: *mut c_void,
        participant: u64,
        now: i64,
        participation: *mut c_void,
    ) -> i32;
    pub(super) fn netclock_organiser_result(organiser: *mut c_void, outcome: *mut c_void) -> i32;

    pub(super) fn netclock_participant_create(key: u64, participant: *mut *mut c_void) -> i32;
    pub(super) fn netclock_participant_destroy(participant: *mut c_void) -> i32;
    pub(super) fn netclock_participant_receive(
        participant: *mut c_void,
        datagram: *const c_void,
        length: usize,
    ) -> i32;
    pub(super) fn netclock_participant_tick(
        participant: *mut c_void,
        client: *const c_void,
        now: i64,
        progress: *mut c_void,
    ) -> i32;
    pub(super) fn netclock_participant_next_message(
        participant: *mut c_void,
        datagram: *mut c_void,
        capacity: usize,
    ) -> i32;

    pub(super) fn netclock_beat_at(beat: *const c_void, now: i64, number: *mut i64, alpha: *mut f64) -> i32;
    pub(super) fn netclock_beat_time(beat: *const c_void, number: i64, server_time: *mut i64) -> i32;
    pub(super) fn netclock_beat_advance(beat: *mut c_void, now: i64, steps: *mut c_void) -> i32;
}
