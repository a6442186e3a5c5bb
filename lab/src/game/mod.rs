//! The messages about the time of a game's world. There are no sockets and no clocks here, so that processes
//! and simulations use the same protocol.
//!
//! ```text
//!  client                                                        server
//!  Follower ── ask: token, newest version known ───────────────▶ Distributor
//!           ◀── token, if the client sent another one ─────────
//!           ◀── segment, if the client has an older one ────────
//!           ◀── confirmation of the newest, if it has it ───────
//!           ◀── segment, when it is published, and again until the client confirms it
//! ```
//!
//! A note has 32 bytes, a segment 72. Until a client has returned its token, it gets no more bytes than it
//! sent. So nobody can use the server to flood a third party.

pub(crate) mod distributor;
pub(crate) mod follower;
pub(crate) mod note;
pub(crate) mod script;
pub(crate) mod starts;
