use core::cell::RefCell;
use core::ffi::c_char;
use core::fmt;

use super::text::Text;

/// Most panic messages fit into this size, which includes the terminating zero.
const LENGTH: usize = 256;

thread_local! {
    // A constant without a destructor needs no allocation and remains valid until the thread ends.
    static NEWEST: RefCell<Text<LENGTH>> = const { RefCell::new(Text::new()) };
}

pub(crate) fn record(detail: fmt::Arguments<'_>) {
    NEWEST.with(|newest| {
        if let Ok(mut newest) = newest.try_borrow_mut() {
            newest.set(detail);
        }
    });
}

/// Returns a description of the latest error on this thread, including the argument, its value and the
/// expected values. The text is English and meant for people. Programs should check the status instead.
///
/// The result is never null. It is empty before the first error on this thread, and successful calls do not
/// change it. It remains valid until a call on this thread returns an error, so copy it if you need it
/// longer. It has at most 255 bytes of UTF-8, and longer texts are truncated. Callbacks may call this
/// function.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_last_error() -> *const c_char {
    NEWEST.with(|newest| newest.try_borrow().map_or(c"".as_ptr(), |newest| newest.as_ptr()))
}
