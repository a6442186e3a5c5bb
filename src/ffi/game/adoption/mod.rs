//! Handover.
//!
//! A new server continues the timescale of a failed server. It learns the timescale from the clients.
//! Statuses: 300 to 399, positive and negative.
//! Header: netclock_handover.h

pub(crate) mod authority;
pub(crate) mod handle;
pub(crate) mod status;
