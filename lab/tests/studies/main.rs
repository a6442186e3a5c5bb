//! The studies in simulated time: what the clock promises on every path, and what games can do with it.

mod first_gate;
mod gate;
mod latency;
mod order;
mod peers;
mod real;
mod report;
mod slewed;
mod start;
mod support;
mod watch;
mod world_gate;
