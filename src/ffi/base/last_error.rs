//! What exactly was wrong with the newest call that failed on this thread.

use core::cell::RefCell;
use core::ffi::c_char;
use core::fmt;

use super::text::Text;

/// Bytes of the text, the closing zero included: room for a panic's message.
const LENGTH: usize = 256;

thread_local! {
    // Constant and without a destructor: no thread allocates for it, and it is there until the thread ends.
    static NEWEST: RefCell<Text<LENGTH>> = const { RefCell::new(Text::new()) };
}

pub(crate) fn record(detail: fmt::Arguments<'_>) {
    NEWEST.with(|newest| {
        // Borrowed only here, and formatting calls nothing of the ABI.
        if let Ok(mut newest) = newest.try_borrow_mut() {
            newest.set(detail);
        }
    });
}

/// What exactly was wrong with the newest call on this thread that returned a negative status: which
/// argument, which value, what was expected. It is in English, for people. Programs look at the status.
///
/// Never null, and empty if no call failed on this thread. A successful call leaves it unchanged. It is valid
/// until the next call that fails on this thread: copy it to keep it. It has at most 255 bytes of UTF-8; a
/// longer text is cut off. Callable from any thread, and in callbacks.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_last_error() -> *const c_char {
    NEWEST.with(|newest| newest.try_borrow().map_or(c"".as_ptr(), |newest| newest.as_ptr()))
}
