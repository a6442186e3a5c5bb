//! The shown clock, which is monotonic, can be read from any thread, and is slewed towards the estimate.

mod mapping;
mod pace;
mod publish;
mod snapshot;
mod steer;
mod words;

pub(crate) use mapping::Mapping;
pub(crate) use publish::{Line, Published};
pub(crate) use snapshot::{Position, Snapshot};
pub use snapshot::{Reading, State};
pub(crate) use steer::Discipline;
pub(crate) use words::WORDS;
