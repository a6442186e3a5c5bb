//! What games do with the clock, for C: a header for each folder. They do not use each other.

pub(crate) mod order;
pub(crate) mod adoption;
pub(crate) mod peer;
