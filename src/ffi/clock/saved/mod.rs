//! Saved states.
//!
//! What a session learns about this machine's clock and about a server can be saved for later sessions.
//! Header: netclock_saved.h

pub(crate) mod states;
pub(crate) mod rate;
