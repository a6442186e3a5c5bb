//! Randomness that repeats from its seed.

/// A small generator (splitmix64), good enough to draw delays from.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in 0..1.
    pub(crate) fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Below `end`.
    pub(crate) fn below(&mut self, end: i64) -> i64 {
        (self.next() >> 1) as i64 % end.max(1)
    }

    pub(crate) fn chance(&mut self, per_cent: i64) -> bool {
        self.below(100) < per_cent
    }
}
