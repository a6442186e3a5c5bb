//! The server's UTC.
//!
//! The server says what UTC its clock's zero is, and again when that changes: a claim. Clients add server
//! time, and show UTC with a bound. UTC may jump with each claim, forwards and backwards: use it for dates,
//! and server time for durations.
//! Statuses: 900 to 999, positive and negative.
//! Header: netclock_utc.h

pub(crate) mod claim;
pub(crate) mod publisher;
pub(crate) mod view;
pub(crate) mod status;
