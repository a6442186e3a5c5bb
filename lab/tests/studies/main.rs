//! The studies in simulated time: what the clock, and what games do with it, keep on every path. And the order of the
//! rooms that they are in.

mod first_gate;
mod gate;
mod handover;
mod latency;
mod order;
mod real;
mod report;
mod rooms;
mod slewed;
mod start;
mod watch;
mod world_gate;

#[path = "../../../tests/support/rooms.rs"]
mod room_check;
#[path = "../../../tests/support/seed.rs"]
mod seed;
