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

pub(crate) fn seed(high: u64, low: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}
