//! Determines which of two timestamped events came first, and how certain this is.
//!
//! If two timestamps differ by more than the sum of their bounds, their order is *proven*. If the order is
//! not proven, the event at `t1` came first with probability `F((t2 - t1) / sigma)`. `sigma` is the square
//! root of the sum of the squared expected errors. `F` is Student's t-distribution with four degrees of
//! freedom, scaled by [`SCALE`]. Measured errors have heavier tails than a normal distribution
//! (`docs/theory.md`).
//!
//! Expected errors assume that both directions have the same base delay. On asymmetric paths, rely only on
//! proven orders.

use super::error::OrderError;
use crate::clock::for_parts::range::number;
use crate::clock::{Reading, ServerTime, Span, Time};

/// Scale of the t-distribution relative to the expected error, fitted to measured errors (`docs/theory.md`).
const SCALE: f64 = 0.82;

/// The timestamp of an event, from a client's reading or from the server's clock. See [`arbitrate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Server time of the event.
    pub time: ServerTime,
    /// Hard bound on the error, or [`Span::MAX`] if unknown.
    pub error_bound: Span,
    /// Expected error (one standard deviation), or [`Span::MAX`] if unknown.
    pub expected_error: Span,
}

impl Stamp {
    /// Creates a timestamp without an error, from the server's own clock.
    pub const fn exact(time: ServerTime) -> Self {
        Stamp { time, error_bound: Span::ZERO, expected_error: Span::ZERO }
    }

    fn check(&self, names: [&'static str; 3]) -> Result<(), OrderError> {
        instant(names[0], self.time)?;
        not_negative(names[1], self.error_bound)?;
        not_negative(names[2], self.expected_error)
    }

    fn sigma(&self) -> Option<f64> {
        let least = self.error_bound.min(self.expected_error);
        (least != Span::MAX).then(|| least.ticks() as f64)
    }
}

impl From<&Reading> for Stamp {
    fn from(reading: &Reading) -> Self {
        Stamp {
            time: reading.server_time,
            error_bound: reading.error_bound,
            expected_error: reading.expected_error,
        }
    }
}

/// Whether two timestamps come from the same clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clocks {
    /// The clocks of two clients, or of a client and the server, whose errors are independent.
    Independent,
    /// The same clock in the same [epoch](Reading::epoch), in which that clock never runs backwards. Both
    /// timestamps have the same error, which cancels out.
    Same,
}

/// Which event came first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first event came before the second.
    Before,
    /// The second event came before the first.
    After,
    /// The order cannot be determined with the requested confidence.
    TooClose,
}

/// The result of [`arbitrate`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arbitration {
    /// Which event came first.
    pub order: Order,
    /// Whether the order is proven rather than only probable.
    pub proven: bool,
    /// Probability that the first event came before the second, exactly 0 or 1 if the order is proven.
    pub probability: f64,
}

/// Determines which of two events came first. An unproven order is returned only if its probability is at
/// least `confidence`. At a confidence of 0.5, only ties are [`Order::TooClose`]. At 1, all unproven orders
/// are [`Order::TooClose`].
///
/// ```
/// use netclock::order::{Clocks, Order, Stamp, arbitrate};
/// use netclock::{ServerTime, Span};
///
/// let (error_bound, expected_error) = (Span::from_millis(2), Span::from_micros(300));
/// let shot = Stamp { time: ServerTime::from_ticks(0), error_bound, expected_error };
/// let escape = Stamp::exact(ServerTime::from_ticks(50_000)); // 5 ms later
/// let verdict = arbitrate(&shot, &escape, Clocks::Independent, 0.95)?;
/// assert!(verdict.order == Order::Before && verdict.proven);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if a time is outside the valid range, a bound or an expected error is negative, or `confidence` is
/// NaN or outside 0.5 to 1.
pub fn arbitrate(
    first: &Stamp,
    second: &Stamp,
    clocks: Clocks,
    confidence: f64,
) -> Result<Arbitration, OrderError> {
    first.check(["first->time", "first->error_bound", "first->expected_error"])?;
    second.check(["second->time", "second->error_bound", "second->expected_error"])?;
    number("confidence", confidence, 0.5, 1.0, "")?;
    let apart = second.time - first.time;
    // Even if the sum of the bounds saturates, it exceeds every possible difference.
    let proven = apart != Span::ZERO
        && (clocks == Clocks::Same || apart.abs() > first.error_bound + second.error_bound);
    let probability = if proven {
        if apart > Span::ZERO { 1.0 } else { 0.0 }
    } else {
        match (first.sigma(), second.sigma()) {
            // Exact timestamps whose order is not proven are equal.
            (Some(a), Some(b)) if clocks == Clocks::Independent && a + b > 0.0 => {
                student(apart.ticks() as f64 / (SCALE * (a * a + b * b).sqrt()))
            }
            _ => 0.5,
        }
    };
    let surer = probability.max(1.0 - probability);
    let order = if !proven && (surer <= 0.5 || surer < confidence || confidence == 1.0) {
        Order::TooClose
    } else if probability > 0.5 {
        Order::Before
    } else {
        Order::After
    };
    Ok(Arbitration { order, proven, probability })
}

