//! Macros for the bodies of exported functions. Each one records the function's name for the last error, and
//! relies on the header's requirement that pointers are null or valid.

/// A function without a handle: `entry!(netclock_x, { .. })`.
macro_rules! entry {
    ($name:ident, $body:block) => {{
        // SAFETY: pointers are null or valid, as the header requires of every caller.
        $crate::ffi::base::boundary::entry(stringify!($name), || unsafe { $body })
    }};
}

/// Creates a handle from the block's value: `create!(netclock_x_create, x, { .. })`.
macro_rules! create {
    ($name:ident, $out:ident, $make:block) => {
        // SAFETY: pointers are null or valid, as the header requires of every caller.
        unsafe { $crate::ffi::base::handle::create(stringify!($name), $out, || $make) }
    };
}

/// Destroys a handle: `destroy!(netclock_x_destroy, x)`.
macro_rules! destroy {
    ($name:ident, $handle:ident) => {
        // SAFETY: no other call uses the handle if it is live, as the header requires of every caller.
        unsafe { $crate::ffi::base::handle::destroy(stringify!($name), $handle) }
    };
}

/// A function on a handle that threads may share: `read!(netclock_x_read, x, |x| { .. })`.
macro_rules! read {
    ($name:ident, $handle:ident, |$it:ident| $body:expr) => {
        // SAFETY: pointers are null or valid, as the header requires of every caller.
        unsafe { $crate::ffi::base::handle::read(stringify!($name), $handle, |$it| $body) }
    };
}

/// A function with exclusive access to the value of a handle: `change!(netclock_x_add, x, |x| { .. })`.
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
