//! The C functions of the clock.
//! Header: netclock.h

pub(crate) mod exchange;
pub(crate) mod responder;
pub(crate) mod client;
pub(crate) mod version;
pub(crate) mod keys;
pub(crate) mod saved;
pub(crate) mod report;
