//! The studies, a folder each: what is simulated, and the command that shows it.

pub mod clock;
pub mod handover;
pub mod latency;
pub mod order;
pub mod peer;
pub mod start;
pub mod watch;
pub mod world;
