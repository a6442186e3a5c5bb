//! The studies in simulated time: what the clock, and what games do with it, keep on every path.

mod gate;
mod handover;
mod latency;
mod order;
mod start;
mod watch;
mod world_gate;

#[path = "../../../tests/support/seed.rs"]
mod seed;
