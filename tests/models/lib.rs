//! Model checks: sources of the library, with loom's atomics in place of those of the machine.
#![cfg(test)]

mod publication;
#[path = "../../src/clock/publish.rs"]
mod publish;
#[path = "../../src/sync.rs"]
mod sync;
