//! Macros for the bodies of exported functions. They record the function's name for `netclock_last_error` and
//! assume that pointers are null or valid, as the header requires.

/// Wraps functions that take no handle, as in `entry!(netclock_x, { .. })`.
macro_rules! entry {
    ($name:ident, $body:block) => {{
        // SAFETY: pointers are null or valid, as the header requires of every caller.
        $crate::ffi::base::boundary::entry(stringify!($name), || unsafe { $body })
    }};
}

/// Wraps functions that create a handle, as in `create!(netclock_x_create, x, { .. })`. The block returns the
/// handle's value.
macro_rules! create {
    ($name:ident, $out:ident, $make:block) => {
        // SAFETY: pointers are null or valid, as the header requires of every caller.
        unsafe { $crate::ffi::base::handle::create(stringify!($name), $out, || $make) }
    };
}

/// Wraps functions that destroy a handle, as in `destroy!(netclock_x_destroy, x)`.
macro_rules! destroy {
    ($name:ident, $handle:ident) => {
        // SAFETY: no other call uses the handle if it is live, as the header requires of every caller.
        unsafe { $crate::ffi::base::handle::destroy(stringify!($name), $handle) }
    };
}

/// Wraps functions that several threads may call at once, as in `read!(netclock_x_read, x, |x| { .. })`.
macro_rules! read {
    ($name:ident, $handle:ident, |$it:ident| $body:expr) => {
        // SAFETY: pointers are null or valid, as the header requires of every caller.
        unsafe { $crate::ffi::base::handle::read(stringify!($name), $handle, |$it| $body) }
    };
}

/// Wraps functions that need exclusive access to the value, as in `change!(netclock_x_add, x, |x| { .. })`.
#[cfg(any(feature = "link", feature = "game"))]
macro_rules! change {
    ($name:ident, $handle:ident, |$it:ident| $body:expr) => {
        // SAFETY: pointers are null or valid, as the header requires of every caller.
        unsafe { $crate::ffi::base::owned::change(stringify!($name), $handle, |$it| $body) }
    };
}

#[cfg(any(feature = "link", feature = "game"))]
pub(crate) use change;
pub(crate) use {create, destroy, entry, read};
