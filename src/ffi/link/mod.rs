//! Links.
//!
//! A link is a UDP transport for NetClock's own datagrams, which are sealed with a session key. It runs on a
//! separate thread, so frames do not delay its datagrams. The server admits a key for each player, and sends
//! the key and the port only to that player, over the game's connection. While the link works, the clock is
//! as accurate as the network permits. If UDP is blocked, the clock continues to use the game's messages.
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
