//! Which event came first, what a client saw, how far ahead to predict.

// In the order of the header: a blank line between two modules keeps it.

pub(crate) mod arbitrate;

pub(crate) mod lead;

pub(crate) mod status;
