//! Slews the shown clock towards the estimate. This clock is monotonic and can be read from any thread.

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
