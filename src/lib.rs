//! NetClock.
