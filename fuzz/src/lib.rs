//! What must hold for any input. Each module is a fuzz target: `run` turns arbitrary bytes into calls and
//! panics if a promise is broken. When the bytes run out they read as zeros, so no error of theirs has to be
//! handled.
//!
//! `cargo xtask fuzz` drives the targets with libFuzzer. Inputs worth keeping are in `corpus/`, and `cargo
//! xtask test` replays them without any tool.

pub mod abi;
pub mod client;
pub mod handover;
mod honest;
mod input;
pub mod keyed;
pub mod latency;
pub mod link;
pub mod order;
pub mod peer;
pub mod rate_watch;
mod refusal;
pub mod saved;
pub mod start;
mod status;
pub mod timeline;
pub mod utc;
pub mod wire;
mod witness;
