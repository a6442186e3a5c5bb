//! The server.
//!
//! A server answers requests and remembers nobody. Besides, it can watch a client's clock for cheats, and
//! take a timescale over from a server that is gone.
//! Statuses: 300 to 399, positive and negative.

// In the order of the header: a blank line between two modules keeps it.

pub(crate) mod responder;

pub(crate) mod rate_watch;

pub(crate) mod adoption;

pub(crate) mod status;
