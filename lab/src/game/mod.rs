//! The time of a game's world between a server and its clients: who is told what, and when. No sockets and no clocks,
//! so that the demo's processes and the simulator speak the same protocol.
//!
//! ```text
//!  client                                                        server
//!  Follower ── ask: token, newest version known ───────────────▶ Teller
//!           ◀── token, if that was none of ours ────────────────
//!           ◀── segment, if the client has an older one ────────
//!           ◀── confirmation of the newest, if it has it ───────
//!           ◀── segment: when it is published, and again until the client says that it knows it
//! ```
//!
//! Notes are 32 bytes, segments 72 as the library writes them. Nobody is sent more than was asked with before the
//! token came back, so that nobody can be made to flood a third party.

pub(crate) mod follower;
pub(crate) mod note;
pub(crate) mod script;
pub(crate) mod teller;
