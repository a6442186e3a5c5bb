//! The server.
//!
//! A server answers requests and remembers nobody.

pub(crate) mod handle;
