//! Checks properties that must hold for any input. Each of the [`TARGETS`] turns its input into calls, and
//! panics if a guarantee is violated. If the input ends early, the missing bytes are zeros.
//!
//! `cargo xtask fuzz` runs the targets with libFuzzer. `cargo xtask test` replays the useful inputs in
//! `corpus/` without libFuzzer.

use arbitrary::{Result, Unstructured};

pub mod abi;
pub mod client;
mod honest;
mod input;
pub mod link;
pub mod peer;
pub mod report;
pub mod saved;
pub mod session;
mod status;
pub mod wire;
mod witness;

/// The name of a target and its corpus, and the function that interprets an input.
pub type Target = (&'static str, fn(&mut Unstructured<'_>) -> Result<()>);

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

/// Runs a target with the bytes of an input.
pub fn run((_, target): Target, bytes: &[u8]) {
    let _used_up = target(&mut Unstructured::new(bytes));
}
