//! `lab sync`: a UDP client.

pub(crate) mod client;
pub mod command;
pub(crate) mod events;
mod judge;
mod linked;
mod noted;
mod output;
mod traffic;
