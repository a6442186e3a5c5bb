//! `lab impair`: simulates a bad network between clients and a server.

pub mod command;
pub(crate) mod forwarder;
pub(crate) mod impairment;
pub(crate) mod leg;
