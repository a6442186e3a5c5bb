//! `lab demo`: runs a server and clients on one machine, connected by forwarders that simulate bad networks.
//!
//! The server and each client use UDP sockets and have their own threads. Every read of every client is
//! compared with the machine's monotonic clock as the truth.

mod client;
pub mod command;
mod live;
mod page;
mod plan;
mod record;
mod rivals;
mod run;
mod words;
