//! `lab serve`: a UDP server.

pub(crate) mod asked;
pub(crate) mod chrony;
pub mod command;
pub(crate) mod counts;
pub(crate) mod server;
pub(crate) mod source;
