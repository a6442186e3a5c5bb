//! A server and clients on one machine, connected by forwarders that imitate bad networks: `lab demo`.
//!
//! Server and clients each run on their own thread and use UDP sockets. The machine's monotonic clock is the
//! truth for every read of every client.

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
