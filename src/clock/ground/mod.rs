//! The foundation: instants typed by timescale, checks of settings, fallible memory, and the atomics of
//! readers.

pub(crate) mod bytes;
pub(crate) mod direction;
pub(crate) mod memory;
pub(crate) mod range;
pub(crate) mod shared;
pub(crate) mod sync;
pub(crate) mod time;
