//! Session keys.
//!
//! A server draws a key for each player, and sends it over a connection that others cannot read. From then on
//! both sides seal their messages with it.

// In the order of the header: a blank line between two modules keeps it.

pub(crate) mod keyed;

pub(crate) mod session_keys;
