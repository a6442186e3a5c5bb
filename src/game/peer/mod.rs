//! One clock for peers that only meet at a relay: the primary's clock is the shared one, the others follow it.
//!
//! ```text
//!  peer                              relay (only forwards)                     primary
//!    LOGIN (version, game, key)  ──▶  seat, role, token
//!    READY, 4 a second           ──▶  who is there; who leads
//!    SYNCH_REQUEST id, t0        ──▶  + held ────────────────────────────────▶  t1
//!    t3  ◀─────────────────────────── + held ◀──── SYNCH_REPLY id, t1, t2, held  t2
//! ```
//!
//! The relay stamps how long it held each message, by its own clock. With `offset = shared - local` and holds `h1` on the
//! way there and `h2` on the way back, as they were certainly at least (`Peer` takes off what the relay's clock may run
//! fast):
//!
//! ```text
//!   t1 - h1 - t0 = offset + delays there   is an upper bound
//!   t2 + h2 - t3 = offset - delays back    is a lower bound
//! ```
//!
//! So a hold is what a server's hold is, and the rest is the client's: `Peer` hands such stamps to a
//! [`Client`](crate::Client). Holds that exceed the trip are refused there. A relay that claims holds which it did not
//! have can be wrong by no more than the trip; who does not trust a relay so far has to ask it for no clock.
//!
//! When the primary is lost, the relay names another. That one goes on with the shared clock as it read it, and says by
//! how much it may have been off; everybody else widens his bound by as much, and nobody steps.
//!
//! The messages are in `message.rs` and in `docs/relay-protocol.md`.

mod dialogue;
mod error;
mod follow;
mod frames;
mod game;
mod message;
mod outbox;
mod relay;
mod seat;

pub use dialogue::{GameMessage, Peer, PeerReading, PeerStage, Role};
pub use error::{PeerError, Rejection};
pub use frames::Frames;
pub use message::{FIRST_GAME_ID, GAME_HEAD, MESSAGE_MOST};
pub use relay::{Relay, RelayConfig, Session};
