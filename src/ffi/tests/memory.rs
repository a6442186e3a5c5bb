//! What a handle costs. `cargo xtask size` prints what is printed here.

use core::ptr;

use crate::ffi::base::growable::Growable;
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::clock::client::handle::*;
use crate::ffi::clock::keys::keyed::*;
use crate::ffi::clock::keys::session_keys::*;
use crate::ffi::clock::responder::handle::*;
use crate::ffi::game::adoption::handle::*;
use crate::ffi::game::latency::handle::*;
use crate::ffi::game::order::lead::*;
use crate::ffi::game::peer::handle::*;
use crate::ffi::game::peer::relay::*;
use crate::ffi::game::peer::stream::*;
use crate::ffi::game::start::organiser::*;
use crate::ffi::game::start::participant::*;
use crate::ffi::game::timeline::handle::*;
use crate::ffi::game::timeline::publisher::*;
use crate::ffi::game::utc::publisher::*;
use crate::ffi::game::utc::view::*;
use crate::ffi::game::watch::handle::*;
use crate::ffi::link::client::*;
use crate::ffi::link::common::*;
use crate::ffi::link::server::*;

/// Largest memory of one handle, everything it points to included.
const MOST_BYTES: u64 = 8 * 1024;
/// Of a lead: the delays of both directions, and the departures of 256 messages.
const MOST_BYTES_OF_A_LEAD: u64 = 11 * 1024;
/// Largest memory of a latency watch.
const MOST_BYTES_OF_LATENCY: u64 = 1280;
/// Largest memory of the watch over one client's clock: a server has one for each player.
const MOST_BYTES_OF_A_WATCH: u64 = 256;
/// Largest memory of a peer: a client, and what others asked it.
const MOST_BYTES_OF_A_PEER: u64 = 12 * 1024;
/// Largest memory of a relay for each game of eight: the queues of its slots.
const MOST_BYTES_OF_A_GAME: u64 = 72 * 1024;
/// Largest memory of an organiser for 64 participants.
const MOST_BYTES_OF_AN_ORGANISER: u64 = 9 * 1024;

/// Largest memory of session keys and of a server's link, with room for 64 keys.
const MOST_BYTES_OF_A_LINK: u64 = 10 * 1024;

/// Bytes that a handle takes. It is destroyed again.
fn cost<H>(
    create: impl Fn(*mut *mut H) -> NetclockStatus,
    destroy: unsafe extern "C" fn(*mut H) -> NetclockStatus,
) -> u64 {
    // The least of several: the registry may make room for more handles meanwhile.
    let costs = (0..5).map(|_| {
        let mut handle = ptr::null_mut();
        let taken = allocation_counter::measure(|| assert_eq!(create(&raw mut handle), NetclockStatus::OK));
        // SAFETY: created above, and used by nobody.
        assert_eq!(unsafe { destroy(handle) }, NetclockStatus::OK);
        taken.bytes_total
    });
    costs.min().unwrap_or_default()
}

/// The names of all handles, after `netclock_`.
fn handles() -> impl Iterator<Item = &'static str> {
    let declared = super::HEADERS.lines().filter_map(|line| line.strip_prefix("typedef struct netclock_"));
    declared
        .filter_map(|rest| rest.split_once(' '))
        .filter(|(_, rest)| rest.ends_with(';'))
        .map(|(name, _)| name)
}

