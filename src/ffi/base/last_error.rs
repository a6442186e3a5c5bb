use core::cell::RefCell;
use core::ffi::c_char;
use core::fmt;

use super::text::Text;

/// Size of the text in bytes, including the terminating zero. Most panic messages fit.
const LENGTH: usize = 256;

thread_local! {
    // A constant without a destructor needs no allocation, and remains valid until the thread ends.
    static NEWEST: RefCell<Text<LENGTH>> = const { RefCell::new(Text::new()) };
}

pub(crate) fn record(detail: fmt::Arguments<'_>) {
    NEWEST.with(|newest| {
        // Always succeeds, because formatting never calls the C ABI.
        if let Ok(mut newest) = newest.try_borrow_mut() {
            newest.set(detail);
        }
    });
}

/// Returns a description of the latest error on this thread. It includes the argument, its value, and the
/// expected values. The text is English and meant for people; programs should check the status.
///
/// The result is never null. It is empty before the first error on this thread, and successful calls do not
/// change it. It is valid until a call on this thread returns an error, so copy it to keep it. It has at most
/// 255 bytes of UTF-8; longer texts are truncated. Callbacks may call this function.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_last_error() -> *const c_char {
    NEWEST.with(|newest| newest.try_borrow().map_or(c"".as_ptr(), |newest| newest.as_ptr()))
}
