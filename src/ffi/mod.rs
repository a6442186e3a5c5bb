//! The C ABI. This is the only module with unsafe code, and it contains no logic of its own.
//!
//! | folder | contents |
//! |---|---|
//! | `base` | what all exported functions share; `entries.rs` shows how such a function is written |
//! | the others | the functions, structures and status codes (`status.rs`) of one part each |
//! | `tests` | invalid values of every argument, layouts, callbacks |
//!
//! A folder uses only those above it in the list below, which is the order of the headers. The comment of
//! each `mod.rs` names its header.
//!
//! Every exported function runs inside [`base::boundary`], which stops panics, returns a status for every
//! outcome, and records the details for `netclock_last_error`.

#![expect(unsafe_code, reason = "pointers from C are dereferenced here and nowhere else")]
#![expect(unreachable_pub, reason = "what is `pub` here is exported to C, not to Rust")]

mod base;

mod clock;

#[cfg(feature = "link")]
mod link;

#[cfg(feature = "game")]
mod game;

#[cfg(feature = "session")]
mod session;

#[doc(hidden)]
/// The C ABI as C programs call it, through its symbols. For fuzz targets and benches.
pub mod c {
    use core::ffi::{c_char, c_void};
    include!(concat!(env!("OUT_DIR"), "/entries.rs"));
}

#[cfg(all(test, feature = "link", feature = "session"))]
mod tests;
