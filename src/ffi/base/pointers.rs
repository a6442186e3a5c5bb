#[cfg(feature = "session")]
use core::ffi::c_void;

use super::failure::{Failure, Outcome};

pub(crate) fn writable<T>(out: *mut T, name: &'static str) -> Outcome<*mut T> {
    if out.is_null() { Err(Failure::null(name)) } else { Ok(out) }
}

/// # Safety
/// `from` must be null or point to a valid `T`.
pub(crate) unsafe fn copy_in<T: Copy>(from: *const T, name: &'static str) -> Outcome<T> {
    // SAFETY: guaranteed by the caller; null returns `None`.
    unsafe { from.as_ref() }.copied().ok_or_else(|| Failure::null(name))
}

/// # Safety
/// `to` must be null or writable.
pub(crate) unsafe fn copy_out<T: Copy>(to: *mut T, name: &'static str, value: T) -> Outcome {
    let to = writable(to, name)?;
    // SAFETY: not null, and the caller guarantees the rest.
    unsafe { to.write(value) };
    Ok(())
}

/// Returns the caller's bytes. Fails without reading them if there are more than `most`.
///
/// # Safety
/// `bytes` must be null or point to `length` bytes that stay readable while the result is used.
#[cfg(feature = "session")]
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
    // SAFETY: not null, and the caller guarantees the rest.
    Ok(unsafe { core::slice::from_raw_parts(bytes.cast(), length) })
}

pub(crate) fn seed(high: u64, low: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}
