//! A peer that shares a clock through a relay: `lab peer`.

pub mod command;
mod line;
