//! The demo: a server, relays and clients as processes of their own on one machine, whose monotonic clock is
//! the truth that every read of every client is judged against.

pub(crate) mod child;
pub(crate) mod client;
pub mod client_command;
pub mod command;
pub(crate) mod judge;
pub(crate) mod plan;
pub(crate) mod plots;
pub(crate) mod protocol;
pub(crate) mod record;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod screen;
pub(crate) mod summary;
