//! The studies in simulated time: what the clock, and what games do with it, keep on every path.

mod first_gate;
mod gate;
mod handover;
mod latency;
mod order;
mod real;
mod report;
mod slewed;
mod start;
mod support;
mod watch;
mod world_gate;
