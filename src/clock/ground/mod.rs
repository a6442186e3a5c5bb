//! Building blocks of the clock, such as instants, range checks and fallible allocation.

pub(crate) mod bytes;
pub(crate) mod direction;
pub(crate) mod memory;
pub(crate) mod range;
pub(crate) mod shared;
pub(crate) mod sync;
pub(crate) mod time;
