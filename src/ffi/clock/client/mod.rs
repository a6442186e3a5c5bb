//! The clock.
//!
//! A client follows one server's clock. Call `netclock_client_tick` in every frame, pass every reply to
//! `netclock_client_handle_reply`, and read the time whenever you need it.
//! Statuses: 200 to 299, positive and negative.

pub(crate) mod handle;
pub(crate) mod reading;
pub(crate) mod config;
pub(crate) mod event;
pub(crate) mod calls;
pub(crate) mod status;
