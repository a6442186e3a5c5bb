//! The C functions for games, with one header per folder. The folders are independent of each other.

pub(crate) mod order;
pub(crate) mod handover;
pub(crate) mod peer;
