//! Saved states.
//!
//! A client can save what it learned about this machine's clock and about a server for later sessions.
//! Header: netclock_saved.h

pub(crate) mod states;
pub(crate) mod rate;
