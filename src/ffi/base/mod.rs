//! What every entry has in common: statuses, errors, structures that grow, handles, panics.

// In the order of the header: a blank line between two modules keeps it.

pub(crate) mod status;

pub(crate) mod last_error;

pub(crate) mod monotonic;

pub(crate) mod boundary;

pub(crate) mod failure;

pub(crate) mod owned;

pub(crate) mod registry;

pub(crate) mod text;
