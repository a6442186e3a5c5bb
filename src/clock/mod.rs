//! From an estimate to the clock that is shown: monotone, slewed, readable from any thread.

mod discipline;
mod mapping;
mod publish;
mod snapshot;

pub(crate) use discipline::{Discipline, Steering};
pub(crate) use publish::Published;
pub(crate) use snapshot::{Position, Snapshot, WORDS, decode_mapping};
pub use snapshot::{Reading, State};
