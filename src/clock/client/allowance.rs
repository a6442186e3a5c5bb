//! A token bucket that limits a client's requests, regardless of the server's replies.

use crate::clock::ground::time::{LocalTime, Span};

#[derive(Clone, Debug)]
pub(super) struct Allowance {
    left: f64,
    most: f64,
    spent_at: Option<LocalTime>,
}

impl Allowance {
    pub(super) fn new(most: f64) -> Self {
        Allowance { left: most, most, spent_at: None }
    }

    #[cfg(feature = "link")]
    pub(super) fn extend(&mut self, by: f64) {
        self.left += by;
        self.most += by;
    }

    pub(super) fn grant(&mut self, count: f64) {
        self.left = self.left.max(count.min(self.most));
    }

    pub(super) fn has_some(&self) -> bool {
        self.left >= 1.0
    }

    /// Adds one request for each `refill` since the last call, and then spends one. Returns the time until
    /// the next request is allowed. For callers that respect the limit, this time is at most `refill`. If
    /// fewer than `reserve` requests are left, it is at least `refill`.
    pub(super) fn spend(&mut self, now: LocalTime, refill: Span, reserve: f64) -> Span {
        let elapsed = (now - self.spent_at.replace(now).unwrap_or(now)).max(Span::ZERO);
        let refilled = self.left + elapsed.as_secs_f64() / refill.as_secs_f64();
        // A caller that ignores the limit can overdraw it by at most one request.
        self.left = (refilled.min(self.most) - 1.0).max(-1.0);
        let missing = if self.left < reserve { (1.0 - self.left).max(1.0) } else { 1.0 - self.left };
        Span::from_secs_f64(refill.as_secs_f64() * missing.clamp(0.0, 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFILL: Span = Span::from_secs(2);

    fn at(seconds: i64) -> LocalTime {
        LocalTime::from_ticks(seconds * 10_000_000)
    }

    #[test]
    fn the_bucket_refills_up_to_its_capacity() {
        let mut allowance = Allowance::new(3.0);
        assert_eq!(allowance.spend(at(0), REFILL, 0.0), Span::ZERO);
        assert_eq!(allowance.spend(at(0), REFILL, 0.0), Span::ZERO);
        assert_eq!(allowance.spend(at(0), REFILL, 0.0), REFILL);
        assert!(!allowance.has_some());
        assert_eq!(allowance.spend(at(2), REFILL, 0.0), REFILL, "one request was refilled");
        assert_eq!(allowance.spend(at(2), REFILL, 0.0), REFILL + REFILL, "a debt of one");
        assert_eq!(allowance.spend(at(2), REFILL, 0.0), REFILL + REFILL, "the debt does not grow");
        assert_eq!(allowance.spend(at(1_000), REFILL, 0.0), Span::ZERO);
        assert_eq!(allowance.spend(at(1_000), REFILL, 0.0), Span::ZERO);
        assert_eq!(allowance.spend(at(1_000), REFILL, 0.0), REFILL);
        assert_eq!(allowance.spend(at(0), REFILL, 0.0), REFILL + REFILL, "the local clock was set back");
    }

    #[test]
    fn spending_leaves_the_reserve_and_grants_are_limited() {
        let mut allowance = Allowance::new(3.0);
        assert_eq!(allowance.spend(at(0), REFILL, 2.0), Span::ZERO);
        assert_eq!(allowance.spend(at(0), REFILL, 2.0), REFILL, "one is reserved");
        assert!(allowance.has_some());
        allowance.grant(9.0);
        assert_eq!(allowance.spend(at(0), REFILL, 2.0), Span::ZERO);
    }
}
