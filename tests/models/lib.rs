//! Model checks: the library's sources, with loom's atomics in place of the machine's.
#![cfg(test)]

mod publication;
#[path = "../../src/clock/publish.rs"]
mod publish;
#[path = "../../src/sync.rs"]
mod sync;
