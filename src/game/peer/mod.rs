//! A shared clock for peers that communicate only through a relay. It is the clock of the primary, which the
//! other peers follow.
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
//! The relay writes into each message for how long it held the message, measured with its own clock. Let
//! `offset = shared - local`, and let `h1` and `h2` be the smallest possible holds on the way to the primary
//! and back, from which `Peer` has subtracted the drift of the relay's clock. Then:
//!
//! ```text
//!   t1 - h1 - t0 = offset + delays there   is an upper bound
//!   t2 + h2 - t3 = offset - delays back    is a lower bound
//! ```
//!
//! Therefore a relay's hold is treated like a server's, and `Peer` passes these timestamps to a
//! [`Client`](crate::Client). The client rejects holds that exceed the round trip. A relay that reports false
//! holds can shift the clock by at most the round trip. Do not synchronise through a relay that you do not
//! trust.
//!
//! Every message contains a random 64-bit number that authenticates the slot: the token drawn by the relay,
//! or the key drawn by the peer. An attacker who cannot see the messages cannot guess it.
//!
//! When the primary is lost, the relay appoints a new one. The new primary continues the shared clock from
//! its own reading and announces the possible error. All other peers widen their bounds by that amount, and
//! no clock steps.
//!
//! `message.rs` defines the messages, `docs/relay-protocol.md` specifies their bytes, and `ARCHITECTURE.md`
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
