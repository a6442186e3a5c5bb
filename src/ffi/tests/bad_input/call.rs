//! Any function of C, called with a machine word for each argument.

use core::ffi::c_char;
use core::mem::transmute_copy;
use core::ptr;

use crate::ffi::base::status::NetclockStatus;

/// Something that C passes.
pub(super) trait Argument {
    fn of(word: u64) -> Self;
}

impl<T> Argument for *const T {
    fn of(word: u64) -> Self {
        ptr::with_exposed_provenance(word as usize)
    }
}

impl<T> Argument for *mut T {
    fn of(word: u64) -> Self {
        ptr::with_exposed_provenance_mut(word as usize)
    }
}

impl<A, B, C, R> Argument for Option<unsafe extern "C-unwind" fn(A, B, C) -> R> {
    fn of(word: u64) -> Self {
        // SAFETY: the machine passes null, or a function of this type.
        unsafe { transmute_copy(&(word as usize)) }
    }
}

impl<A, B, R> Argument for Option<unsafe extern "C-unwind" fn(A, B) -> R> {
    fn of(word: u64) -> Self {
        // SAFETY: as above.
        unsafe { transmute_copy(&(word as usize)) }
    }
}

impl Argument for f64 {
    fn of(word: u64) -> Self {
        f64::from_bits(word)
    }
}

impl Argument for NetclockStatus {
    fn of(word: u64) -> Self {
        NetclockStatus(word as i32)
    }
}

/// Something that C gets back. Only a status counts here.
pub(super) trait Returned {
    fn status(self) -> i32;
}

impl Returned for NetclockStatus {
    fn status(self) -> i32 {
        self.0
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Argument for $number {
            fn of(word: u64) -> Self {
                word as $number
            }
        }
    )*};
}
numbers!(u16, u32, i32, u64, i64, usize);

macro_rules! without_status {
    ($($kind:ty),*) => {$(
        impl Returned for $kind {
            fn status(self) -> i32 {
                0
            }
        }
    )*};
}
without_status!((), i32, u32, i64, u64, *const c_char);

/// A function of C.
pub(super) trait Call: Sync {
    /// # Safety
    /// The words are what the header asks of the arguments.
    unsafe fn call(&self, words: &[u64]) -> i32;
}

macro_rules! calls {
    ($([$($argument:ident),*])*) => {$(
        impl<R: Returned, $($argument: Argument),*> Call for unsafe extern "C" fn($($argument),*) -> R {
            unsafe fn call(&self, words: &[u64]) -> i32 {
                let mut words = words.iter().copied();
                let mut next = || words.next().expect("a word for each parameter");
                let _ = &mut next;
                // SAFETY: the caller's promise.
                unsafe { self($($argument::of(next())),*) }.status()
            }
        }
    )*};
}
calls! {
    [] [A] [A, B] [A, B, C] [A, B, C, D] [A, B, C, D, E] [A, B, C, D, E, F]
    [A, B, C, D, E, F, G] [A, B, C, D, E, F, G, H]
}
