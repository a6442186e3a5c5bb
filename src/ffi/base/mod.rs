//! Basics.
//!
//! Status codes, the last error, and time.
//! Statuses: 0 to 99, positive and negative.
//! Header: netclock.h

// Each module uses only the modules above it. `status` uses no others.
pub(crate) mod status;
pub(crate) mod failure;
pub(crate) mod last_error;
pub(crate) mod time;
pub(crate) mod boundary;
pub(crate) mod pointers;
pub(crate) mod growable;
pub(crate) mod registry;
pub(crate) mod fork;
pub(crate) mod handle;
#[cfg(any(feature = "link", feature = "game"))]
pub(crate) mod owned;
pub(crate) mod entries;
pub(crate) mod fields;
pub(crate) mod prelude;
