//! The server.
//!
//! A server answers requests, and stores nothing about clients.

pub(crate) mod handle;
