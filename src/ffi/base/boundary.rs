//! What every entry has in common: null checks, growable structs, the panic boundary.

use core::mem::size_of;
use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::ffi::base::failure::Failure;
use crate::ffi::base::last_error;
use crate::ffi::base::registry;
use crate::ffi::base::status::NetclockStatus;

/// Outcome of an entry's body.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// Runs an entry that has no handle. `name` is its C name, for the last error.
pub(crate) fn entry(name: &'static str, body: impl FnOnce() -> Outcome) -> NetclockStatus {
    finish(name, guarded(body))
}

/// The panic boundary.
fn guarded(body: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| Err(Failure::Panicked(payload)))
}

/// From the outcome to what C is told of it.
#[inline]
pub(crate) fn finish(name: &'static str, outcome: Outcome) -> NetclockStatus {
    match outcome {
        Ok(()) => NetclockStatus::OK,
        Err(failure) => {
            let status = failure.status();
            if status.is_error() {
                remember(name, &failure);
            }
            status
        }
    }
}

#[cold]
#[inline(never)]
fn remember(name: &'static str, failure: &Failure) {
    last_error::record(format_args!("{name}: {failure}"));
}

/// Runs an entry that has no status to return, with what to return after a panic.
pub(crate) fn or_else<T>(body: impl FnOnce() -> T, panicked: T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(panicked)
}

/// Set when a call on the handle panicked: its state may be half changed.
#[derive(Debug, Default)]
pub(crate) struct Poison(AtomicBool);

impl Poison {
    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A handle: registered while it lives, poisoned by a panic.
pub(crate) trait Handle {
    /// What it is called in C, and as an argument.
    const KIND: &'static str;
    const ARGUMENT: &'static str;

    fn poison(&self) -> &Poison;

