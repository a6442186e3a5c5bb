//! What client and server send each other.

// In the order of the header: a blank line between two modules keeps it.

pub(crate) mod wire;

pub(crate) mod status;
