//! chronyd beside the clock, over the same bad network: `lab study chrony`.

pub mod command;
pub mod daemon;
