//! What every entry has in common: null checks, growable structs, the panic boundary.

use core::ffi::c_void;
use core::mem::size_of;
use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::status::{
    NETCLOCK_NULL_ARGUMENT, NETCLOCK_PANICKED, NETCLOCK_POISONED, NETCLOCK_UNKNOWN_STRUCT, NetclockStatus,
};

/// Outcome of an entry's body; anything but `Ok` is a status that is not `NETCLOCK_OK`.
pub(super) type Outcome<T = ()> = Result<T, NetclockStatus>;

/// Runs an entry that has no handle.
pub(super) fn entry(body: impl FnOnce() -> Outcome) -> NetclockStatus {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => NetclockStatus::OK,
        Ok(Err(status)) => status,
        Err(_) => NetclockStatus(NETCLOCK_PANICKED),
    }
}

/// Runs an entry that has no status to return, with what to return after a panic.
pub(super) fn or_else<T>(body: impl FnOnce() -> T, panicked: T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(panicked)
}

/// Set when a call on the handle panicked: its state may be half changed.
#[derive(Debug, Default)]
pub(super) struct Poison(AtomicBool);

impl Poison {
    #[inline]
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A handle that can be poisoned.
pub(super) trait Handle {
    fn poison(&self) -> &Poison;
}

/// Runs an entry on a handle. A panic poisons the handle.
///
/// # Safety
/// `handle` is null or points to a live handle of its type.
pub(super) unsafe fn on_handle<H: Handle>(
    handle: *const H,
    body: impl FnOnce(&H) -> Outcome,
) -> NetclockStatus {
    // SAFETY: the caller's promise; null gives none.
    let Some(handle) = (unsafe { handle.as_ref() }) else {
        return NetclockStatus(NETCLOCK_NULL_ARGUMENT);
    };
    if handle.poison().is_set() {
        return NetclockStatus(NETCLOCK_POISONED);
    }
    let status = entry(|| body(handle));
    if status.0 == NETCLOCK_PANICKED {
        handle.poison().set();
    }
    status
}

/// Gives a new handle to the caller.
///
/// # Safety
/// `out` is null or can be written.
pub(super) unsafe fn hand_out<T>(value: T, out: *mut *mut T) -> Outcome {
    let out = writable(out)?;
    // SAFETY: not null, and the caller's promise.
    unsafe { out.write(Box::into_raw(Box::new(value))) };
    Ok(())
}

/// Takes a handle back and drops it. Null is allowed and does nothing.
///
/// # Safety
/// `handle` is null or came from [`hand_out`], and is used no more.
pub(super) unsafe fn take_back<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the caller's promise. Dropping cannot unwind into C: `or_else` catches it.
        or_else(|| drop(unsafe { Box::from_raw(handle) }), ());
    }
}

/// The pointer, if it is not null.
pub(super) fn writable<T>(out: *mut T) -> Outcome<*mut T> {
    if out.is_null() { Err(NetclockStatus(NETCLOCK_NULL_ARGUMENT)) } else { Ok(out) }
}

/// Copies a plain structure in.
///
/// # Safety
/// `from` is null or points to a valid `T`.
pub(super) unsafe fn copy_in<T: Copy>(from: *const T) -> Outcome<T> {
    // SAFETY: the caller's promise; null gives none.
    unsafe { from.as_ref() }.copied().ok_or(NetclockStatus(NETCLOCK_NULL_ARGUMENT))
}

/// Copies a plain value out.
///
/// # Safety
/// `to` is null or can be written.
pub(super) unsafe fn copy_out<T: Copy>(to: *mut T, value: T) -> Outcome {
    let to = writable(to)?;
    // SAFETY: not null, and the caller's promise.
    unsafe { to.write(value) };
    Ok(())
}

/// A structure that may grow: its first field is a `u32` with the size the caller was compiled with. All fields
/// are plain numbers without padding, and zero means "default".
///
/// # Safety
/// The type is `repr(C)`, begins with `struct_size: u32`, has no padding, and is valid for any bytes.
pub(super) unsafe trait Growable: Copy {
    /// Size of the first published version, in bytes.
    const FIRST_SIZE: usize;
    /// All defaults, with `struct_size` set to the size of this version.
    fn zero() -> Self;
}

/// Largest structure any future version may have; a size beyond it is garbage.
const LARGEST: usize = 4096;

/// Copies a growable structure in. An older caller's is completed with zeros; a newer caller's may have fields
/// this library does not know, as long as they are zero.
///
/// # Safety
/// `from` is null or points to as many bytes as its `struct_size` says.
pub(super) unsafe fn grow_in<T: Growable>(from: *const T) -> Outcome<T> {
    // SAFETY: the caller's promise.
    let size = unsafe { given_size(from)? };
    let known = size.min(size_of::<T>());
    // SAFETY: `size` bytes are readable; the slice covers those beyond what is known.
    let tail = unsafe { core::slice::from_raw_parts(from.cast::<u8>().add(known), size - known) };
    if tail.iter().any(|&byte| byte != 0) {
        return Err(NetclockStatus(NETCLOCK_UNKNOWN_STRUCT));
    }
    let mut value = T::zero();
    // SAFETY: `known` bytes are readable there and fit here; any bytes make a valid T.
    unsafe { ptr::copy_nonoverlapping(from.cast::<u8>(), ptr::from_mut(&mut value).cast::<u8>(), known) };
    Ok(value)
}

/// Copies a growable structure out: as much as the caller has room for. `struct_size` stays what it is, and what
/// this library does not know becomes zero.
///
/// # Safety
/// `to` is null or points to as many bytes as its `struct_size` says, all writable.
pub(super) unsafe fn grow_out<T: Growable>(to: *mut T, value: &T) -> Outcome {
    // SAFETY: the caller's promise.
    let size = unsafe { given_size(to)? };
    let (head, known) = (size_of::<u32>(), size.min(size_of::<T>()));
    let (to, from) = (to.cast::<u8>(), ptr::from_ref(value).cast::<u8>());
    // SAFETY: `size` bytes are writable there; `known` are readable here.
    unsafe {
        ptr::copy_nonoverlapping(from.add(head), to.add(head), known - head);
        ptr::write_bytes(to.add(known), 0, size - known);
    }
    Ok(())
}

/// Checks a growable structure that is to be filled later.
///
/// # Safety
/// `structure` is null or begins with a readable `u32`.
pub(super) unsafe fn check_size<T: Growable>(structure: *const T) -> Outcome {
    // SAFETY: the caller's promise.
    unsafe { given_size(structure) }.map(drop)
}

/// # Safety
/// `structure` is null or begins with a readable `u32`.
unsafe fn given_size<T: Growable>(structure: *const T) -> Outcome<usize> {
    // SAFETY: the caller's promise.
    let size = unsafe { copy_in(structure.cast::<u32>())? } as usize;
    if (T::FIRST_SIZE..=LARGEST).contains(&size) {
        Ok(size)
    } else {
        Err(NetclockStatus(NETCLOCK_UNKNOWN_STRUCT))
    }
}

/// The caller's bytes.
///
/// # Safety
/// `bytes` is null or points to `length` readable bytes.
pub(super) unsafe fn bytes_in<'a>(bytes: *const c_void, length: usize) -> Outcome<&'a [u8]> {
    if bytes.is_null() || length > isize::MAX as usize {
        return Err(NetclockStatus(NETCLOCK_NULL_ARGUMENT));
    }
    // SAFETY: not null, of a length slices may have, and the caller's promise.
    Ok(unsafe { core::slice::from_raw_parts(bytes.cast::<u8>(), length) })
}
