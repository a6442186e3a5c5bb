use core::ffi::c_char;
use core::fmt;

/// A zero-terminated UTF-8 string in a buffer of `N` bytes. Longer text is truncated after a whole character.
pub(crate) struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Text<N> {
    pub(crate) const fn new() -> Self {
        Text { bytes: [0; N], length: 0 }
    }

    pub(crate) fn of(content: fmt::Arguments<'_>) -> Self {
        let mut text = Self::new();
        text.set(content);
        text
    }

    pub(crate) fn set(&mut self, content: fmt::Arguments<'_>) {
        self.length = 0;
        self.bytes[0] = 0;
        let _cut = fmt::Write::write_fmt(self, content);
    }

    pub(crate) fn as_ptr(&self) -> *const c_char {
        self.bytes.as_ptr().cast()
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
        // After a truncated piece, the error stops the formatter from appending a shorter one.
        if fits == piece.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown<const N: usize>(text: &Text<N>) -> String {
        assert_eq!(text.bytes[text.length], 0);
        String::from_utf8(text.bytes[..text.length].to_vec()).expect("cut between characters")
    }

    #[test]
    fn long_texts_are_truncated_between_characters() {
        assert_eq!(shown(&Text::<8>::of(format_args!("seven {}", 7))), "seven 7");
        assert_eq!(shown(&Text::<8>::of(format_args!("{}{}", "sevens-", "x"))), "sevens-");
        assert_eq!(shown(&Text::<8>::of(format_args!("{}{}", "äöüß", "x"))), "äöü", "nothing follows a cut");
    }

    #[test]
    fn texts_can_be_replaced_and_contain_no_zero_bytes() {
        let mut text = Text::<16>::of(format_args!("first"));
        text.set(format_args!("a\0b"));
        assert_eq!(shown(&text), "a?b");
    }
}
