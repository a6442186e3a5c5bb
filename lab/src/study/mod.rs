//! The studies: each folder holds a simulation and the command that shows its results.

pub mod clock;
pub mod explore;
pub mod handover;
pub mod latency;
#[cfg(target_os = "linux")]
pub mod netns;
pub mod order;
pub mod peer;
pub mod start;
pub mod verdicts;
pub mod watch;
pub mod world;
