//! Estimates the offset and rate of the server's clock, and their errors.

use super::bounds::Bounds;
use super::config::Config;
use super::estimators::Estimators;
use super::path::{Agreement, RecentMinimum};
use super::quality::Quality;
use crate::clock::discipline::Position;
use crate::clock::estimate::Estimate;
use crate::clock::exchange::{Exchange, Path};
use crate::clock::ground::memory::{self, OutOfMemory};
use crate::clock::ground::time::{LocalTime, Span};

/// The standard deviation of a uniform distribution is this fraction of its width (1/sqrt(12)).
const ANYWHERE: f64 = 0.289;

#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) estimators: Estimators,
    pub(super) bounds: Bounds,
    pub(super) quality: Quality,
    round_trip: RecentMinimum,
    agreement: Agreement,
    /// The standard deviation due to the resolutions of both clocks (ticks).
    steps: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    pub(super) estimate: Option<Estimate>,
    pub(super) position: Position,
    pub(super) round_trip: Span,
    pub(super) is_confirmed: bool,
    pub(super) is_doubtful: bool,
    pub(super) is_holdover: bool,
}

impl Known {
    pub(super) fn new(config: &Config, estimators: Estimators) -> Self {
        let bounds = Bounds::new(config);
        let limits = bounds.limits();
        let steps = (limits.client_step as f64).hypot(limits.server_step as f64) / 12_f64.sqrt();
        let (quality, round_trip, agreement) =
            (Quality::new(config), RecentMinimum::new(), Agreement::default());
        Known { estimators, bounds, quality, round_trip, agreement, steps }
    }

    // Not inlined, so that creating a client needs less stack.
    #[inline(never)]
    pub(super) fn boxed(config: &Config, estimators: Estimators) -> Result<Box<Self>, OutOfMemory> {
        memory::boxed(|| Ok(Self::new(config, estimators)))
    }

    /// After a clock step, discards everything except the rate. The exchange that proves the step must be
    /// passed to [`learn`](Self::learn) afterwards.
    pub(super) fn start_over(&mut self, exchange: &Exchange) {
        self.estimators.forget_offset();
        (self.round_trip, self.agreement) = (RecentMinimum::new(), Agreement::default());
        self.bounds.step(exchange);
    }

    /// Starts over with another server, whose clock may have a different rate.
    pub(super) fn start_over_with_other_clock(&mut self, exchange: &Exchange) {
        self.estimators.forget_server();
        (self.round_trip, self.agreement) = (RecentMinimum::new(), Agreement::default());
        self.bounds.start_over(exchange);
    }

    /// Learns from an exchange that the bounds already include. Returns whether a degraded clock has
    /// recovered, which requires that the clock has been shown.
    pub(super) fn learn(&mut self, exchange: &Exchange, path: Path, now: LocalTime, is_shown: bool) -> bool {
        self.estimators.allow(self.bounds.drift());
        self.estimators.learn(exchange, path);
        self.bounds.allow(self.estimators.evident_drift(), now);
        self.round_trip.add(exchange.round_trip().max(Span::ZERO));
        self.agreement.add(exchange);
        let was_doubtful = self.bounds.trust();
        self.quality.recovers(now, was_doubtful, self.bounds.width(now), is_shown)
    }

    /// Discards the offset, but not the rate, because the local clock may have missed up to `most`.
    pub(super) fn miss(&mut self, most: Span) {
        self.estimators.forget_offset();
        self.agreement = Agreement::default();
        self.bounds.miss(most);
    }

    /// Discards the offset and its bounds, but not the rate, because the local clock was set back.
    pub(super) fn forget_offset(&mut self) {
        self.estimators.forget_offset();
        self.agreement = Agreement::default();
        self.bounds.forget();
        self.quality.forget_last_reply();
    }

    /// Returns the standard deviations of the rate and the offset (ticks) from the link's own estimate.
    #[cfg(feature = "link")]
    pub(super) fn sigmas_by_link(&self, now: LocalTime) -> Option<(f64, f64)> {
        let by_link = self.estimators.by_link(now)?;
        Some((by_link.sigma_rate, self.with_steps(by_link.sigma)))
    }

    pub(super) fn round_trip(&self) -> Span {
        let known = self.round_trip.get();
        if known == Span::MAX { Span::ZERO } else { known }
    }

