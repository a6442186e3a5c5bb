//! What a handle costs. `cargo xtask size` prints what is printed here.

use core::ptr;

use crate::ffi::base::growable::Growable;
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::client::handle::netclock_client_create;
use crate::ffi::latency::handle::{NetclockLatency, netclock_latency_create, netclock_latency_destroy};
use crate::ffi::order::lead::{NetclockLead, netclock_lead_create, netclock_lead_destroy};
use crate::ffi::peer::handle::{netclock_peer_create, netclock_peer_destroy};
use crate::ffi::peer::relay::{NetclockRelayConfig, netclock_relay_create, netclock_relay_destroy};
use crate::ffi::peer::stream::{netclock_stream_create, netclock_stream_destroy};
use crate::ffi::server::adoption::{
    NetclockAdoptionConfig, netclock_adoption_create, netclock_adoption_destroy,
};
use crate::ffi::server::rate_watch::{netclock_rate_watch_create, netclock_rate_watch_destroy};
use crate::ffi::server::responder::{NetclockServer, netclock_server_create, netclock_server_destroy};
use crate::ffi::timeline::handle::{netclock_timeline_create, netclock_timeline_destroy};
use crate::ffi::timeline::publisher::{netclock_publisher_create, netclock_publisher_destroy};

/// Largest memory of one handle, everything it points to included.
const MOST_BYTES: u64 = 8 * 1024;
/// Largest memory of a latency watch.
const MOST_BYTES_OF_LATENCY: u64 = 1280;
/// Largest memory of the watch over one client's clock: a server has one for each player.
const MOST_BYTES_OF_A_WATCH: u64 = 256;
/// Largest memory of a peer: a client, and what others asked it.
const MOST_BYTES_OF_A_PEER: u64 = 12 * 1024;
/// Largest memory of a relay for each game of eight: the queues of its slots.
const MOST_BYTES_OF_A_GAME: u64 = 72 * 1024;

#[test]
fn handles_take_little_memory() {
    // The registry has room for twice as many handles as it has, so that no other test makes it grow meanwhile.
    let crowd: Vec<_> = (0..65).map(|_| super::client()).collect();

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
    let (mut publisher, mut timeline) = (ptr::null_mut(), ptr::null_mut());
    let of_publisher = allocation_counter::measure(|| {
        // SAFETY: a null configuration means the default, and `publisher` can be written.
        let status = unsafe { netclock_publisher_create(ptr::null(), 1, 1, &raw mut publisher) };
        assert_eq!(status, NetclockStatus::OK);
    });
    let of_timeline = allocation_counter::measure(|| {
        // SAFETY: as above.
        assert_eq!(unsafe { netclock_timeline_create(ptr::null(), &raw mut timeline) }, NetclockStatus::OK);
    });
    let mut watch = ptr::null_mut();
    let of_watch = allocation_counter::measure(|| {
        // SAFETY: null means all defaults, and `watch` can be written.
        let status = unsafe { netclock_rate_watch_create(ptr::null(), &raw mut watch) };
        assert_eq!(status, NetclockStatus::OK);
    });
    let of_lead = allocation_counter::measure(|| {
        // SAFETY: null means the default settings, and `lead` can be written.
        assert_eq!(unsafe { netclock_lead_create(ptr::null(), &raw mut lead) }, NetclockStatus::OK);
    });
    let (mut adoption, config) = (ptr::null_mut(), NetclockAdoptionConfig::zero());
    let of_adoption = allocation_counter::measure(|| {
        // SAFETY: a whole configuration, and `adoption` can be written.
        let status = unsafe { netclock_adoption_create(&raw const config, 1, 2, &raw mut adoption) };
        assert_eq!(status, NetclockStatus::OK);
    });
    let (mut peer, mut frames, mut relay) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    let of_peer = allocation_counter::measure(|| {
        // SAFETY: null means the default settings, and `peer` can be written.
        assert_eq!(unsafe { netclock_peer_create(ptr::null(), 1, 2, 3, &raw mut peer) }, NetclockStatus::OK);
    });
    let of_frames = allocation_counter::measure(|| {
        // SAFETY: `frames` can be written.
        assert_eq!(unsafe { netclock_stream_create(&raw mut frames) }, NetclockStatus::OK);
    });
    let one_game = NetclockRelayConfig { games: 1, slots: 8, ..NetclockRelayConfig::zero() };
    let of_relay = allocation_counter::measure(|| {
        // SAFETY: settings of the size they state, and `relay` can be written.
        let status = unsafe { netclock_relay_create(&raw const one_game, 2, 3, &raw mut relay) };
        assert_eq!(status, NetclockStatus::OK);
    });
    let mut latency = ptr::null_mut::<NetclockLatency>();
    let of_latency = allocation_counter::measure(|| {
        // SAFETY: null means all defaults, and `latency` can be written.
        assert_eq!(unsafe { netclock_latency_create(ptr::null(), &raw mut latency) }, NetclockStatus::OK);
    });
    for (name, of_handle, most) in [
        ("peer", of_peer, MOST_BYTES_OF_A_PEER),
        ("frames", of_frames, MOST_BYTES),
        ("relay of one game of eight", of_relay, MOST_BYTES_OF_A_GAME),
        ("client", of_client, MOST_BYTES),
        ("server", of_server, MOST_BYTES),
        ("publisher", of_publisher, MOST_BYTES),
        ("timeline", of_timeline, MOST_BYTES),
        ("rate_watch", of_watch, MOST_BYTES_OF_A_WATCH),
        ("lead", of_lead, MOST_BYTES),
        ("adoption", of_adoption, MOST_BYTES),
        ("latency", of_latency, MOST_BYTES_OF_LATENCY),
    ] {
        println!("a netclock_{name} takes {} bytes", of_handle.bytes_total);
        assert!(of_handle.bytes_total <= most, "{name}");
    }

    for other in crowd {
        super::destroy(other);
    }
    super::destroy(client);
    // SAFETY: created above.
    unsafe {
        assert_eq!(netclock_server_destroy(server), NetclockStatus::OK);
        assert_eq!(netclock_publisher_destroy(publisher), NetclockStatus::OK);
        assert_eq!(netclock_timeline_destroy(timeline), NetclockStatus::OK);
        assert_eq!(netclock_rate_watch_destroy(watch), NetclockStatus::OK);
        assert_eq!(netclock_lead_destroy(lead), NetclockStatus::OK);
        assert_eq!(netclock_adoption_destroy(adoption), NetclockStatus::OK);
        assert_eq!(netclock_peer_destroy(peer), NetclockStatus::OK);
        assert_eq!(netclock_stream_destroy(frames), NetclockStatus::OK);
        assert_eq!(netclock_relay_destroy(relay), NetclockStatus::OK);
        assert_eq!(netclock_latency_destroy(latency), NetclockStatus::OK);
    }
}
