//! Instants, range checks, fallible allocation, and the atomics for readers.

pub(crate) mod bytes;
pub(crate) mod direction;
pub(crate) mod memory;
pub(crate) mod range;
pub(crate) mod shared;
pub(crate) mod sync;
pub(crate) mod time;
