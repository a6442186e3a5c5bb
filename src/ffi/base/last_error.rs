use core::cell::RefCell;
use core::ffi::c_char;
use core::fmt;

use super::text::Text;

/// The size of the text in bytes, with its terminating zero. It is enough for a panic message.
const LENGTH: usize = 256;

thread_local! {
    // A constant without a destructor is not allocated, and stays valid until the thread ends.
    static NEWEST: RefCell<Text<LENGTH>> = const { RefCell::new(Text::new()) };
}

pub(crate) fn record(detail: fmt::Arguments<'_>) {
    NEWEST.with(|newest| {
        // This is the only borrow, and formatting does not call the ABI.
        if let Ok(mut newest) = newest.try_borrow_mut() {
            newest.set(detail);
        }
    });
}

/// Returns a description of the latest error on this thread, which includes the argument, its value, and the
/// expected value. The text is in English and meant for people; programs should check the status.
///
/// The string is never null, and is empty before the first error on this thread. Successful calls do not
/// change it. It is valid until the next call on this thread that returns an error; copy it to keep it. It
/// has at most 255 bytes of UTF-8, and longer texts are truncated. Callbacks may call this function.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_last_error() -> *const c_char {
    NEWEST.with(|newest| newest.try_borrow().map_or(c"".as_ptr(), |newest| newest.as_ptr()))
}
