//! One clock for peers that only meet at a relay: the primary's clock is the shared one, the others follow
//! it.
//!
//! ```text
//!  peer                              relay (only forwards)                     primary
//!    LOGIN (version, game, key)  ──▶  cookie
//!    LOGIN (the same, cookie)    ──▶  slot, role, token
//!    READY, 4 a second           ──▶  who is there; who leads
//!    SYNCH_REQUEST id    (t0)    ──▶  + held ────────────────────────────────▶  t1
//!    t3  ◀─────────────────────────── + held ◀──── SYNCH_REPLY id, t1, t2, held  t2
//! ```
//!
//! The relay stamps how long it held each message, by its own clock. Let `offset = shared - local`. Let `h1`
//! and `h2` be the least holds on the way there and back: `Peer` takes off what the relay's clock may run
//! fast. Then:
//!
//! ```text
//!   t1 - h1 - t0 = offset + delays there   is an upper bound
//!   t2 + h2 - t3 = offset - delays back    is a lower bound
//! ```
//!
//! So a relay's hold counts as a server's hold does, and `Peer` hands such stamps to a
//! [`Client`](crate::Client). The client refuses holds that exceed the trip. A relay that claims false holds
//! can shift the clock by no more than the trip. If you do not trust the relay, do not synchronise through
//! it.
//!
//! Every message proves its sender's slot by a number of 64 bits: the token that the relay drew, or the key
//! that the peer drew. Somebody who does not see the messages cannot guess it.
//!
//! When the primary is lost, the relay names another. The new primary continues with the shared clock as it
//! read it, and says how far it may have been off. All others widen their bounds by that amount, and nobody
//! steps.
//!
//! `message.rs` names the messages, `docs/relay-protocol.md` has their bytes, and `ARCHITECTURE.md` says what
//! each file does.

mod bits;
mod config;
mod cookie;
mod dialogue;
mod error;
mod exchanges;
mod fields;
mod game;
mod login;
mod message;
mod outbox;
mod reading;
mod relay;
mod shared_clock;
mod slot;
mod strangers;
mod stream;

pub use config::RelayConfig;
pub use dialogue::Peer;
pub use error::{PeerError, Rejection};
pub(crate) use message::VERSION as PROTOCOL_VERSION;
pub use message::{FIRST_GAME_ID, GAME_HEAD, MESSAGE_MOST, Role};
pub use reading::{GameMessage, PeerReading, PeerStage};
pub use relay::{GameStatus, Relay};
pub use stream::StreamReader;
