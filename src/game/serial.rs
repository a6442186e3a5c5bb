//! Serial number arithmetic (RFC 1982) for counters that wrap.

/// If the two numbers are 2^31 apart, neither comes after the other.
pub(crate) fn comes_after(a: u32, b: u32) -> bool {
    (a.wrapping_sub(b) as i32) > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serial_numbers_wrap() {
        assert!(comes_after(1, 0) && comes_after(0, u32::MAX) && comes_after(5, 0x8000_0006));
        assert!(!comes_after(0, 0) && !comes_after(0, 1) && !comes_after(u32::MAX, 0));
        assert!(!comes_after(0x8000_0000, 0) && !comes_after(0, 0x8000_0000));
    }
}
