//! Mechanisms of the estimator that can be switched off, to measure what each is worth.
//!
//! Only the lab's ablation builds this in (feature `ablation`). Without the feature [`is_on`] is a constant,
//! and nothing of it is left in the library.

/// A mechanism of the estimator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Mechanism {
    /// A change of the round trip's level begins a segment with envelopes of its own.
    Segments,
    /// Gaps that resemble their neighbours count as less evidence.
    Share,
    /// A rate that crystals hardly have is looked for again, with the independent evidence alone.
    Reconsider,
    /// Half the difference of both lags is taken off the offset.
    Lag,
    /// A difference of lags is shrunk by the part that chance explains.
    Shrinkage,
    /// The lag comes from the distances of the seven next neighbours, not of the next one.
    Neighbours,
    /// The half of what frames may hide is taken off the offset.
    Waits,
    /// Bounds age faster while frames are locked.
    Sliding,
    /// A bound from before a frame wait jumped back is seen through.
    Wraps,
    /// Bounds are loosened by 0.2 ppm of their age.
    Wander,
    /// The prior of the rate has the tail of Student's t, not that of the normal law.
    Tail,
    /// Ordinary crystals differ by 20 ppm or so.
    Crystals,
    /// What is said of the rate is believed less if no crystal does it.
    Plausible,
    /// What is said of the rate may be false.
    Doubt,
    /// A burst goes on until the expected error is below its target.
    LongerBurst,
    /// A burst goes on where the rate is known.
    KnownRate,
    /// After a burst, intervals grow with the age of the session.
    Spread,
    /// The first waits are judged by their range.
    Range,
}

#[cfg(not(feature = "ablation"))]
pub(crate) use constant::is_on;
#[cfg(feature = "ablation")]
pub(crate) use switched::is_on;
#[cfg(feature = "ablation")]
pub use switched::switch_off;

#[cfg(not(feature = "ablation"))]
mod constant {
    /// Whether a mechanism works: always.
    #[inline(always)]
    pub(crate) const fn is_on(_: super::Mechanism) -> bool {
        true
    }
}

#[cfg(feature = "ablation")]
mod switched {
    use core::sync::atomic::{AtomicU32, Ordering};

    use super::Mechanism;

    impl Mechanism {
        /// All of them.
        pub const ALL: [Mechanism; 18] = [
            Mechanism::Segments,
            Mechanism::Share,
            Mechanism::Reconsider,
            Mechanism::Lag,
            Mechanism::Shrinkage,
            Mechanism::Neighbours,
            Mechanism::Waits,
            Mechanism::Sliding,
            Mechanism::Wraps,
            Mechanism::Wander,
            Mechanism::Tail,
            Mechanism::Crystals,
            Mechanism::Plausible,
            Mechanism::Doubt,
            Mechanism::LongerBurst,
            Mechanism::KnownRate,
            Mechanism::Spread,
            Mechanism::Range,
        ];
    }

    /// One more than the mechanism that is off; zero: all are on.
    static OFF: AtomicU32 = AtomicU32::new(0);

    /// Switches one mechanism off, in all clients of this process, and all others on.
    pub fn switch_off(mechanism: Option<Mechanism>) {
        OFF.store(mechanism.map_or(0, |mechanism| mechanism as u32 + 1), Ordering::Relaxed);
    }

    /// Whether a mechanism works. In unit tests, `NETCLOCK_OFF` names one that does not, to see that a test
    /// misses it.
    #[inline]
    pub(crate) fn is_on(mechanism: Mechanism) -> bool {
        #[cfg(test)]
        if std::env::var("NETCLOCK_OFF").is_ok_and(|name| name == format!("{mechanism:?}")) {
            return false;
        }
        OFF.load(Ordering::Relaxed) != mechanism as u32 + 1
    }
}
