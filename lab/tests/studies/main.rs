//! Checks the clock's guarantees on every path, and its use in games, in simulated time.

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
