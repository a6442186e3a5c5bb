//! What tests do with handles of any kind: look at them, and poison them.

use core::fmt::Debug;
use core::ptr;
use std::panic::resume_unwind;

use crate::ffi::base::handle::{self, Handle};
use crate::ffi::base::owned::{self, Owner};
use crate::ffi::clock::client::handle::{NetclockClient, write};
use crate::ffi::clock::keys::keyed::NetclockSealedChannel;
use crate::ffi::clock::keys::session_keys::NetclockSessionKeys;
use crate::ffi::clock::responder::handle::NetclockServer;
use crate::ffi::game::adoption::handle::NetclockAdoption;
use crate::ffi::game::latency::handle::NetclockLatency;
use crate::ffi::game::order::lead::NetclockLead;
use crate::ffi::game::peer::handle::NetclockPeer;
use crate::ffi::game::peer::relay::NetclockRelay;
use crate::ffi::game::peer::stream::NetclockStream;
use crate::ffi::game::start::organiser::NetclockOrganiser;
use crate::ffi::game::start::participant::NetclockParticipant;
use crate::ffi::game::timeline::handle::NetclockTimeline;
use crate::ffi::game::timeline::publisher::NetclockPublisher;
use crate::ffi::game::utc::publisher::NetclockUtcPublisher;
use crate::ffi::game::utc::view::NetclockServerUtc;
use crate::ffi::game::watch::handle::NetclockRateWatch;
use crate::ffi::link::client::NetclockLinkClient;
use crate::ffi::link::server::NetclockLinkServer;

/// What is done with a live handle of one kind, by its address.
struct Kind {
    kind: &'static str,
    state: fn(u64) -> String,
    poison: fn(u64),
}

const KINDS: [Kind; 19] = [
    Kind { state: of_client, ..plain::<NetclockClient>() },
    plain::<NetclockServer>(),
    plain::<NetclockLinkClient>(),
    plain::<NetclockLinkServer>(),
    seen::<NetclockSealedChannel>(),
    seen::<NetclockSessionKeys>(),
    seen::<NetclockRateWatch>(),
    seen::<NetclockAdoption>(),
    seen::<NetclockLatency>(),
    seen::<NetclockLead>(),
    seen::<NetclockPeer>(),
    seen::<NetclockRelay>(),
    seen::<NetclockStream>(),
    seen::<NetclockOrganiser>(),
    seen::<NetclockParticipant>(),
    seen::<NetclockTimeline>(),
    seen::<NetclockPublisher>(),
    seen::<NetclockUtcPublisher>(),
    seen::<NetclockServerUtc>(),
];

/// A kind whose handles hold nothing that a call could change, or a socket.
const fn plain<H: Handle>() -> Kind {
    Kind { kind: H::KIND, state: |_| String::new(), poison: poison::<H> }
}

const fn seen<H: Owner>() -> Kind
where
    H::Value: Debug,
{
    Kind { state: of_owned::<H>, ..plain::<H>() }
}

fn at<H>(address: u64) -> *mut H {
    ptr::with_exposed_provenance_mut(address as usize)
}

fn poison<H: Handle>(address: u64) {
    // SAFETY: the machine passes live handles.
    unsafe { handle::read("a_test", at::<H>(address), |_| resume_unwind(Box::new("poisoned"))) };
}

fn of_owned<H: Owner>(address: u64) -> String
where
    H::Value: Debug,
{
    let mut state = String::new();
    // SAFETY: as above.
    unsafe {
        owned::change("a_test", at::<H>(address), |value| {
            state = format!("{value:?}");
            Ok(())
        })
    };
    state
}

fn of_client(address: u64) -> String {
    let mut state = String::new();
    // SAFETY: as above.
    unsafe {
        write("a_test", at(address), |client| {
            // The tap is told of what was refused, too, and the sample is kept for it.
            state = format!("{client:?}").split(", last_sample: ").next().unwrap_or_default().to_owned();
            Ok(())
        })
    };
    state
}

fn of(kind: &str) -> &'static Kind {
    let found = KINDS.iter().find(|known| known.kind.strip_prefix("netclock_") == Some(kind));
    found.unwrap_or_else(|| panic!("no test knows how a {kind} is looked at"))
}

/// What a live handle is, to the last bit.
pub(super) fn state(kind: &str, address: u64) -> String {
    (of(kind).state)(address)
}

/// Panics in a call on it.
pub(super) fn poisoned(kind: &str, address: u64) -> u64 {
    (of(kind).poison)(address);
    address
}
