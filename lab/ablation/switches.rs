//! Switches are global to the process, so all running clocks share them.

use core::ops::Range;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// A file in `src/clock/estimate`, without its extension.
    pub file: &'static str,
    pub name: &'static str,
    /// The Rust expression that defines the constant.
    pub value: &'static str,
    /// Whether the constant can be scaled. Array lengths and constants of some types cannot be scaled.
    pub varies: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Mechanism {
    pub name: &'static str,
    /// What the estimator does without the mechanism.
    pub about: &'static str,
    pub off: Variation,
}

include!(concat!(env!("OUT_DIR"), "/lists.rs"));

const NOTHING: usize = usize::MAX;

static MECHANISM: AtomicUsize = AtomicUsize::new(NOTHING);
static CONSTANT: AtomicUsize = AtomicUsize::new(NOTHING);
static FACTOR: AtomicU64 = AtomicU64::new(0);

/// A change to the shipped estimator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Variation {
    Nothing,
    /// Switches off a mechanism, given by its number.
    Without(usize),
    /// Multiplies a constant, given by its number, by a factor.
    Scaled(usize, f64),
}

impl Variation {
    /// Applies this variation to every clock in the process.
    pub fn apply(self) {
        let (mechanism, constant, factor) = match self {
            Variation::Nothing => (NOTHING, NOTHING, 1.0),
            Variation::Without(number) => (number, NOTHING, 1.0),
            Variation::Scaled(number, factor) => (NOTHING, number, factor),
        };
        MECHANISM.store(mechanism, Relaxed);
        CONSTANT.store(constant, Relaxed);
        FACTOR.store(factor.to_bits(), Relaxed);
    }
}

#[inline]
pub(crate) fn is_off(mechanism: usize) -> bool {
    MECHANISM.load(Relaxed) == mechanism
}

#[inline]
pub(crate) fn constant<T: Scale>(number: usize, value: T) -> T {
    if CONSTANT.load(Relaxed) == number { value.scaled(f64::from_bits(FACTOR.load(Relaxed))) } else { value }
}

pub(crate) trait Scale {
    fn scaled(self, factor: f64) -> Self;
}

macro_rules! scale {
    ($($number:ty),*) => {
        $(impl Scale for $number {
            fn scaled(self, factor: f64) -> Self {
                let scaled = self as f64 * factor;
                (if self as f64 % 1.0 == 0.0 && <$number>::MAX as f64 <= u64::MAX as f64 {
                    scaled.round()
                } else {
                    scaled
                }) as $number
            }
        })*
    };
}

scale!(f64, f32, u32, i32, usize);

impl<const N: usize> Scale for [f64; N] {
    fn scaled(self, factor: f64) -> Self {
        self.map(|value| value.scaled(factor))
    }
}

impl Scale for Range<f64> {
    fn scaled(self, factor: f64) -> Self {
        self.start.scaled(factor)..self.end.scaled(factor)
    }
}
