//! The link.
//!
//! A transport of NetClock's own beside the game's: UDP datagrams under a session key, on a thread
//! of its own, so that no frame holds them. The server admits a key for each player, and sends it with the
//! port over the game's connection, to this player only. While the link is good, the clock is as good as the
//! network. If UDP is blocked, the game's messages go on as before.
//! Statuses: 1000 to 1099, positive and negative.
//! Header: netclock_link.h
//! Uses: netclock_keys.h

pub(crate) mod carried;
pub(crate) mod linked;
pub(crate) mod common;
pub(crate) mod report;
pub(crate) mod server;
pub(crate) mod client;
pub(crate) mod status;
