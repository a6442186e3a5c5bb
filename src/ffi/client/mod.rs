//! The clock.

// In the order of the header: a blank line between two modules keeps it.

pub(crate) mod config;

pub(crate) mod handle;

pub(crate) mod event;

pub(crate) mod log;

pub(crate) mod tap;

pub(crate) mod reading;

pub(crate) mod authority;

pub(crate) mod hooks;
