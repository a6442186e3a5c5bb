//! Log and tap.
//!
//! A client reports to callbacks: messages for people, and every exchange for recordings.
//! Header: netclock_saved.h

pub(crate) mod log;
pub(crate) mod tap;
pub(crate) mod callbacks;
