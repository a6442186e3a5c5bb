//! Keeps separate estimators for messages and for the link.
//!
//! The two paths have different base delays, queues and frame waits. A shared estimator would mistake those
//! differences for queueing or a route change. The client uses the estimate with the smaller expected error.
//! The hard bounds of both paths apply to the same offset, so they are intersected.

use super::config::Config;
use crate::clock::estimate::{Asymmetry, Estimate, Estimator, Prior};
use crate::clock::exchange::{Exchange, Path};
use crate::clock::ground::memory::{self, OutOfMemory};
use crate::clock::ground::time::{LocalTime, Span};

/// We prefer the link's estimate unless its expected error exceeds that of the messages by this factor.
/// Messages may wait in loops that the client does not know about.
const PREFERENCE: f64 = 2.0;

/// Two rates differ significantly if they are this many standard deviations apart.
const APART: f64 = 4.0;

// Not inlined, so that creating a client needs less stack.
#[inline(never)]
fn boxed(
    frames: Option<(f64, f64)>,
    prior: Prior,
    asymmetry: Option<Asymmetry>,
) -> Result<Box<Estimator>, OutOfMemory> {
    memory::boxed(|| Estimator::new(frames, prior, asymmetry))
}

#[derive(Clone, Debug)]
pub(super) struct Estimators {
    messages: Box<Estimator>,
    link: Option<Box<Estimator>>,
    prior: Prior,
}

impl Estimators {
    pub(super) fn new(
        config: &Config,
        prior: Prior,
        asymmetry: Option<Asymmetry>,
    ) -> Result<Self, OutOfMemory> {
        let frames = (config.server_frame.as_secs_f64(), config.client_frame.as_secs_f64());
        // Messages may wait for frames without reporting it, and all messages of a block may wait equally
        // long.
        let mut messages = boxed(Some(frames), prior, asymmetry)?;
        messages.read_in_steps([config.server_resolution, config.client_resolution].map(Span::as_secs_f64));
        Ok(Estimators { messages, link: None, prior })
    }

    pub(super) fn expect(&mut self, prior: Prior) {
        self.prior = prior;
        self.both().for_each(|estimator| estimator.expect(prior));
    }

    pub(super) fn allow(&mut self, limit: f64) {
        self.both().for_each(|estimator| estimator.allow(limit));
    }

    /// Link exchanges take the same route as messages, but are timestamped on arrival and never wait for
    /// frames.
    #[cfg(feature = "link")]
    pub(super) fn open_link(&mut self) -> Result<(), OutOfMemory> {
        if self.link.is_none() {
            self.link = Some(boxed(None, self.prior, self.messages.known_asymmetry())?);
        }
        Ok(())
    }

    /// Without a link, all exchanges count as messages.
    pub(super) fn learn(&mut self, exchange: &Exchange, path: Path) {
        let (of_path, other) = match (&mut self.link, path) {
            (Some(link), Path::Link) => (link, Some(&self.messages)),
            (link, _) => (&mut self.messages, link.as_ref()),
        };
        if let Some(other) = other {
            // The rate between two crystals is the same on both paths.
            of_path.expect_rate_of(other);
        }
        of_path.learn(exchange);
    }

    pub(super) fn at(&self, now: LocalTime) -> Option<Estimate> {
        match (self.messages.at(now), self.by_link(now)) {
            (Some(messages), Some(link)) => Some(better(messages, link)),
            (messages, link) => link.or(messages),
        }
    }

    pub(super) fn rate(&self) -> f64 {
        self.surest().rate()
    }

    pub(super) fn sigma_rate(&self) -> f64 {
        self.surest().sigma_rate()
    }

    pub(super) fn asymmetry(&self) -> Option<Asymmetry> {
        let known = [self.link.as_ref().and_then(|link| link.asymmetry()), self.messages.asymmetry()];
        let unequal = known.into_iter().flatten().find(Asymmetry::is_unequal);
        unequal.or_else(|| known.into_iter().flatten().next())
    }

    pub(super) fn by_link(&self, now: LocalTime) -> Option<Estimate> {
        self.link.as_ref().and_then(|link| link.at(now))
    }

    pub(super) fn evident_drift(&self) -> f64 {
        self.surest().evident_drift()
    }

    pub(super) fn forget_offset(&mut self) {
        self.both().for_each(Estimator::forget_offset);
    }

    pub(super) fn forget_server(&mut self) {
        self.both().for_each(Estimator::forget_server);
    }

    fn surest(&self) -> &Estimator {
        let link = self.link.as_deref();
        link.filter(|link| link.sigma_rate() < self.messages.sigma_rate()).unwrap_or(&self.messages)
    }

    fn both(&mut self) -> impl Iterator<Item = &mut Estimator> {
        core::iter::once(&mut *self.messages).chain(self.link.as_deref_mut())
    }
}