    pub(super) fn forget_round_trip(&mut self) {
        self.round_trip = RecentMinimum::new();
    }

    pub(super) fn at(&self, now: LocalTime) -> View {
        let estimate = self.estimate(now);
        let unknown = Estimate { offset: 0, rate: 0.0, sigma: f64::INFINITY, sigma_rate: 0.0 };
        let Estimate { offset, sigma, sigma_rate, .. } = estimate.unwrap_or(unknown);
        View {
            estimate,
            position: Position {
                reference: now,
                hard: self.bounds.hard(now),
                hard_rate: self.bounds.drift(),
                offset,
                sigma,
                sigma_rate,
            },
            round_trip: self.round_trip.get(),
            is_confirmed: self.agreement.unconfirmed().is_none(),
            is_doubtful: self.bounds.is_doubtful(),
            is_holdover: self.quality.is_holdover,
        }
    }

    fn estimate(&self, now: LocalTime) -> Option<Estimate> {
        let mut estimate = self.estimators.at(now)?;
        let limits = self.bounds.limits();
        // On average, the time is half a resolution step later than a clock reads. The client's own
        // resolution cancels out, because it affects timestamps and reads alike.
        estimate.offset = estimate.offset.saturating_add(limits.server_step / 2);
        estimate.sigma = self.with_steps(estimate.sigma);
        if let Some(round_trip) = self.agreement.unconfirmed() {
            // The whole round trip may be due to one direction.
            estimate.sigma = estimate.sigma.max(ANYWHERE * round_trip.ticks() as f64);
        }
        estimate.offset = self.bounds.clamp(estimate.offset, now);
        Some(estimate)
    }

    fn with_steps(&self, sigma: f64) -> f64 {
        sigma.hypot(self.steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::estimate::Prior;

    fn known(config: &Config) -> Known {
        Known::new(config, Estimators::new(config, Prior::CRYSTALS, None).expect("there is memory"))
    }

    const SERVER_STEP: i64 = 1_000;

    fn exchange(at: i64, forward: i64, reverse: i64) -> Exchange {
        let received = at + 5_000 + forward;
        Exchange::of_ticks([at, received, received, at + forward + reverse])
    }

    #[test]
    fn the_estimate_is_within_the_bounds_and_includes_the_resolutions() {
        let config = Config { server_resolution: Span::from_ticks(SERVER_STEP), ..Config::default() };
        let mut known = known(&config);
        assert_eq!(known.at(LocalTime::from_ticks(0)).estimate, None);
        let exchange = exchange(0, 200, 200);
        known.bounds.tighten(&exchange, exchange.client_received);
        assert!(!known.learn(&exchange, Path::Messages, exchange.client_received, false));
        let view = known.at(exchange.client_received);
        let estimate = view.estimate.expect("there was an exchange");
        assert_eq!(estimate.offset, 5_000 + SERVER_STEP / 2);
        assert!(estimate.sigma > SERVER_STEP as f64 / 12_f64.sqrt(), "{}", estimate.sigma);
        assert_eq!((view.round_trip.ticks(), view.position.offset), (400, estimate.offset));
        let (upper, lower) = view.position.hard.expect("the bounds are certain");
        assert!(lower < 5_000 && upper > 5_000 + SERVER_STEP, "{lower}..{upper}");
    }

    #[test]
    fn a_step_keeps_the_rate() {
        let mut known = known(&Config::default());
        for second in 0..100 {
            let exchange = exchange(second * 10_000_000, 200, 200);
            known.bounds.tighten(&exchange, exchange.client_received);
            known.learn(&exchange, Path::Messages, exchange.client_received, true);
        }
        assert!(known.estimators.sigma_rate() < 2e-6, "{}", known.estimators.sigma_rate());
        known.forget_offset();
        assert_eq!(known.at(LocalTime::from_ticks(0)).estimate, None);
        assert!(known.estimators.sigma_rate() < 2e-6, "{}", known.estimators.sigma_rate());
        known.start_over_with_other_clock(&exchange(0, 200, 200));
        let sigma = known.estimators.sigma_rate();
        assert!(sigma > 9e-6, "it may be a different crystal: {sigma}");
    }
}
