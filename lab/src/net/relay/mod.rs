//! A relay between peers: `lab relay`.

pub mod command;
mod hub;
