//! A request and its reply: the four stamps, the server's authority, and the bytes that carry them.

pub mod authority;
mod refusal;
mod stamps;
mod unguessable;
pub mod wire;

pub use refusal::Refusal;
pub(crate) use stamps::Tolerance;
pub use stamps::{Exchange, Reply, Request, RequestId};
pub(crate) use unguessable::Unguessable;
pub use wire::WireError;
