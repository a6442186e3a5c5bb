//! Generates seeded random numbers, which are the same on every machine and in every release.
//!
//! [`Random`] is a ChaCha8 stream, whose output is fixed by the specification. [`hashed_unit`] draws by index
//! (SplitMix64), so frame 1,000,000 can be drawn without the frames before it.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// 2^-53 converts the top 53 bits of a word to a double in [0, 1).
const UNIT: f64 = 1.0 / (1u64 << 53) as f64;

#[derive(Clone)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// Streams with different purposes are independent, so a draw in one feature does not affect others.
    pub fn new(seed: u64, purpose: &str) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(fnv1a(purpose));
        Self(rng)
    }

    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * UNIT
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Consumes a random number only if `p` is positive.
    pub fn chance(&mut self, p: f64) -> bool {
        p > 0.0 && self.unit() < p
    }

    /// Returns 0 without consuming a random number if the mean is not positive.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        if mean > 0.0 { -mean * (1.0 - self.unit()).ln() } else { 0.0 }
    }

    /// Uses the cosine branch of the Box-Muller transform.
    pub fn normal(&mut self, sigma: f64) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        sigma * radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// Returns a random integer that is at least 0 and less than `end`, which must be positive.
    pub fn below(&mut self, end: i64) -> i64 {
        (self.word() >> 1) as i64 % end.max(1)
    }

    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// Returns `NETCLOCK_TEST_SEED`, or `usual` if it is not set, and prints the seed so that failures can be
/// reproduced. Panics if the variable is not an integer.
pub fn seed(usual: u64) -> u64 {
    let text = std::env::var("NETCLOCK_TEST_SEED").ok();
    let seed = text.map_or(usual, |text| text.parse().expect("NETCLOCK_TEST_SEED should be an integer"));
    println!("NETCLOCK_TEST_SEED={seed}");
    seed
}

/// Returns number `index` of the family `key`, uniformly distributed in [0, 1).
pub fn hashed_unit(key: u64, index: u64) -> f64 {
    (split_mix(key ^ split_mix(index)) >> 11) as f64 * UNIT
}

fn split_mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn fnv1a(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ_by_purpose() {
        let draw = |seed, purpose| Random::new(seed, purpose).word();
        assert_eq!(draw(1, "a"), draw(1, "a"));
        assert_ne!(draw(1, "a"), draw(1, "b"));
        assert_ne!(draw(1, "a"), draw(2, "a"));
    }

    #[test]
    fn moments_are_right() {
        let mut random = Random::new(7, "moments");
        let n = 200_000;
        let mean = |mut draw: Box<dyn FnMut() -> f64>| (0..n).map(|_| draw()).sum::<f64>() / f64::from(n);
        let mut copy = random.clone();
        assert!((mean(Box::new(move || copy.exponential(3.0))) - 3.0).abs() < 0.05);
        assert!((mean(Box::new(move || random.normal(2.0).powi(2))) - 4.0).abs() < 0.1);
        let hashed = (0..100_000).map(|i| hashed_unit(5, i)).sum::<f64>() / 1e5;
        assert!((hashed - 0.5).abs() < 0.01);
    }
}
