//! The C ABI. Its functions only convert between C and the Rust API.
//!
//! | folder | contents |
//! |---|---|
//! | `base` | code that all exported functions share; `entries.rs` shows how to write such a function |
//! | the others | the functions, structures and status codes (`status.rs`) of one part each |
//! | `tests` | invalid values of every argument, layouts, callbacks |
//!
//! The modules below are in header order, and each uses only those above it. The comment of each `mod.rs`
//! names its header.
//!
//! Every exported function runs inside [`base::boundary`], which catches panics, returns a status for every
//! outcome, and records the details for `netclock_last_error`.

#![expect(unsafe_code, reason = "only this module dereferences pointers from C")]
#![expect(unreachable_pub, reason = "`pub` items are exported to C, not to Rust")]

mod base;

mod clock;

#[cfg(feature = "link")]
mod link;

#[cfg(feature = "game")]
mod game;

#[cfg(feature = "session")]
mod session;

#[doc(hidden)]
/// The C ABI as C programs call it, through its symbols. Fuzz targets and benchmarks use this.
pub mod c {
    use core::ffi::{c_char, c_void};
    include!(concat!(env!("OUT_DIR"), "/entries.rs"));
}

#[cfg(all(test, feature = "link", feature = "session"))]
mod tests;
