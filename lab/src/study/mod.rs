//! The studies. Each folder contains a simulation and the command that prints its results.

pub mod ablate;
pub mod bench;
pub mod explore;
pub mod latency;
#[cfg(target_os = "linux")]
pub mod netns;
pub mod order;
pub(crate) mod output;
pub mod peers;
pub mod start;
pub mod timeline;
pub mod verdicts;
pub mod watch;
