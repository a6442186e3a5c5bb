//! The server.
//!
//! A server answers requests and remembers nobody.

// In the order of the header: a blank line between two modules keeps it.

pub(crate) mod handle;

pub(crate) mod refusal;
