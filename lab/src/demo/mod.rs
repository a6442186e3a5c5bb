//! A server and clients, each a process on one machine, connected by forwarders that imitate bad networks:
//! `lab demo`.
//!
//! The machine's monotonic clock is the truth for every read of every client.

pub(crate) mod audience;
pub(crate) mod broadcast;
pub mod client;
pub mod command;
pub(crate) mod figures;
mod judge;
pub(crate) mod plan;
pub(crate) mod protocol;
pub(crate) mod reads;
pub(crate) mod record;
pub(crate) mod report;
pub(crate) mod rivals;
pub(crate) mod run;
mod runs;
pub(crate) mod screen;
pub(crate) mod stage;
pub(crate) mod summary;
mod why;
mod world;
