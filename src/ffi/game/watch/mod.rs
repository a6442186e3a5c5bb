//! Watching clients' clocks.
//!
//! A server can watch whether a client's clock runs at the rate of its own, to find cheats that speed their
//! game up.
//! Header: netclock_watch.h

pub(crate) mod handle;
