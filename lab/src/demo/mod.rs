//! `lab demo`: runs a server and clients on one machine, connected by forwarders that imitate bad networks.
//!
//! The server and each client run on their own threads and use UDP sockets. Every read of every client is
//! compared with the machine's monotonic clock, which is the truth.

pub(crate) mod broadcast;
pub(crate) mod client;
pub mod command;
pub(crate) mod figures;
pub(crate) mod judge;
pub(crate) mod plan;
pub(crate) mod reads;
pub(crate) mod record;
pub(crate) mod report;
pub(crate) mod rivals;
pub(crate) mod run;
mod runs;
pub(crate) mod screen;
pub(crate) mod summary;
mod threads;
mod truth;
mod why;
