//! Tests which messages and samples the callbacks receive, and that callbacks may call any function.

use core::ffi::{c_char, c_void};
use core::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{MILLISECOND, Recorder, SECOND, Shared, client, destroy, last_error};
use crate::ffi::base::failure::Failure;
use crate::ffi::base::growable::Growable;
use crate::ffi::base::status::*;
use crate::ffi::clock::client::calls::*;
use crate::ffi::clock::client::handle::{
    NetclockClient, netclock_client_handle_reply, netclock_client_tick, write,
};
use crate::ffi::clock::exchange::messages::{NetclockReply, NetclockRequest};
use crate::ffi::clock::exchange::status::*;
use crate::ffi::clock::report::callbacks::*;
use crate::ffi::clock::report::log::*;

/// The exchange takes 20 ms and ends at `at`. The server's clock is ahead by `ahead`.
fn exchange(client: *mut NetclockClient, at: i64, ahead: i64) -> i32 {
    let (sent, middle) = (at - 20 * MILLISECOND, at - 10 * MILLISECOND + ahead);
    // SAFETY: the tests pass live clients.
    unsafe { netclock_client_handle_exchange(client, sent, middle, middle, at, 1, 1, 7) }.0
}

fn tick(client: *mut NetclockClient, now: i64) -> i32 {
    let mut request = NetclockRequest::zero();
    // SAFETY: as above; `request` is writable.
    unsafe { netclock_client_tick(client, now, &raw mut request) }.0
}

#[test]
fn a_session_logs_its_events_and_errors() {
    let (client, mut recorder) = (client(), Recorder::default());
    recorder.listen(client);
    assert_eq!(exchange(client, SECOND, 0), NETCLOCK_OK);
    assert_eq!(exchange(client, 2 * SECOND, 90 * SECOND), NETCLOCK_CONTRADICTION);
    assert_eq!(exchange(client, 3 * SECOND, 90 * SECOND), NETCLOCK_OK);
    assert_eq!(tick(client, 4 * SECOND), NETCLOCK_OK);
    assert_eq!(tick(client, 3 * SECOND + 5 * MILLISECOND), NETCLOCK_TIME_WENT_BACKWARDS);
    assert_eq!(exchange(client, i64::MAX, 0), NETCLOCK_STAMP_OUT_OF_RANGE);
    let strange = NetclockReply { id: 0x3039, ..NetclockReply::zero() };
    // SAFETY: the client is alive, and the reply is readable.
    let told = unsafe { netclock_client_handle_reply(client, &raw const strange, 4 * SECOND) };
    assert_eq!(told.0, NETCLOCK_UNKNOWN_REQUEST);
    for second in 5..30 {
        tick(client, second * SECOND);
    }
    let told: Vec<(i32, &str)> =
        recorder.messages.iter().map(|(level, text)| (*level, text.as_str())).collect();
    let expected = [
        (NETCLOCK_LOG_INFO, "synced"),
        (NETCLOCK_LOG_WARNING, "they put the server 89990 ms to 90010 ms ahead"),
        (NETCLOCK_LOG_WARNING, "exchanges proved that a clock stepped; the shown time moved by 90000 ms"),
        (NETCLOCK_LOG_INFO, "recovered"),
        (NETCLOCK_LOG_WARNING, "netclock_client_tick: local time went backwards by 995 ms"),
        (NETCLOCK_LOG_DEBUG, "netclock_client_handle_exchange: client_sent is 92233720368545"),
        (NETCLOCK_LOG_DEBUG, "0x0000000000003039"),
        (NETCLOCK_LOG_WARNING, "no replies"),
    ];
    for (level, part) in expected {
        assert!(told.iter().any(|told| told.0 == level && told.1.contains(part)), "{part} in {told:#?}");
    }
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    let statuses: Vec<i32> = recorder.samples.iter().map(|sample| sample.status.0).collect();
    let refused = [NETCLOCK_STAMP_OUT_OF_RANGE, NETCLOCK_UNKNOWN_REQUEST];
    assert_eq!(statuses, [NETCLOCK_OK, NETCLOCK_CONTRADICTION, NETCLOCK_OK, refused[0], refused[1]]);
    destroy(client);
}

