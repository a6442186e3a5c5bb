//! The clock, for C.
//! Header: netclock.h

// In the order of the header: a blank line between two modules keeps it.

pub(crate) mod exchange;

pub(crate) mod client;

pub(crate) mod responder;

pub(crate) mod keys;
