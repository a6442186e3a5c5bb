//! Log and tap.
//!
//! Callbacks receive a client's log messages and its exchanges.
//! Header: netclock_saved.h

pub(crate) mod log;
pub(crate) mod tap;
pub(crate) mod callbacks;
