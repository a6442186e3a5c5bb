//! Starts at one instant, and beats from it.

// In the order of the header: a blank line between two modules keeps it.

pub(crate) mod proposal;

pub(crate) mod organiser;

pub(crate) mod participant;

pub(crate) mod beat;

pub(crate) mod status;
