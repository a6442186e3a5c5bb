//! chronyd beside the clock, over the same bad network: `lab chrony`.

pub mod command;
pub(crate) mod daemon;
mod scores;
