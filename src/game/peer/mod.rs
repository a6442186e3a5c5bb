//! A shared clock for peers that communicate only through a relay. All peers follow one peer, the primary.
//!
//! ```text
//!  peer                              relay (only forwards)                     primary
//!    LOGIN (game, key)           ──▶  CHALLENGE (cookie)
//!    LOGIN (the same, cookie)    ──▶  STATE (slot, token, who leads, when the game began)
//!    READY, 4 a second           ──▶  STATE
//!    REQUEST id          (t0)    ──▶  + held ────────────────────────────────▶  t1
//!    t3  ◀─────────────────────────── + held ◀──────── REPLY id, t1, t2, held   t2
//! ```
//!
//! The relay measures with its own clock how long it holds each message, and writes this hold into the
//! message. Peers add this hold to the time for which the primary held the request (`docs/theory.md`,
//! "Through a relay"). [`Peer`] passes the timestamps to a [`Client`](crate::Client), which rejects holds
//! that exceed the round trip. By reporting false holds, a relay can shift the clock by at most the round
//! trip. Do not synchronise through a relay that you do not trust.
//!
//! Every message contains a random 64-bit number that authenticates the slot. The number is either a token
//! drawn by the relay or a key drawn by the peer. An attacker who cannot see the messages cannot guess the
//! number.
//!
//! When the primary is lost, the relay appoints a new one. It continues the shared clock from its own
//! reading. The new primary's replies contain an [`Authority`](crate::authority::Authority) with the same
//! timescale, so no clock steps during the handover. The authority's dispersion is the possible error of the
//! continued clock.
//!
//! `docs/relay-protocol.md` specifies the messages.

mod error;
mod game;
mod message;
mod participant;
mod reading;
mod relay;
mod strangers;

pub use error::{PeerError, Rejection};
pub use message::PEER_DATAGRAM_SIZE;
pub use participant::Peer;
pub use reading::{PeerReading, PeerStage};
pub use relay::{GameStatus, Relay, RelayConfig};