    /// Whether it may be destroyed, as far as it can tell.
    fn may_be_destroyed(&self) -> Outcome {
        Ok(())
    }
}

/// Runs an entry on a handle. A panic poisons the handle.
///
/// # Safety
/// `handle` is null or points to a live handle of its type.
pub(crate) unsafe fn on_handle<H: Handle>(
    name: &'static str,
    handle: *const H,
    body: impl FnOnce(&H) -> Outcome,
) -> NetclockStatus {
    // SAFETY: the caller's promise.
    let outcome = unsafe { usable(handle) }.and_then(|handle| run(handle, || body(handle)));
    finish(name, outcome)
}

/// The handle, if it is one and was not poisoned.
///
/// # Safety
/// `handle` is null or points to a live handle of its type.
pub(crate) unsafe fn usable<'a, H: Handle>(handle: *const H) -> Outcome<&'a H> {
    // SAFETY: the caller's promise; null gives none.
    let handle = unsafe { handle.as_ref() }.ok_or(Failure::Null(H::ARGUMENT))?;
    still_usable(handle)?;
    Ok(handle)
}

/// Whether the handle was not poisoned.
pub(crate) fn still_usable<H: Handle>(handle: &H) -> Outcome {
    if handle.poison().is_set() { Err(Failure::Poisoned) } else { Ok(()) }
}

/// Runs what an entry does to a handle. A panic poisons it.
pub(crate) fn run<H: Handle>(handle: &H, body: impl FnOnce() -> Outcome) -> Outcome {
    let outcome = guarded(body);
    if let Err(Failure::Panicked(_)) = outcome {
        handle.poison().set();
    }
    outcome
}

/// Gives a new handle to the caller.
///
/// # Safety
/// `out` is null or can be written.
pub(crate) unsafe fn hand_out<H: Handle>(handle: H, out: *mut *mut H) -> Outcome {
    let out = writable(out, H::ARGUMENT)?;
    let handle = Box::into_raw(Box::new(handle));
    registry::enter(handle.addr(), H::KIND);
    // SAFETY: not null, and the caller's promise.
    unsafe { out.write(handle) };
    Ok(())
}

/// Takes a handle back and drops it. Null is allowed and does nothing; what is no live handle is not looked at.
///
/// # Safety
/// If `handle` is a live handle, nobody else uses it any more.
pub(crate) unsafe fn take_back<H: Handle>(name: &'static str, handle: *mut H) -> NetclockStatus {
    // SAFETY: asked only about live handles of this kind.
    let may_be_destroyed = || unsafe { (*handle).may_be_destroyed() };
    // SAFETY: it was alive, came from `hand_out`, and whoever destroys it next finds it in no registry.
    let drop_it = || drop(unsafe { Box::from_raw(handle) });
    take_back_any(name, (handle.addr(), H::KIND), &may_be_destroyed, &drop_it)
}

/// What taking back has in common for all kinds.
#[inline(never)]
fn take_back_any(
    name: &'static str,
    (address, kind): (usize, &'static str),
    may_be_destroyed: &dyn Fn() -> Outcome,
    drop_it: &dyn Fn(),
) -> NetclockStatus {
    entry(name, || {
        if address != 0 {
            registry::leave(address, kind, may_be_destroyed)?;
            drop_it();
        }
        Ok(())
    })
}

/// The pointer, if it is not null.
pub(crate) fn writable<T>(out: *mut T, name: &'static str) -> Outcome<*mut T> {
    if out.is_null() { Err(Failure::Null(name)) } else { Ok(out) }
}

/// Copies a plain structure in.
///
/// # Safety
/// `from` is null or points to a valid `T`.
pub(crate) unsafe fn copy_in<T: Copy>(from: *const T, name: &'static str) -> Outcome<T> {
    // SAFETY: the caller's promise; null gives none.
    unsafe { from.as_ref() }.copied().ok_or(Failure::Null(name))
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

/// A structure that may grow: its first field is a `u32` with the size the caller was compiled with. All fields
/// are plain numbers without padding, and zero means "default".
///
/// # Safety
/// The type is `repr(C)`, begins with `struct_size: u32`, has no padding, and is valid for any bytes.
pub(crate) unsafe trait Growable: Copy {
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
pub(crate) unsafe fn grow_in<T: Growable>(from: *const T, name: &'static str) -> Outcome<T> {
    let mut value = T::zero();
    // SAFETY: the caller's promise; any bytes make a valid T.
    unsafe {
        bytes_in(from.cast(), name, (T::FIRST_SIZE, size_of::<T>()), ptr::from_mut(&mut value).cast())?
    };
    Ok(value)
}

/// Copies a structure of between `first` and `whole` known bytes in.
///
/// # Safety
/// `from` is null or points to as many bytes as it says; `to` has room for `whole` bytes.
#[inline(never)]
unsafe fn bytes_in(
    from: *const u8,
    name: &'static str,
    (first, whole): (usize, usize),
    to: *mut u8,
) -> Outcome {
    // SAFETY: the caller's promise.
    let size = unsafe { given_size(from, name, first)? };
    let known = size.min(whole);
    // SAFETY: `size` bytes are readable; the slice covers those beyond what is known.
    let tail = unsafe { core::slice::from_raw_parts(from.add(known), size - known) };
    if let Some(set) = tail.iter().position(|&byte| byte != 0) {
        return Err(Failure::StructTail { name, at: known + set });
    }
    // SAFETY: `known` bytes are readable there and fit here.
    unsafe { ptr::copy_nonoverlapping(from, to, known) };
    Ok(())
}

/// The same where null means that all is zero.
///
/// # Safety
/// As [`grow_in`].
pub(crate) unsafe fn optional<T: Growable>(from: *const T, name: &'static str) -> Outcome<T> {
    // SAFETY: the caller's promise.
    if from.is_null() { Ok(T::zero()) } else { unsafe { grow_in(from, name) } }
}

/// Copies a growable structure out: as much as the caller has room for. `struct_size` stays what it is, and what
/// this library does not know becomes zero.
///
/// # Safety
/// `to` is null or points to as many bytes as its `struct_size` says, all writable.
pub(crate) unsafe fn grow_out<T: Growable>(to: *mut T, name: &'static str, value: &T) -> Outcome {
    // SAFETY: the caller's promise; the value is as long as it is.
    unsafe { bytes_out(to.cast(), name, (T::FIRST_SIZE, size_of::<T>()), ptr::from_ref(value).cast()) }
}

/// Copies a structure of between `first` and `whole` known bytes out.
///
/// # Safety
/// `to` is null or points to as many bytes as it says, all writable; `from` points to `whole` bytes.
#[inline(never)]
unsafe fn bytes_out(
    to: *mut u8,
    name: &'static str,
    (first, whole): (usize, usize),
    from: *const u8,
) -> Outcome {
    // SAFETY: the caller's promise.
    let size = unsafe { given_size(to, name, first)? };
    let (head, known) = (size_of::<u32>(), size.min(whole));
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
pub(crate) unsafe fn check_size<T: Growable>(structure: *const T, name: &'static str) -> Outcome {
    // SAFETY: the caller's promise.
    unsafe { given_size(structure.cast(), name, T::FIRST_SIZE) }.map(drop)
}

/// # Safety
/// `structure` is null or begins with a readable `u32`.
unsafe fn given_size(structure: *const u8, name: &'static str, first: usize) -> Outcome<usize> {
    // SAFETY: the caller's promise.
    let given = unsafe { copy_in(structure.cast::<u32>(), name)? };
    if (first..=LARGEST).contains(&(given as usize)) {
        Ok(given as usize)
    } else {
        Err(Failure::StructSize { name, given, least: first, most: LARGEST })
    }
}
