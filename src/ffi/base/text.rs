//! Short texts for C, formatted without allocating.

use core::ffi::c_char;
use core::fmt;

/// Up to `N - 1` bytes of UTF-8 and a closing zero. What does not fit is cut off between two characters.
pub(crate) struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Text<N> {
    pub(crate) const fn new() -> Self {
        Text { bytes: [0; N], length: 0 }
    }

    /// The text of `content`.
    pub(crate) fn of(content: fmt::Arguments<'_>) -> Self {
        let mut text = Self::new();
        text.set(content);
        text
    }

    pub(crate) fn set(&mut self, content: fmt::Arguments<'_>) {
        self.length = 0;
        self.bytes[0] = 0;
        // An error means that the rest was cut off.
        let _cut = fmt::Write::write_fmt(self, content);
    }

    /// For C: ends with a zero, and is valid until the text is changed or dropped.
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
            // A zero would end the text for C, but what comes after it may matter.
            *to = if from == 0 { b'?' } else { from };
        }
        self.bytes[end] = 0;
        self.length = end;
        // An error keeps a later, shorter piece from following the cut.
        if fits == piece.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

/// A number with up to six decimals. The library's own formatting of floats would be a twentieth of its size.
pub(crate) struct Decimal(pub(crate) f64);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LARGEST: f64 = 1e12;
        let size = self.0.abs();
        if size.is_nan() {
            return f.write_str("NaN");
        }
        f.write_str(if self.0 < 0.0 { "-" } else { "" })?;
        if size > LARGEST {
            return f.write_str(if size.is_infinite() { "infinity" } else { "(more than 10^12)" });
        }
        let millionths = (size * 1e6).round() as u64;
        if millionths == 0 && size > 0.0 {
            return f.write_str("(less than 0.000001)");
        }
        write!(f, "{}", millionths / 1_000_000)?;
        let (mut fraction, mut digits) = (millionths % 1_000_000, 6);
        if fraction == 0 {
            return Ok(());
        }
        while fraction % 10 == 0 {
            (fraction, digits) = (fraction / 10, digits - 1);
        }
        write!(f, ".{fraction:0digits$}")
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
    fn what_does_not_fit_is_cut_off_between_characters() {
        assert_eq!(shown(&Text::<8>::of(format_args!("seven {}", 7))), "seven 7");
        assert_eq!(shown(&Text::<8>::of(format_args!("{}{}", "sevens-", "x"))), "sevens-");
        assert_eq!(shown(&Text::<8>::of(format_args!("{}{}", "äöüß", "x"))), "äöü", "nothing follows a cut");
    }

    #[test]
    fn it_can_be_set_anew_and_holds_no_zeros() {
        let mut text = Text::<16>::of(format_args!("first"));
        text.set(format_args!("a\0b"));
        assert_eq!(shown(&text), "a?b");
    }

    #[test]
    fn decimals_are_short() {
        let shown = |number| Decimal(number).to_string();
        assert_eq!([0.0, 7.0, -0.5, 0.001, 10_000.25].map(shown), ["0", "7", "-0.5", "0.001", "10000.25"]);
        assert_eq!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(shown), ["NaN", "infinity", "-infinity"]);
        assert_eq!([1e300, -1e-300].map(shown), ["(more than 10^12)", "-(less than 0.000001)"]);
    }
}
