//! Handover.
//!
//! A new server takes a timescale over from the clients of a server that is gone.
//! Statuses: 300 to 399, positive and negative.
//! Header: netclock_handover.h

// In the order of the header: a blank line between two modules keeps it.

pub(crate) mod authority;

pub(crate) mod handle;

pub(crate) mod status;
