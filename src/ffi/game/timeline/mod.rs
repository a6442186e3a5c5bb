//! World time.
//!
//! A game world has a clock of its own, which pauses, slows down and starts again. The server publishes it
//! as segments of real time; clients show the world's time from them.
//! Statuses: 400 to 499, positive and negative.
//! Header: netclock_world.h
//! Uses: netclock_keys.h

pub(crate) mod segment;
pub(crate) mod publisher;
pub(crate) mod handle;
pub(crate) mod status;
