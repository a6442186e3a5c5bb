//! Calls any C function through its symbol and passes each argument as a 64-bit word.

use core::any::Any;
use core::mem::transmute_copy;
use core::ptr;

use crate::ffi::base::status::NetclockStatus;

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

impl<A, B, R> Argument for Option<unsafe extern "C-unwind" fn(A, B) -> R> {
    fn of(word: u64) -> Self {
        // SAFETY: `Machine` passes null or a function of this type.
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

pub(super) trait Call: Sync {
    /// # Safety
    /// The words must be valid arguments according to the header.
    unsafe fn call(&self, words: &[u64]) -> i32;
}

macro_rules! calls {
    ($([$($argument:ident),*])*) => {$(
        impl<R: 'static, $($argument: Argument),*> Call for unsafe extern "C" fn($($argument),*) -> R {
            unsafe fn call(&self, words: &[u64]) -> i32 {
                let mut words = words.iter().copied();
                let mut next = || words.next().expect("a word for each parameter");
                let _ = &mut next;
                // SAFETY: guaranteed by the caller.
                let returned = unsafe { self($($argument::of(next())),*) };
                (&returned as &dyn Any).downcast_ref().map_or(0, |status: &NetclockStatus| status.0)
            }
        }
    )*};
}
calls! {
    [] [A] [A, B] [A, B, C] [A, B, C, D] [A, B, C, D, E] [A, B, C, D, E, F]
    [A, B, C, D, E, F, G] [A, B, C, D, E, F, G, H]
}
