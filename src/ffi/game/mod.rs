//! The C functions for games. Each folder has its own header. These folders do not depend on each other.

pub(crate) mod order;
pub(crate) mod handover;
pub(crate) mod peer;
