//! chronyd beside the clock.

pub mod daemon;
