//! The time of the game's world.

// In the order of the header: a blank line between two modules keeps it.

pub(crate) mod segment;

pub(crate) mod publisher;

pub(crate) mod handle;

pub(crate) mod seconds;

pub(crate) mod status;
