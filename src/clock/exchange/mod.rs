//! Requests and replies, the bounds that their four timestamps prove, and the wire format.

mod path;
mod refusal;
mod stamps;
mod unguessable;
pub mod wire;

pub(crate) use path::Path;
pub use refusal::Refusal;
pub(crate) use stamps::Tolerance;
pub use stamps::{Exchange, Reply, Request, RequestId};
pub(crate) use unguessable::Unguessable;
pub use wire::WireError;
