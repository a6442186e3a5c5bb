//! What must hold whatever comes in. Each module is a fuzz target: `run` takes arbitrary bytes, makes calls of them,
//! and panics if one of its promises is broken.
//!
//! `cargo xtask fuzz` drives them with libFuzzer. What it found worth keeping lies in `corpus/` and is replayed by
//! `cargo xtask test`, without any tool.

pub mod abi;
pub mod client;
pub mod handover;
mod honest;
mod input;
pub mod latency;
pub mod order;
pub mod peer;
pub mod rate_watch;
pub mod start;
pub mod timeline;
pub mod wire;
mod witness;
