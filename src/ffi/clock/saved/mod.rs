//! Saved states.
//!
//! The rate of this machine's clock, and information about a server, saved for later sessions.
//! Header: netclock_saved.h

pub(crate) mod states;
pub(crate) mod rate;
