//! Plain values through pointers from C.

use core::ffi::c_void;

use super::failure::{Failure, Outcome};

/// The pointer, if it is not null.
pub(crate) fn writable<T>(out: *mut T, name: &'static str) -> Outcome<*mut T> {
    if out.is_null() { Err(Failure::null(name)) } else { Ok(out) }
}

/// Copies a plain structure in.
///
/// # Safety
/// `from` is null or points to a valid `T`.
pub(crate) unsafe fn copy_in<T: Copy>(from: *const T, name: &'static str) -> Outcome<T> {
    // SAFETY: the caller's promise; null gives none.
    unsafe { from.as_ref() }.copied().ok_or_else(|| Failure::null(name))
}

/// Copies a plain value out.
///
/// # Safety
/// `to` is null or can be written.
pub(crate) unsafe fn copy_out<T: Copy>(to: *mut T, name: &'static str, value: T) -> Outcome {
    let to = writable(to, name)?;
    // SAFETY: not null, and the caller's promise.
    unsafe { to.write(value) };
    Ok(())
}

/// The bytes that a caller gives, at most `most`. If there are more, nobody looks at them.
///
/// # Safety
/// `bytes` is null or points to `length` readable bytes, for as long as the result is used.
pub(crate) unsafe fn bytes_in<'a, E: Into<Failure>>(
    bytes: *const c_void,
    length: usize,
    name: &'static str,
    most: usize,
    too_many: fn(usize) -> E,
) -> Outcome<&'a [u8]> {
    if bytes.is_null() {
        return Err(Failure::null(name));
    }
    if length > most {
        return Err(too_many(length).into());
    }
    // SAFETY: not null, and the caller's promise.
    Ok(unsafe { core::slice::from_raw_parts(bytes.cast(), length) })
}

/// 128 random bits of the caller's.
pub(crate) fn seed(high: u64, low: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}
