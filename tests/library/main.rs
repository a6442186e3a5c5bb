//! Tests of the public Rust API in simulated time.

mod asking;
mod asymmetry;
mod crystals;
mod faults;
mod first_packet;
mod handover;
mod hints;
mod link;
mod peer;
mod peer_refusals;
mod resources;
mod sample_counter;
mod security;
mod session;
mod slew;
mod timeline_overload;
mod timeline_publisher;
mod timeline_reads;

#[path = "../support/relayed.rs"]
mod relayed;
