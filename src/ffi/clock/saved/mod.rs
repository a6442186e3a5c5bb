//! What outlives a session.
//!
//! How fast this machine's clock runs and what was learned of a server, for the next session.
//! Header: netclock_saved.h

pub(crate) mod states;
pub(crate) mod rate;