#[test]
fn handles_take_little_memory() {
    // So that no share of the registry is empty, and gives its room back.
    let crowd: Vec<_> = (0..200).map(|_| super::client()).collect();

    let adoption = NetclockAdoptionConfig::zero();
    let one_game = NetclockRelayConfig { games: 1, slots: 8, ..NetclockRelayConfig::zero() };
    let polled = NetclockLinkServerConfig { flags: NETCLOCK_LINK_POLLED, ..NetclockLinkServerConfig::zero() };
    let polled_client =
        NetclockLinkClientConfig { flags: NETCLOCK_LINK_POLLED, ..NetclockLinkClientConfig::zero() };
    let (linked, here) = (super::client(), c"127.0.0.1".as_ptr());
    let key = NetclockSessionKey { secret_high: 1, secret_low: 2, id: 5, restarts: 0 };
    // SAFETY: settings are null for the defaults, or have the size they state; every handle can be written.
    let costs = unsafe {
        [
            ("client", cost(|it| netclock_client_create(ptr::null(), 1, 2, it), netclock_client_destroy)),
            ("server", cost(|it| netclock_server_create(1, it), netclock_server_destroy)),
            (
                "sealed_channel",
                cost(|it| netclock_sealed_channel_create(&key, 1, it), netclock_sealed_channel_destroy),
            ),
            (
                "session_keys",
                cost(|it| netclock_session_keys_create(ptr::null(), it), netclock_session_keys_destroy),
            ),
            (
                "link_server",
                cost(
                    |it| netclock_link_server_create(&polled, ptr::null(), 0, 1, it),
                    netclock_link_server_destroy,
                ),
            ),
            (
                "link_client",
                cost(
                    |it| netclock_link_client_create(&polled_client, linked, here, 9, &key, it),
                    netclock_link_client_destroy,
                ),
            ),
            (
                "rate_watch",
                cost(|it| netclock_rate_watch_create(ptr::null(), it), netclock_rate_watch_destroy),
            ),
            ("adoption", cost(|it| netclock_adoption_create(&adoption, 1, 2, it), netclock_adoption_destroy)),
            (
                "publisher",
                cost(|it| netclock_publisher_create(ptr::null(), 1, 1, it), netclock_publisher_destroy),
            ),
            ("timeline", cost(|it| netclock_timeline_create(ptr::null(), it), netclock_timeline_destroy)),
            (
                "utc_publisher",
                cost(|it| netclock_utc_publisher_create(ptr::null(), 1, it), netclock_utc_publisher_destroy),
            ),
            ("server_utc", cost(|it| netclock_server_utc_create(1, 2, it), netclock_server_utc_destroy)),
            ("lead", cost(|it| netclock_lead_create(ptr::null(), it), netclock_lead_destroy)),
            (
                "organiser",
                cost(|it| netclock_organiser_create(ptr::null(), 1, it), netclock_organiser_destroy),
            ),
            ("participant", cost(|it| netclock_participant_create(1, it), netclock_participant_destroy)),
            ("latency", cost(|it| netclock_latency_create(ptr::null(), it), netclock_latency_destroy)),
            ("stream", cost(|it| netclock_stream_create(it), netclock_stream_destroy)),
            ("relay", cost(|it| netclock_relay_create(&one_game, 2, 3, it), netclock_relay_destroy)),
            ("peer", cost(|it| netclock_peer_create(ptr::null(), 1, 2, 3, it), netclock_peer_destroy)),
        ]
    };
    for (name, bytes) in costs {
        let most = match name {
            "rate_watch" => MOST_BYTES_OF_A_WATCH,
            "latency" => MOST_BYTES_OF_LATENCY,
            "lead" => MOST_BYTES_OF_A_LEAD,
            "organiser" => MOST_BYTES_OF_AN_ORGANISER,
            "relay" => MOST_BYTES_OF_A_GAME,
            "peer" => MOST_BYTES_OF_A_PEER,
            "link_server" | "session_keys" => MOST_BYTES_OF_A_LINK,
            _ => MOST_BYTES,
        };
        println!("a netclock_{name} takes {bytes} bytes");
        assert!(bytes <= most, "{name}");
    }
    for handle in handles() {
        assert!(costs.iter().any(|&(name, _)| name == handle), "nobody measured a netclock_{handle}");
    }
    assert_eq!(handles().count(), costs.len());

    super::destroy(linked);
    for other in crowd {
        super::destroy(other);
    }
}
