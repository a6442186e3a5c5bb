//! Changes of latency.
//!
//! Whether the delays to the server or back changed, and at what speed to play until the change is hidden.
//! Statuses: 700 to 799, positive and negative.
//! Header: netclock_latency.h
//! Uses: netclock_keys.h

pub(crate) mod handle;
pub(crate) mod status;
