//! Answering clients, watching their clocks, taking a timescale over.

// In the order of the header: a blank line between two modules keeps it.

pub(crate) mod responder;

pub(crate) mod rate_watch;

pub(crate) mod adoption;

pub(crate) mod status;
