//! Starts and beats.
//!
//! Clients start at one instant. The organiser on the server announces it to a participant on each client;
//! from there, beats count fixed steps.
//! Statuses: 600 to 699, positive and negative.
//! Header: netclock_start.h

pub(crate) mod proposal;
pub(crate) mod organiser;
pub(crate) mod participant;
pub(crate) mod beat;
pub(crate) mod status;
