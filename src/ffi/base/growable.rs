//! C structures that may gain fields in later versions.

use core::mem;
use core::ops::Range;
use core::ptr;

use super::failure::{Failure, Outcome};
use super::pointers::copy_in;
use super::status::NETCLOCK_UNKNOWN_STRUCT;

/// A C structure to which later versions may add fields. The first field is the structure's size according to
/// the caller's header. All fields are numbers, and a zero field selects its default.
///
/// # Safety
/// The type must be `repr(C)`, begin with `struct_size: u32`, have no padding, and be valid for any bit
/// pattern.
pub(crate) unsafe trait Growable: Copy {
    const FIRST_SIZE: usize;

    fn zero() -> Self {
        // SAFETY: the implementer promises that any bytes are valid and that `struct_size` comes first.
        unsafe {
            let mut zero: Self = mem::zeroed();
            ptr::from_mut(&mut zero).cast::<u32>().write(size_of::<Self>() as u32);
            zero
        }
    }
}

/// `growable! { NetclockReading: 64 }` implements [`Growable`] for a structure whose first version had 64
/// bytes.
macro_rules! growable {
    ($($structure:ident: $first:literal),* $(,)?) => {$(
        // SAFETY: it is `repr(C)` with plain numbers and no padding, which a test checks.
        unsafe impl $crate::ffi::base::growable::Growable for $structure {
            const FIRST_SIZE: usize = $first;
        }
        const _: () = assert!(
            core::mem::offset_of!($structure, struct_size) == 0 && size_of::<$structure>() >= $first
        );
    )*};
}
pub(crate) use growable;

const LARGEST: usize = 4096;

/// Copies a structure from the caller. Fields that are missing from an older caller's version become zero. A
/// newer caller's additional fields must be zero.
///
/// # Safety
/// `from` must be null or point to `struct_size` readable bytes.
pub(crate) unsafe fn grow_in<T: Growable>(from: *const T, name: &'static str) -> Outcome<T> {
    let (mut value, from) = (T::zero(), from.cast::<u8>());
    // SAFETY: guaranteed by the caller.
    let size = unsafe { given_size::<T>(from.cast(), name)? };
    let known = known::<T>(size);
    // SAFETY: `size` bytes are readable, and the slice covers the bytes beyond `known`.
    let tail = unsafe { core::slice::from_raw_parts(from.add(known), size - known) };
    if let Some(set) = tail.iter().position(|&byte| byte != 0) {
        return Err(unknown_field(name, known + set));
    }
    // SAFETY: `known` bytes are readable and fit, and any bytes are a valid `T`.
    unsafe { copy_words(from, ptr::from_mut(&mut value).cast(), 0..known) };
    Ok(value)
}

/// # Safety
/// The same as for [`grow_in`].
pub(crate) unsafe fn optional<T: Growable>(from: *const T, name: &'static str) -> Outcome<T> {
    // SAFETY: guaranteed by the caller.
    if from.is_null() { Ok(T::zero()) } else { unsafe { grow_in(from, name) } }
}

/// Copies to the caller as many fields as fit. `struct_size` is not changed, and a newer caller's additional
/// fields become zero.
///
/// # Safety
/// `to` must be null or point to `struct_size` writable bytes.
pub(crate) unsafe fn grow_out<T: Growable>(to: *mut T, name: &'static str, value: impl Into<T>) -> Outcome {
    let (value, to) = (value.into(), to.cast::<u8>());
    // SAFETY: guaranteed by the caller.
    let size = unsafe { given_size::<T>(to.cast(), name)? };
    let (head, known) = (size_of::<u32>(), known::<T>(size));
    // SAFETY: `size` bytes are writable at `to`; `known` bytes are readable in `value`.
    unsafe {
        copy_words(ptr::from_ref(&value).cast(), to, head..known);
        if size > known {
            ptr::write_bytes(to.add(known), 0, size - known);
        }
    }
    Ok(())
}

/// Returns how many of the caller's `size` bytes this version knows. No field is smaller than four bytes, so
/// the result is rounded down to a multiple of four.
fn known<T>(size: usize) -> usize {
    const WORD: usize = size_of::<u32>();
    size.min(size_of::<T>()) / WORD * WORD
}

#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Anywhere<T>(T);

