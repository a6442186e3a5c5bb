//! One question and its answer: the four stamps, and the bytes that carry them.

pub(crate) mod stamps;
mod unguessable;
pub mod wire;

pub use stamps::{Exchange, Reply, Request, RequestId};
pub(crate) use unguessable::Unguessable;
