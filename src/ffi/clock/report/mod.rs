//! Recording.
//!
//! A callback receives a client's exchanges.
//! Header: netclock_saved.h

pub(crate) mod tap;
