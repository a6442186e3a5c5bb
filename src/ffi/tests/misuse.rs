//! Tests misuse that the C compiler cannot detect, and the handling of bugs in the library.

use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::panic::resume_unwind;

use super::{Shared, client, destroy, last_error};
use crate::ffi::base::growable::Growable;
use crate::ffi::base::status::*;
use crate::ffi::clock::client::config::NetclockConfig;
use crate::ffi::clock::client::handle::{
    netclock_client_create, netclock_client_destroy, netclock_client_tick, write,
};
use crate::ffi::clock::client::reading::netclock_client_current_server_time;
use crate::ffi::clock::exchange::messages::NetclockRequest;
use crate::ffi::clock::exchange::status::*;
use crate::ffi::clock::exchange::wire::{netclock_decode_request, netclock_encode_request};

#[test]
fn a_panic_stops_at_the_boundary_and_poisons_the_handle() {
    let client = client();
    let mut request = NetclockRequest { id: 5, ..NetclockRequest::zero() };
    let mut server_time = 5;
    // SAFETY: `client` is live until it is destroyed, and the outputs are writable.
    unsafe {
        let panicked = write("netclock_client_tick", client, |_| panic!("a test of {}", "the boundary"));
        assert_eq!(panicked.0, NETCLOCK_PANICKED);
        let told = "netclock_client_tick: a bug in NetClock caused a panic: a test of the boundary";
        assert_eq!(last_error(), told);

        assert_eq!(netclock_client_tick(client, 0, &raw mut request).0, NETCLOCK_POISONED);
        assert!(last_error().contains("an earlier call on this handle panicked"), "{}", last_error());
        let read = netclock_client_current_server_time(client, 0, &raw mut server_time);
        assert_eq!((read.0, server_time, request.id), (NETCLOCK_POISONED, 5, 5));
        assert_eq!(netclock_client_destroy(client).0, NETCLOCK_OK);
        assert_eq!(netclock_client_destroy(client).0, NETCLOCK_UNKNOWN_HANDLE);
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test needs two threads")]
fn a_waiting_call_finds_the_handle_poisoned_after_a_panic() {
    let client = client();
    let handle = Shared(client);
    let (entered, told) = (AtomicBool::new(false), AtomicI32::new(0));
    std::thread::scope(|scope| {
        // SAFETY: the client is alive.
        let panicked = unsafe {
            write("a_test", client, |_| {
                let (entered, told) = (&entered, &told);
                scope.spawn(move || {
                    let (handle, mut request) = (handle, NetclockRequest::zero());
                    entered.store(true, Ordering::Release);
                    told.store(netclock_client_tick(handle.0, 0, &raw mut request).0, Ordering::Release);
                });
                while !entered.load(Ordering::Acquire) {
                    core::hint::spin_loop();
                }
                // After these yields, the other thread is probably waiting for the lock. If it is not, it
                // finds the handle poisoned later.
                (0..100).for_each(|_| std::thread::yield_now());
                assert_eq!(netclock_client_destroy(client).0, NETCLOCK_BUSY, "it is in use");
                resume_unwind(Box::new("poisoned"))
            })
        };
        assert_eq!(panicked.0, NETCLOCK_PANICKED);
    });
    assert_eq!(told.load(Ordering::Acquire), NETCLOCK_POISONED);
    destroy(client);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "each thread has its own last error")]
fn the_last_error_contains_the_value_and_the_expected_range() {
    // The last error of a test-harness thread may already be set, so use a new thread.
    let failed = std::thread::spawn(|| {
        assert_eq!(last_error(), "");
        let mut config = NetclockConfig { struct_size: 3, ..NetclockConfig::zero() };
        let mut bytes = [0_u8; 64];
        let mut request = NetclockRequest::zero();
        // SAFETY: every pointer is null or points to a value, and all sizes that the library reads are
        // correct.
        unsafe {
            let refused = netclock_client_create(&raw const config, 1, 2, &mut ptr::null_mut()).0;
            assert_eq!(refused, NETCLOCK_UNKNOWN_STRUCT);
            let told = "netclock_client_create: config->struct_size is 3, expected 296 to 4096";
            assert_eq!(last_error(), told);

            let refused = netclock_encode_request(&raw const request, bytes.as_mut_ptr().cast(), 31).0;
            assert_eq!(refused, NETCLOCK_WIRE_LENGTH);
            assert_eq!(
                last_error(),
                "netclock_encode_request: capacity is 31, but the datagram needs 32 bytes"
            );
            assert_eq!(bytes, [0; 64], "part of a datagram");

            let refused = netclock_decode_request(bytes.as_ptr().cast(), 33, &raw mut request).0;
            assert_eq!(refused, NETCLOCK_WIRE_LENGTH);
            let told = "netclock_decode_request: the datagram has 33 bytes; requests and replies have 32, ";
            assert_eq!(last_error().strip_prefix(told), Some("peer messages 64, and segments 72"));
            assert_eq!((request.id, request.client_time), (0, 0), "part of a request");

            config = NetclockConfig { max_slew: 7.0, ..NetclockConfig::zero() };
            let mut client = ptr::null_mut();
            let refused = netclock_client_create(&raw const config, 1, 2, &raw mut client).0;
            assert_eq!(refused, NETCLOCK_BAD_CONFIG);
            let told = "netclock_client_create: max_slew is 7, which is outside 0.0001..=0.5 of real time";
            assert_eq!(last_error(), told);
            assert!(client.is_null(), "a failed call returned a handle");

            // Neither a successful call nor a positive status changes the last error.
            destroy(super::client());
            assert_eq!(last_error(), told);
        }
    });
    assert!(failed.join().is_ok());
}
