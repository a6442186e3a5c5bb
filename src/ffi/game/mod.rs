//! The C functions for games, with one header per folder. The folders do not depend on each other.

pub(crate) mod order;
pub(crate) mod handover;
pub(crate) mod peer;
