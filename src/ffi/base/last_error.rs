use core::cell::RefCell;
use core::ffi::c_char;
use core::fmt;

/// Most panic messages fit into this size, which includes the terminating zero.
const LENGTH: usize = 256;

thread_local! {
    // A constant initial value without a destructor needs no allocation, and stays valid until the thread
    // ends.
    static NEWEST: RefCell<Text<LENGTH>> = const { RefCell::new(Text { bytes: [0; LENGTH], length: 0 }) };
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
/// The result is never null. It is empty until the first error on this thread, and successful calls do not
/// change it. The string stays valid until the next error on this thread, so copy it if you need it for
/// longer. The string contains at most 255 bytes of UTF-8, and longer texts are truncated. Callbacks may call
/// this function.
#[unsafe(no_mangle)]
pub extern "C" fn netclock_last_error() -> *const c_char {
    NEWEST.with(|newest| newest.try_borrow().map_or(c"".as_ptr(), |newest| newest.bytes.as_ptr().cast()))
}

/// A zero-terminated UTF-8 string in a buffer of `N` bytes. Longer text is truncated at a character boundary.
struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Text<N> {
    fn set(&mut self, content: fmt::Arguments<'_>) {
        self.length = 0;
        self.bytes[0] = 0;
        let _cut = fmt::Write::write_fmt(self, content);
    }
}

impl<const N: usize> fmt::Write for Text<N> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        let mut fits = piece.len().min(N - 1 - self.length);
        while !piece.is_char_boundary(fits) {
            fits -= 1;
        }
        let end = self.length + fits;
        for (to, &from) in self.bytes[self.length..end].iter_mut().zip(piece.as_bytes()) {
            // A zero byte would terminate the C string early.
            *to = if from == 0 { b'?' } else { from };
        }
        self.bytes[end] = 0;
        self.length = end;
        // The error stops the formatter from appending a shorter piece after a truncated one.
        if fits == piece.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_truncated_between_characters_and_contain_no_zero_bytes() {
        let mut text = Text { bytes: [b'x'; 8], length: 8 };
        let mut shown = |content: fmt::Arguments<'_>| {
            text.set(content);
            assert_eq!(text.bytes[text.length], 0);
            String::from_utf8(text.bytes[..text.length].to_vec()).expect("cut between characters")
        };
        assert_eq!(shown(format_args!("seven {}", 7)), "seven 7");
        assert_eq!(shown(format_args!("{}{}", "sevens-", "x")), "sevens-");
        assert_eq!(shown(format_args!("{}{}", "äöüß", "x")), "äöü", "nothing follows a cut");
        assert_eq!(shown(format_args!("a\0b")), "a?b");
    }
}
