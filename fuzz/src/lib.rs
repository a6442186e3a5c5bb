//! Checks properties that must hold for any input. Each of the [`TARGETS`] turns its input into calls and
//! panics if these violate a guarantee. If the input ends early, the missing bytes are zeros.
//!
//! `cargo xtask fuzz` runs the targets with libFuzzer. Without it, `cargo xtask test` replays the useful
//! inputs in `corpus/`.

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
