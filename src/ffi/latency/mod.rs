//! Whether the latency changed, and the speed that hides it.

// In the order of the header: a blank line between two modules keeps it.

pub(crate) mod handle;

pub(crate) mod status;
