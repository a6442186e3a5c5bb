//! chronyd beside the clock, over the same bad network: `lab chrony`.

pub mod command;
mod daemon;
mod scores;
