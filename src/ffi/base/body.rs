//! What an entry does, as the code that all entries share takes it.

use core::marker::PhantomData;
use core::ptr;

use super::failure::Outcome;

/// A closure behind two words, so that the shared code is there once and not in each entry. With `&mut dyn
/// FnMut` each closure would bring a table and code to move it: 11 KiB for all entries.
pub(crate) struct Body<'a> {
    closure: *mut (),
    call: unsafe fn(*mut ()) -> Outcome,
    borrowed: PhantomData<&'a mut ()>,
}

impl<'a> Body<'a> {
    #[inline]
    pub(crate) fn of<F: FnMut() -> Outcome>(closure: &'a mut F) -> Self {
        Body {
            closure: ptr::from_mut(closure).cast(),
            // SAFETY: called on this closure only, which is borrowed for as long as the body lives.
            call: |closure| unsafe { (*closure.cast::<F>())() },
            borrowed: PhantomData,
        }
    }

    #[inline]
    pub(crate) fn run(&mut self) -> Outcome {
        // SAFETY: this is the closure that it was made for.
        unsafe { (self.call)(self.closure) }
    }
}
