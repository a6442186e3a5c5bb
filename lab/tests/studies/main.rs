//! Studies in simulated time. They check the clock's guarantees on every path, and its uses in games.

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
