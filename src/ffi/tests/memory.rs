//! What a handle costs. `cargo xtask size` prints what is printed here.

use core::ptr;

use super::super::client::netclock_client_create;
use super::super::lead::{NetclockLead, netclock_lead_create, netclock_lead_destroy};
use super::super::server::{NetclockServer, netclock_server_create, netclock_server_destroy};
use super::super::status::NetclockStatus;

/// Largest memory of one client, everything it points to included.
const MOST_BYTES: u64 = 8 * 1024;

#[test]
fn handles_take_little_memory() {
    // The registry has room for some handles when it has any.
    let first = super::client();

    let (mut client, mut server) = (ptr::null_mut(), ptr::null_mut::<NetclockServer>());
    let mut lead = ptr::null_mut::<NetclockLead>();
    let of_client = allocation_counter::measure(|| {
        // SAFETY: a null configuration means the default, and `client` can be written.
        let status = unsafe { netclock_client_create(ptr::null(), 1, 2, &raw mut client) };
        assert_eq!(status, NetclockStatus::OK);
    });
    let of_server = allocation_counter::measure(|| {
        // SAFETY: `server` can be written.
        assert_eq!(unsafe { netclock_server_create(1, &raw mut server) }, NetclockStatus::OK);
    });
    let of_lead = allocation_counter::measure(|| {
        // SAFETY: null means the default settings, and `lead` can be written.
        assert_eq!(unsafe { netclock_lead_create(ptr::null(), &raw mut lead) }, NetclockStatus::OK);
    });
    println!("a netclock_client takes {} bytes", of_client.bytes_total);
    println!("a netclock_server takes {} bytes", of_server.bytes_total);
    println!("a netclock_lead takes {} bytes", of_lead.bytes_total);
    assert!(of_lead.bytes_total <= MOST_BYTES);
    assert!(of_client.bytes_total <= MOST_BYTES);
    assert!(of_server.bytes_total <= MOST_BYTES);

    super::destroy(first);
    super::destroy(client);
    // SAFETY: created above.
    assert_eq!(unsafe { netclock_server_destroy(server) }, NetclockStatus::OK);
    // SAFETY: created above.
    assert_eq!(unsafe { netclock_lead_destroy(lead) }, NetclockStatus::OK);
}