/// Returns the better of the two estimates. Both estimates should have the same rate, which the link measures
/// reliably. If two frame loops run at nearly the same rate, their phases drift apart slowly. The messages'
/// estimate then has a wrong rate and an offset that is off by up to half a frame.
fn better(messages: Estimate, link: Estimate) -> Estimate {
    let limit = APART * messages.sigma_rate.hypot(link.sigma_rate);
    let is_one_rate = (messages.rate - link.rate).abs() < limit;
    if is_one_rate && PREFERENCE * messages.sigma < link.sigma { messages } else { link }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFFSET: i64 = 5_000_000;

    fn exchange(seconds: f64, forward: i64, reverse: i64) -> Exchange {
        let sent = (seconds * 1e7) as i64;
        let received = sent + OFFSET + 10 * forward;
        Exchange::of_ticks([sent, received, received, sent + 10 * (forward + reverse)])
    }

    fn queue(i: i64) -> i64 {
        i * 37 % 97 * 20
    }

    fn error_us(estimators: &Estimators, seconds: f64) -> i64 {
        let at = LocalTime::from_ticks((seconds * 1e7) as i64);
        (estimators.at(at).expect("there were exchanges").offset - OFFSET) / 10
    }

    fn estimators() -> Estimators {
        let frame = Span::from_micros(33_333);
        let config = Config { server_frame: frame, client_frame: frame, ..Config::default() };
        Estimators::new(&config, Prior::CRYSTALS, None).expect("there is memory")
    }

    /// Messages take an additional 8 ms to the server, while the link's delays are symmetric.
    fn learn_both(estimators: &mut Estimators, link: Path) {
        for i in 0..60 {
            let at = i as f64;
            estimators.learn(&exchange(at, 33_000 + queue(i), 25_000 + queue(i + 5)), Path::Messages);
            estimators.learn(&exchange(at + 0.5, 20_000 + queue(i + 9), 20_000 + queue(i + 3)), link);
        }
    }

    #[test]
    fn each_path_keeps_its_own_floor() {
        let mut apart = estimators();
        apart.open_link().expect("there is memory");
        learn_both(&mut apart, Path::Link);
        assert!(error_us(&apart, 60.0).abs() < 60, "{} us", error_us(&apart, 60.0));
        assert!(apart.link.is_some_and(|link| link.sigma_rate() < 5e-6));
    }

    #[test]
    fn messages_take_over_when_the_link_ends() {
        let mut estimators = estimators();
        estimators.open_link().expect("there is memory");
        learn_both(&mut estimators, Path::Link);
        // After ten hours, recent messages are more accurate than the link's estimate, but the difference is
        // at most half a frame.
        for i in 0..600 {
            let at = 36_000.0 + i as f64;
            estimators.learn(&exchange(at, 33_000 + queue(i), 33_000 + queue(i + 5)), Path::Messages);
        }
        let at = LocalTime::from_ticks(366_000_000_000);
        assert_eq!(estimators.at(at), estimators.messages.at(at));
    }

    /// In the last case, both sides run at 60 frames per second, and the messages' estimate is off by 9.6 ms.
    #[test]
    fn better_messages_replace_the_link_if_their_rates_agree() {
        let estimate = |ms: f64, ppm: f64, sigma_ppm: f64| {
            let (sigma, sigma_rate) = (ms * 1e4, sigma_ppm * 1e-6);
            Estimate { offset: OFFSET, rate: ppm * 1e-6, sigma, sigma_rate }
        };
        let link = estimate(2.1, -7.4, 13.0);
        for (messages, replaces) in [
            (estimate(1.0, -9.0, 33.0), true),
            (estimate(1.0, 60.0, 33.0), true),
            (estimate(1.5, -9.0, 33.0), false),
            (estimate(1.0, 359.0, 33.0), false),
        ] {
            assert_eq!(better(messages, link) == messages, replaces, "{messages:?}");
        }
    }

    /// Learns from messages with these waits (us), then from the link's first exchange. Returns the standard
    /// deviation of the rate after the messages and after the exchange, and the estimators.
    fn rates_after(wait: impl Fn(i64) -> i64) -> (f64, f64, Estimators) {
        let mut estimators = estimators();
        for i in 0..300 {
            let (forward, reverse) = (25_000 + wait(i), 25_000 + wait(i + 5));
            estimators.learn(&exchange(i as f64, forward, reverse), Path::Messages);
        }
        let known = estimators.sigma_rate();
        estimators.open_link().expect("there is memory");
        estimators.learn(&exchange(300.0, 20_000, 20_000), Path::Link);
        (known, estimators.link.as_ref().expect("the link is open").sigma_rate(), estimators)
    }

    #[test]
    fn the_rate_of_one_path_helps_the_other() {
        let (known, by_link, mut estimators) = rates_after(|i| i * 7_919 % 33_333);
        assert!(by_link < 2.0 * known + 2e-6, "{by_link} after {known}");
        estimators.forget_server();
        assert!(estimators.sigma_rate() > 9e-6);
    }

    #[test]
    fn a_rate_measured_at_one_frame_phase_is_not_trusted() {
        let (known, by_link, _) = rates_after(queue);
        assert!(known > 9e-6 && by_link > 9e-6, "{by_link} after {known}");
    }
}
