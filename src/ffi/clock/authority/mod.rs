//! Authority.
//!
//! Whose clock a client shows, and how exactly that is known: for time that outlives a server.

pub(crate) mod handle;
