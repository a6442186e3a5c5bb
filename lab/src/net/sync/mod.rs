//! A UDP client: `lab sync`.

pub(crate) mod client;
pub mod command;
pub(crate) mod events;
mod state;
