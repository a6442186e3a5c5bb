//! Handover.
//!
//! A new server continues the timescale of an earlier one, and the clients' clocks continue without a step.
//! Header: netclock_handover.h

pub(crate) mod authority;
