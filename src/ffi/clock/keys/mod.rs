//! Session keys.
//!
//! A server draws a key for each player, and sends it over a connection that others cannot read. From then on
//! both sides seal their messages with it.
//! Header: netclock_keys.h
//! Statuses: 120 to 129, positive and negative.

pub(crate) mod keyed;
pub(crate) mod session_keys;
pub(crate) mod status;
