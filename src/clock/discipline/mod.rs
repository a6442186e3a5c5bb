//! From an estimate to the clock that is shown: monotone, slewed, readable from any thread.

mod discipline;
mod mapping;
mod pace;
mod publish;
mod snapshot;
mod words;

pub(crate) use discipline::{Discipline, Steering};
pub(crate) use mapping::Mapping;
pub(crate) use publish::{Line, Published};
pub(crate) use snapshot::{Position, Snapshot};
pub use snapshot::{Reading, State};
pub(crate) use words::WORDS;