/// The cumulative distribution function of Student's t-distribution with four degrees of freedom.
fn student(t: f64) -> f64 {
    let spread = 1.0 + t * t / 4.0;
    // For large `t`, rounding could yield more than 1.
    let p = (0.5 + 0.375 * t.abs() / spread.sqrt() * (1.0 - t * t / (12.0 * spread))).min(1.0);
    if t < 0.0 { 1.0 - p } else { p }
}

pub(super) fn instant<S>(name: &'static str, time: Time<S>) -> Result<(), OrderError> {
    if time.is_valid() { Ok(()) } else { Err(OrderError::StampOutOfRange(name, time.ticks())) }
}

fn not_negative(name: &'static str, span: Span) -> Result<(), OrderError> {
    Ok(number(name, span.ticks() as f64, 0.0, i64::MAX as f64, "ticks")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(ticks: i64, error_bound: i64, expected_error: i64) -> Stamp {
        Stamp {
            time: ServerTime::from_ticks(ticks),
            error_bound: Span::from_ticks(error_bound),
            expected_error: Span::from_ticks(expected_error),
        }
    }

    fn verdict(first: Stamp, second: Stamp, confidence: f64) -> Arbitration {
        arbitrate(&first, &second, Clocks::Independent, confidence).expect("good stamps")
    }

    #[test]
    fn disjoint_bounds_prove_the_order_at_any_confidence() {
        let (a, b) = (stamp(1000, 40, 10), stamp(1101, 60, 10));
        assert_eq!(verdict(a, b, 1.0), Arbitration { order: Order::Before, proven: true, probability: 1.0 });
        assert_eq!(verdict(b, a, 1.0), Arbitration { order: Order::After, proven: true, probability: 0.0 });
        let touching = stamp(1100, 60, 10);
        assert!(!verdict(a, touching, 0.9).proven);
        assert_eq!(verdict(a, touching, 0.9).order, Order::Before);
        assert_eq!(verdict(a, touching, 1.0).order, Order::TooClose);
    }

    #[test]
    fn probability_depends_on_distance_and_errors() {
        let a = stamp(0, 1000, 30);
        let odds = |b| verdict(a, b, 0.95).probability;
        assert_eq!(odds(stamp(0, 1000, 40)), 0.5);
        for (apart, expected) in [(50, 0.855), (100, 0.965), (150, 0.989)] {
            let p = odds(stamp(apart, 1000, 40));
            assert!((p - expected).abs() < 0.002, "{apart}: {p}");
            assert!((odds(stamp(-apart, 1000, 40)) + p - 1.0).abs() < 1e-12);
        }
        assert_eq!(verdict(a, stamp(100, 1000, 40), 0.95).order, Order::Before);
        assert_eq!(verdict(a, stamp(-100, 1000, 40), 0.95).order, Order::After);
        assert_eq!(verdict(a, stamp(100, 1000, 40), 0.97).order, Order::TooClose);
    }

    #[test]
    fn timestamps_of_one_clock_are_ordered_to_the_tick() {
        let none = Span::MAX.ticks();
        let of = |a, b| {
            let stamps = (stamp(a, none, none), stamp(b, none, none));
            arbitrate(&stamps.0, &stamps.1, Clocks::Same, 1.0).expect("good stamps")
        };
        assert_eq!(of(5, 6), Arbitration { order: Order::Before, proven: true, probability: 1.0 });
        assert_eq!(of(6, 5).order, Order::After);
        assert_eq!(of(5, 5), Arbitration { order: Order::TooClose, proven: false, probability: 0.5 });
    }

    #[test]
    fn unknown_errors_give_no_verdict() {
        let none = Span::MAX.ticks();
        let blind = verdict(stamp(0, none, none), stamp(i64::from(u32::MAX), 5, 5), 0.5);
        assert_eq!(blind, Arbitration { order: Order::TooClose, proven: false, probability: 0.5 });
        assert!(verdict(stamp(0, 50, none), stamp(49, 0, 0), 0.8).probability > 0.8);
        let alike = verdict(Stamp::exact(ServerTime::from_ticks(3)), stamp(3, 0, 0), 0.5);
        assert_eq!((alike.order, alike.proven), (Order::TooClose, false));
    }

    #[test]
    fn extreme_timestamps_are_ordered() {
        let far = crate::clock::MAX_INSTANT_TICKS;
        let none = Span::MAX.ticks();
        assert!(verdict(stamp(-far, 1, 1), stamp(far, 1, 1), 1.0).proven);
        assert!(!verdict(stamp(-far, none, 1), stamp(far, none, 1), 1.0).proven);
    }

    #[test]
    fn the_distribution_matches_tables_of_student_t() {
        for (t, p) in [(1.533, 0.9), (2.132, 0.95), (2.776, 0.975), (4.604, 0.995)] {
            assert!((student(t) - p).abs() < 1e-4, "{t}: {}", student(t));
        }
        for exponent in 0..80 {
            let t = 1.37 * 1.9_f64.powi(exponent);
            assert!(student(t) <= 1.0, "{t}: {}", student(t));
            assert!(student(-t) >= 0.0, "{t}: {}", student(-t));
            assert!((student(t) + student(-t) - 1.0).abs() < 1e-12, "{t}");
        }
    }
}
