//! A shared clock for peers that only meet at a relay: the primary's clock, which the others follow.
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
//! The relay adds the time it held each message, on its own clock. Let `offset = shared - local`. Let `h1`
//! and `h2` be the smallest possible holds on the way there and back; `Peer` subtracts the relay clock's
//! drift. Then:
//!
//! ```text
//!   t1 - h1 - t0 = offset + delays there   is an upper bound
//!   t2 + h2 - t3 = offset - delays back    is a lower bound
//! ```
//!
//! A relay's hold is therefore treated like a server's, and `Peer` passes these timestamps to a
//! [`Client`](crate::Client). The client refuses holds that exceed the trip. A relay that reports false holds
//! can shift the clock by at most the trip. If you do not trust the relay, do not synchronise through it.
//!
//! Every message authenticates its sender's slot with a 64-bit number: the token drawn by the relay, or the
//! key drawn by the peer. An attacker who does not see the messages cannot guess it.
//!
//! When the primary is lost, the relay appoints another. The new primary continues with the shared clock as
//! it read it, and states the possible error. All others widen their bounds by that amount, and no clock
//! steps.
//!
//! `message.rs` names the messages, `docs/relay-protocol.md` specifies their bytes, and `ARCHITECTURE.md`
//! describes the files.

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
