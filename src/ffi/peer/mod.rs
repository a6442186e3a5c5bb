//! One clock for peers that meet at a relay.

// In the order of the header: a blank line between two modules keeps it.

pub(crate) mod stream;

pub(crate) mod relay;

pub(crate) mod handle;

pub(crate) mod status;
