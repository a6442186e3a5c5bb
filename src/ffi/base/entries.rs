//! The bodies of entries. Each macro takes the entry's own name, for the last error, and has the one promise
//! that all callers make: pointers are null or valid, as the header asks.

/// Without a handle: `entry!(netclock_x, { .. })`.
macro_rules! entry {
    ($name:ident, $body:block) => {{
        // SAFETY: pointers are null or valid, as the header asks of every caller.
        $crate::ffi::base::boundary::entry(stringify!($name), || unsafe { $body })
    }};
}

/// Makes a handle of the value that the block gives: `create!(netclock_x_create, x, { .. })`.
macro_rules! create {
    ($name:ident, $out:ident, $make:block) => {
        // SAFETY: pointers are null or valid, as the header asks of every caller.
        unsafe { $crate::ffi::base::handle::create(stringify!($name), $out, || $make) }
    };
}

/// Ends a handle: `destroy!(netclock_x_destroy, x)`.
macro_rules! destroy {
    ($name:ident, $handle:ident) => {
        // SAFETY: if it is a live handle, nobody uses it any more, as the header asks of every caller.
        unsafe { $crate::ffi::base::handle::destroy(stringify!($name), $handle) }
    };
}

/// On a handle that threads may share: `read!(netclock_x_read, x, |x| { .. })`.
macro_rules! read {
    ($name:ident, $handle:ident, |$it:ident| $body:expr) => {
        // SAFETY: pointers are null or valid, as the header asks of every caller.
        unsafe { $crate::ffi::base::handle::read(stringify!($name), $handle, |$it| $body) }
    };
}

/// On the value of a handle, alone: `change!(netclock_x_add, x, |x| { .. })`.
macro_rules! change {
    ($name:ident, $handle:ident, |$it:ident| $body:expr) => {
        // SAFETY: pointers are null or valid, as the header asks of every caller.
        unsafe { $crate::ffi::base::owned::change(stringify!($name), $handle, |$it| $body) }
    };
}

pub(crate) use {change, create, destroy, entry, read};
