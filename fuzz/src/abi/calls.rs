//! The functions of the C headers as the linker knows them. Structures are plain memory here.

use core::ffi::{c_char, c_void};

// Links the library, whose Rust interface is not used here.
use netclock as _;

pub(super) type Log = unsafe extern "C" fn(*mut c_void, i32, *const c_char);
pub(super) type Tap = unsafe extern "C" fn(*mut c_void, *const c_void);

unsafe extern "C" {
    pub(super) fn netclock_status_text(status: i32) -> *const c_char;
    pub(super) fn netclock_last_error() -> *const c_char;

    pub(super) fn netclock_client_create(
        config: *const c_void,
        high: u64,
        low: u64,
        client: *mut *mut c_void,
    ) -> i32;
    pub(super) fn netclock_client_used_saved(client: *const c_void, used: *mut i32) -> i32;
    pub(super) fn netclock_client_save(
        client: *mut c_void,
        seconds: i64,
        machine: *mut c_void,
        server: *mut c_void,
        capacity: usize,
    ) -> i32;
    pub(super) fn netclock_client_destroy(client: *mut c_void) -> i32;
    pub(super) fn netclock_client_tick(client: *mut c_void, now: i64, request: *mut c_void) -> i32;
    pub(super) fn netclock_client_make_request(client: *mut c_void, now: i64, request: *mut c_void) -> i32;
    pub(super) fn netclock_client_handle_reply(
        client: *mut c_void,
        reply: *const c_void,
        arrived: i64,
    ) -> i32;
    pub(super) fn netclock_client_handle_exchange(
        client: *mut c_void,
        client_sent: i64,
        server_received: i64,
        server_sent: i64,
        client_received: i64,
        server_epoch: u64,
    ) -> i32;
    pub(super) fn netclock_client_update_server_time(
        client: *mut c_void,
        server_time: i64,
        current_time: i64,
        round_trip: i64,
        accepted: *mut i32,
    ) -> i32;
    pub(super) fn netclock_client_next_event(client: *mut c_void, event: *mut c_void) -> i32;
    pub(super) fn netclock_client_set_log(
        client: *mut c_void,
        max_level: i32,
        callback: Option<Log>,
        user_data: *mut c_void,
    ) -> i32;
    pub(super) fn netclock_client_set_tap(
        client: *mut c_void,
        callback: Option<Tap>,
        user_data: *mut c_void,
    ) -> i32;
    pub(super) fn netclock_client_current_server_time(
        client: *const c_void,
        now: i64,
        server_time: *mut i64,
    ) -> i32;
    pub(super) fn netclock_client_is_time_synced(client: *const c_void) -> i32;
    pub(super) fn netclock_client_read(client: *const c_void, now: i64, reading: *mut c_void) -> i32;
    pub(super) fn netclock_client_local_time_at(
        client: *const c_void,
        server_time: i64,
        local_time: *mut i64,
    ) -> i32;

    pub(super) fn netclock_server_create(epoch: u64, server: *mut *mut c_void) -> i32;
    pub(super) fn netclock_server_destroy(server: *mut c_void) -> i32;
    pub(super) fn netclock_server_respond(
        server: *const c_void,
        request: *const c_void,
        received: i64,
        sent: i64,
        reply: *mut c_void,
    ) -> i32;

    pub(super) fn netclock_link_server_create(
        config: *const c_void,
        address: *const c_char,
        port: u16,
        epoch: u64,
        link: *mut *mut c_void,
    ) -> i32;
    pub(super) fn netclock_link_server_destroy(link: *mut c_void) -> i32;
    pub(super) fn netclock_link_server_port(link: *const c_void, port: *mut u16) -> i32;
    pub(super) fn netclock_link_server_admit(link: *mut c_void, key: *const c_void) -> i32;
    pub(super) fn netclock_link_server_revoke(link: *mut c_void, id: u32) -> i32;
    pub(super) fn netclock_link_server_poll(link: *mut c_void) -> i32;
    pub(super) fn netclock_link_server_report(link: *const c_void, report: *mut c_void) -> i32;
    pub(super) fn netclock_link_server_answer(
        link: *mut c_void,
        datagram: *const c_void,
        length: usize,
        received: i64,
        sent: i64,
        answer: *mut c_void,
        capacity: usize,
    ) -> i32;
    pub(super) fn netclock_link_client_create(
        config: *const c_void,
        client: *mut c_void,
        host: *const c_char,
        port: u16,
        key: *const c_void,
        link: *mut *mut c_void,
    ) -> i32;
    pub(super) fn netclock_link_client_destroy(link: *mut c_void) -> i32;
    pub(super) fn netclock_link_client_poll(link: *mut c_void) -> i32;
    pub(super) fn netclock_link_client_report(link: *const c_void, report: *mut c_void) -> i32;
    pub(super) fn netclock_link_client_due(
        link: *mut c_void,
        now: i64,
        datagram: *mut c_void,
        capacity: usize,
        next: *mut i64,
    ) -> i32;
    pub(super) fn netclock_link_client_handle(
        link: *mut c_void,
        datagram: *const c_void,
        length: usize,
        arrived: i64,
    ) -> i32;
    pub(super) fn netclock_link_text(code: i32) -> *const c_char;

    pub(super) fn netclock_encode_request(
        request: *const c_void,
        datagram: *mut c_void,
        capacity: usize,
    ) -> i32;
    pub(super) fn netclock_decode_request(
        datagram: *const c_void,
        length: usize,
        request: *mut c_void,
    ) -> i32;
    pub(super) fn netclock_encode_reply(reply: *const c_void, datagram: *mut c_void, capacity: usize) -> i32;
    pub(super) fn netclock_decode_reply(datagram: *const c_void, length: usize, reply: *mut c_void) -> i32;
}
