//! Handover.
//!
//! A new server takes a timescale over from the clients of a server that is gone.
//! Statuses: 300 to 399, positive and negative.
//! Header: netclock_handover.h

pub(crate) mod authority;
pub(crate) mod handle;
pub(crate) mod status;
