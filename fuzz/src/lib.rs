//! Checks properties that must hold for any input. Each of the [`TARGETS`] turns bytes into calls and panics
//! if a guarantee is violated. Missing bytes are read as zeros.
//!
//! `cargo xtask fuzz` runs the targets with libFuzzer. `cargo xtask test` replays the useful inputs in
//! `corpus/` without libFuzzer.

pub mod abi;
pub mod client;
mod honest;
mod input;
pub mod link;
pub mod peer;
mod refusal;
pub mod report;
pub mod saved;
pub mod session;
mod status;
pub mod wire;
mod witness;

/// The name of a target and its corpus, and the function that runs an input.
pub type Target = (&'static str, fn(&[u8]));

/// libFuzzer runs these targets, and the tests replay them.
pub const TARGETS: [Target; 9] = [
    ("abi", abi::run),
    ("client", client::run),
    ("datagrams", session::datagrams),
    ("link", link::run),
    ("peer", peer::run),
    ("report", report::run),
    ("saved", saved::run),
    ("session", session::run),
    ("wire", wire::run),
];
