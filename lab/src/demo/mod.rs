//! `lab demo`: runs a server and clients on one machine, connected by forwarders that imitate bad networks.
//!
//! The server and each client run on their own threads and use UDP sockets. Every read of every client is
//! compared with the machine's monotonic clock, which is the truth.

mod client;
pub mod command;
mod live;
mod page;
mod plan;
mod record;
mod rivals;
mod run;
mod words;
