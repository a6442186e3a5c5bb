//! One conversation.
//!
//! A host on the server and a guest on each client carry the clock, world time, UTC, the authority, starts
//! and link offers in datagrams of at most 256 bytes. The game carries the datagrams, which may be lost,
//! duplicated, reordered and delayed. The host repeats its news until the guest confirms it.
//! Statuses: 1100 to 1199, positive and negative.
//! Header: netclock_session.h
//! Uses: netclock_keys.h netclock_handover.h

pub(crate) mod config;
pub(crate) mod host;
pub(crate) mod guest;
pub(crate) mod world;
pub(crate) mod utc;
pub(crate) mod start;
pub(crate) mod watch;
pub(crate) mod latency;
pub(crate) mod status;