/// Copies the bytes in `range` word by word. The length must be a multiple of four. The words match most
/// fields, because the first two fields have four bytes and most others have eight.
///
/// Just before or after this copy, other code writes or reads the fields one at a time. A load that spans
/// several of these stores would stall until they reach the cache, which takes longer than the copy itself.
///
/// # Safety
/// The bytes must be readable at the source and writable at the target, and the two must not overlap.
unsafe fn copy_words(from: *const u8, to: *mut u8, range: Range<usize>) {
    const WIDE: usize = size_of::<u64>();
    let mut at = range.start;
    while at < range.end {
        // SAFETY: guaranteed by the caller. The reads are volatile so that the compiler does not merge them.
        unsafe {
            let (from, to) = (from.add(at), to.add(at));
            if at < WIDE || range.end - at < WIDE {
                to.cast::<Anywhere<u32>>().write(from.cast::<Anywhere<u32>>().read_volatile());
                at += size_of::<u32>();
            } else {
                to.cast::<Anywhere<u64>>().write(from.cast::<Anywhere<u64>>().read_volatile());
                at += WIDE;
            }
        }
    }
}

/// # Safety
/// `structure` must be null or begin with a readable `u32`.
pub(crate) unsafe fn check_size<T: Growable>(structure: *const T, name: &'static str) -> Outcome {
    // SAFETY: guaranteed by the caller.
    unsafe { given_size(structure, name) }.map(drop)
}

/// # Safety
/// `structure` must be null or begin with a readable `u32`.
unsafe fn given_size<T: Growable>(structure: *const T, name: &'static str) -> Outcome<usize> {
    // SAFETY: guaranteed by the caller.
    let given = unsafe { copy_in(structure.cast::<u32>(), name)? };
    if (T::FIRST_SIZE..=LARGEST).contains(&(given as usize)) {
        return Ok(given as usize);
    }
    Err(Failure::because(NETCLOCK_UNKNOWN_STRUCT, move |f| {
        write!(f, "{name}->struct_size is {given}, expected {} to {LARGEST}", T::FIRST_SIZE)
    }))
}

fn unknown_field(name: &'static str, at: usize) -> Failure {
    Failure::because(NETCLOCK_UNKNOWN_STRUCT, move |f| {
        write!(f, "byte {at} of *{name} is set, but this library has no such field")
    })
}

/// Rejects a nonzero reserved word, because a later version may use it for a field.
#[cfg(feature = "game")]
pub(crate) fn reserved(word: u32, name: &'static str) -> Outcome {
    if word == 0 { Ok(()) } else { Err(unknown_field(name, size_of::<u32>())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Grown {
        struct_size: u32,
        first: u32,
        second: u64,
        third: u64,
    }

    growable! { Grown: 8 }

    const SIZE: usize = size_of::<Grown>();

    #[test]
    fn copies_respect_any_struct_size() {
        let value = Grown { struct_size: 0, first: u32::MAX, second: u64::MAX, third: u64::MAX };
        for size in Grown::FIRST_SIZE..=SIZE {
            let mut room = [0xAA_u8; SIZE];
            room[..4].copy_from_slice(&(size as u32).to_ne_bytes());
            // SAFETY: `size` bytes are writable. The copy works at any address, so the bytes need no
            // alignment.
            let outcome = unsafe { grow_out(room.as_mut_ptr().cast::<Grown>(), "grown", value) };
            assert!(outcome.is_ok(), "{size}");
            let words = size / 4 * 4;
            assert!(room[4..words].iter().all(|&byte| byte == 0xFF), "{size}: {room:?}");
            assert!(room[words..size].iter().all(|&byte| byte == 0), "{size}: {room:?}");
            assert!(room[size..].iter().all(|&byte| byte == 0xAA), "{size}: {room:?}");

            room[4..words].fill(0x55);
            // SAFETY: as above.
            let Ok(read) = (unsafe { grow_in(room.as_ptr().cast::<Grown>(), "grown") }) else {
                panic!("{size}")
            };
            // SAFETY: plain numbers without padding.
            let read: [u8; SIZE] = unsafe { mem::transmute(read) };
            assert!(read[4..words].iter().all(|&byte| byte == 0x55), "{size}: {read:?}");
            assert!(read[words..].iter().all(|&byte| byte == 0), "{size}: {read:?}");
        }
    }
}
