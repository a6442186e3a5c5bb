//! What games do with the clock, for C: a header for each folder. They do not use each other.

pub(crate) mod timeline;
pub(crate) mod utc;
pub(crate) mod start;
pub(crate) mod order;
pub(crate) mod latency;
pub(crate) mod watch;
pub(crate) mod adoption;
pub(crate) mod peer;
