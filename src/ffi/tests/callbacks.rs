//! Tests which exchanges the tap receives, and that it may call any function.

use core::ffi::c_void;
use core::ptr;

use super::{MILLISECOND, SECOND, client, destroy, last_error};
use crate::ffi::base::growable::Growable;
use crate::ffi::base::status::*;
use crate::ffi::clock::client::calls::*;
use crate::ffi::clock::client::handle::{NetclockClient, netclock_client_handle_reply, netclock_client_tick};
use crate::ffi::clock::exchange::messages::{NetclockReply, NetclockRequest};
use crate::ffi::clock::exchange::status::*;
use crate::ffi::clock::report::tap::*;

type Callback = unsafe extern "C-unwind" fn(*mut c_void, *const NetclockSample);

fn set_tap(client: *mut NetclockClient, callback: Option<Callback>, user_data: *mut c_void) {
    // SAFETY: the tests pass live clients, and what their callbacks expect.
    assert_eq!(unsafe { netclock_client_set_tap(client, callback, user_data) }.0, NETCLOCK_OK);
}

/// Handles an exchange that takes 20 ms and ends at `at`. The server's clock is ahead of the client's by
/// `ahead`.
fn exchange(client: *mut NetclockClient, at: i64, ahead: i64) -> i32 {
    let (sent, middle) = (at - 20 * MILLISECOND, at - 10 * MILLISECOND + ahead);
    // SAFETY: as above.
    unsafe { netclock_client_handle_exchange(client, sent, middle, middle, at, 1, 1, 7) }.0
}

fn tick(client: *mut NetclockClient, now: i64) -> i32 {
    let mut request = NetclockRequest::zero();
    // SAFETY: as above, and `request` is writable.
    unsafe { netclock_client_tick(client, now, &raw mut request) }.0
}

#[test]
fn the_tap_receives_every_exchange_and_errors_state_their_values() {
    unsafe extern "C-unwind" fn keep(statuses: *mut c_void, sample: *const NetclockSample) {
        // SAFETY: `keep` was set with a vector of statuses.
        unsafe { (*statuses.cast::<Vec<i32>>()).push((*sample).status.0) }
    }
    let (client, mut statuses) = (client(), Vec::<i32>::new());
    set_tap(client, Some(keep), (&raw mut statuses).cast());
    let says = |part: &str| assert!(last_error().contains(part), "{part} in {}", last_error());
    assert_eq!(exchange(client, SECOND, 0), NETCLOCK_OK);
    assert_eq!(exchange(client, 2 * SECOND, 90 * SECOND), NETCLOCK_CONTRADICTION);
    says("they put the server 89990 ms to 90010 ms ahead");
    assert_eq!(exchange(client, 3 * SECOND, 90 * SECOND), NETCLOCK_OK);
    assert_eq!(tick(client, 4 * SECOND), NETCLOCK_OK);
    assert_eq!(tick(client, 3 * SECOND + 5 * MILLISECOND), NETCLOCK_TIME_WENT_BACKWARDS);
    says("netclock_client_tick: local time went backwards by 995 ms");
    assert_eq!(exchange(client, i64::MAX, 0), NETCLOCK_STAMP_OUT_OF_RANGE);
    says("netclock_client_handle_exchange: client_sent is 92233720368545");
    let strange = NetclockReply { id: 0x3039, ..NetclockReply::zero() };
    // SAFETY: the client is alive, and the reply is readable.
    let told = unsafe { netclock_client_handle_reply(client, &raw const strange, 4 * SECOND) };
    assert_eq!(told.0, NETCLOCK_UNKNOWN_REQUEST);
    says("0x0000000000003039");
    set_tap(client, None, ptr::null_mut());
    assert_eq!(exchange(client, 5 * SECOND, 90 * SECOND), NETCLOCK_OK);
    let refused = [NETCLOCK_STAMP_OUT_OF_RANGE, NETCLOCK_UNKNOWN_REQUEST];
    assert_eq!(statuses, [NETCLOCK_OK, NETCLOCK_CONTRADICTION, NETCLOCK_OK, refused[0], refused[1]]);
    destroy(client);
}

#[test]
fn errors_and_the_tap_do_not_allocate() {
    unsafe extern "C-unwind" fn count(calls: *mut c_void, _: *const NetclockSample) {
        // SAFETY: the user data of `count` is a `u32`.
        unsafe { *calls.cast::<u32>() += 1 }
    }
    let (client, mut calls) = (client(), 0_u32);
    set_tap(client, Some(count), (&raw mut calls).cast());
    last_error();
    let made = allocation_counter::measure(|| {
        exchange(client, SECOND, 0);
        exchange(client, 2 * SECOND, 90 * SECOND);
        exchange(client, 3 * SECOND, 90 * SECOND);
        exchange(client, i64::MAX, 0);
        tick(client, SECOND);
    });
    assert_eq!((made.count_total, calls), (0, 4));
    destroy(client);
}

#[test]
fn the_last_error_is_not_replaced_by_errors_in_callbacks() {
    unsafe extern "C-unwind" fn fail(client: *mut c_void, _: *const NetclockSample) {
        // SAFETY: the call rejects null.
        let status = unsafe { netclock_client_tick(client.cast(), 0, ptr::null_mut()) };
        assert_eq!(status.0, NETCLOCK_NULL_ARGUMENT);
    }
    let client = client();
    set_tap(client, Some(fail), ptr::null_mut());
    assert_eq!(exchange(client, i64::MAX, 0), NETCLOCK_STAMP_OUT_OF_RANGE);
    assert!(last_error().starts_with("netclock_client_handle_exchange: client_sent is"), "{}", last_error());
    destroy(client);
}

#[test]
fn a_panic_of_a_callback_does_not_poison_the_client() {
    unsafe extern "C-unwind" fn panics(_: *mut c_void, _: *const NetclockSample) {
        panic!("in a callback");
    }
    let client = client();
    set_tap(client, Some(panics), ptr::null_mut());
    assert_eq!(exchange(client, SECOND, 0), NETCLOCK_OK);
    assert_eq!(tick(client, SECOND), NETCLOCK_OK);
    destroy(client);
}
