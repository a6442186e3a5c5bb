//! Sessions.
//!
//! A host on the server and a guest on each client exchange datagrams of at most 256 bytes for the clock,
//! world time, UTC, the authority, starts and link offers. The game transports the datagrams, which may be
//! lost, duplicated, reordered and delayed. The host repeats changes until the guest confirms them.
//! Statuses: 1100 to 1199, positive and negative.
//! Header: netclock_session.h
//! Uses: netclock_keys.h netclock_handover.h

pub(crate) mod config;
pub(crate) mod host;
pub(crate) mod guest;
pub(crate) mod world;
pub(crate) mod utc;
pub(crate) mod start;
pub(crate) mod player;
pub(crate) mod latency;
pub(crate) mod status;