#[test]
fn callbacks_receive_only_requested_levels() {
    let (client, mut recorder) = (client(), Recorder::default());
    recorder.listen(client);
    // SAFETY: the client is alive and has no callbacks.
    unsafe {
        let here = ptr::from_mut(&mut recorder).cast();
        assert_eq!(netclock_client_set_log(client, NETCLOCK_LOG_WARNING, Some(super::note), here).0, 0);
        assert_eq!(netclock_client_set_tap(client, None, ptr::null_mut()).0, 0);
    }
    exchange(client, SECOND, 0); // INFO
    exchange(client, i64::MAX, 0); // DEBUG
    tick(client, 0); // WARNING: back by a second
    assert_eq!(recorder.messages.len(), 1, "{:?}", recorder.messages);
    // SAFETY: as above.
    unsafe { netclock_client_set_log(client, NETCLOCK_LOG_DEBUG, None, ptr::null_mut()) };
    exchange(client, i64::MAX, 0);
    assert_eq!((recorder.messages.len(), recorder.samples.len()), (1, 0));
    destroy(client);
}

#[test]
fn logging_does_not_allocate() {
    unsafe extern "C-unwind" fn count(calls: *mut c_void, _: i32, _: *const c_char) {
        // SAFETY: `count` was set with a `u32`.
        unsafe { *calls.cast::<u32>() += 1 }
    }
    let (client, mut calls) = (client(), 0_u32);
    // SAFETY: the client is alive, and `count` receives a counter.
    unsafe { netclock_client_set_log(client, NETCLOCK_LOG_DEBUG, Some(count), (&raw mut calls).cast()) };
    last_error();
    let made = allocation_counter::measure(|| {
        exchange(client, SECOND, 0);
        exchange(client, 2 * SECOND, 90 * SECOND);
        exchange(client, 3 * SECOND, 90 * SECOND);
        exchange(client, i64::MAX, 0);
        tick(client, SECOND);
    });
    assert_eq!((made.count_total, calls), (0, 6));
    destroy(client);
}

#[test]
fn the_last_error_is_not_replaced_by_errors_in_callbacks() {
    unsafe extern "C-unwind" fn fail(client: *mut c_void, _: *const super::NetclockSample) {
        // SAFETY: null is rejected.
        let status = unsafe { netclock_client_tick(client.cast(), 0, ptr::null_mut()) };
        assert_eq!(status.0, NETCLOCK_NULL_ARGUMENT);
    }
    let client = client();
    // SAFETY: the client is alive.
    unsafe { netclock_client_set_tap(client, Some(fail), ptr::null_mut()) };
    assert_eq!(exchange(client, i64::MAX, 0), NETCLOCK_STAMP_OUT_OF_RANGE);
    assert!(last_error().starts_with("netclock_client_handle_exchange: client_sent is"), "{}", last_error());
    destroy(client);
}

#[test]
fn a_panic_of_a_callback_does_not_poison_the_client() {
    unsafe extern "C-unwind" fn panics(_: *mut c_void, _: i32, _: *const c_char) {
        panic!("in a callback");
    }
    let client = client();
    // SAFETY: the client is alive.
    unsafe { netclock_client_set_log(client, NETCLOCK_LOG_DEBUG, Some(panics), ptr::null_mut()) };
    assert_eq!(exchange(client, SECOND, 0), NETCLOCK_OK);
    assert_eq!(tick(client, SECOND), NETCLOCK_OK);
    destroy(client);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test needs two threads")]
fn concurrent_writers_are_logged() {
    const MOST_ROUNDS: u32 = 100_000;
    let (client, mut recorder) = (client(), Recorder::default());
    let handle = Shared(client);
    // Whether the two calls collide is up to the scheduler, so repeat until they do.
    for round in 0.. {
        let entered = AtomicBool::new(false);
        std::thread::scope(|scope| {
            // SAFETY: the client is alive.
            let held = unsafe {
                recorder.listen(client);
                write("a_test", client, |_| {
                    let entered = &entered;
                    scope.spawn(move || {
                        let handle = handle;
                        entered.store(true, Ordering::Release);
                        tick(handle.0, 0);
                    });
                    while !entered.load(Ordering::Acquire) {
                        core::hint::spin_loop();
                    }
                    (0..round % 100).for_each(|_| std::thread::yield_now());
                    assert_eq!(super::netclock_client_destroy(client).0, NETCLOCK_BUSY, "it is in use");
                    Err(Failure::of(NETCLOCK_NOTHING_DUE))
                })
            };
            assert_eq!(held.0, NETCLOCK_NOTHING_DUE);
        });
        if let Some((level, message)) = recorder.messages.last() {
            assert_eq!(*level, NETCLOCK_LOG_WARNING);
            assert!(message.starts_with("netclock_client_tick waited for another thread"), "{message}");
            break;
        }
        assert!(round < MOST_ROUNDS, "no message");
    }
    // The other thread's tick ran as well, so another tick at 0 has nothing to send.
    let told = [0, SECOND].map(|now| tick(client, now));
    assert_eq!(told, [NETCLOCK_NOTHING_DUE, NETCLOCK_OK], "it already sent a request at 0");
    destroy(client);
}
