//! Rules that smooth out offset steps at a fixed rate.

use std::collections::VecDeque;

use super::rule::{Rule, Stamps, mean, push_bounded};

struct Fade {
    rate: f64,
    /// How far the displayed time was ahead of the new time at the step (s).
    step: f64,
    since: f64,
}

impl Fade {
    fn new(rate: f64) -> Self {
        Self { rate, step: 0.0, since: 0.0 }
    }

    fn remainder(&self, now: f64) -> f64 {
        let size = (self.step.abs() - self.rate * (now - self.since).max(0.0)).max(0.0);
        size.copysign(self.step)
    }
}

/// Uses the exchange with the smallest round-trip time so far, if that is at most 500 ms: offset = S + rtt /
/// 2 - t3. Moves the displayed time towards this offset at 0.33 s per second. Source: the
/// FServerTimeSynchronizer write-up of a shipped Unreal game.
pub(super) struct MinRttForever {
    smallest: f64,
    offset: Option<f64>,
    fade: Fade,
}

impl Default for MinRttForever {
    fn default() -> Self {
        Self { smallest: 0.5, offset: None, fade: Fade::new(0.33) }
    }
}

impl Rule for MinRttForever {
    fn update(&mut self, x: &Stamps) {
        if x.delta() > self.smallest {
            return;
        }
        self.smallest = x.delta();
        let offset = x.t1 + x.delta() / 2.0 - x.t3;
        if let Some(shown) = self.offset(x.t3) {
            (self.fade.step, self.fade.since) = (shown - offset, x.t3);
        }
        self.offset = Some(offset);
    }

    fn offset(&self, now: f64) -> Option<f64> {
        Some(self.offset? + self.fade.remainder(now))
    }
}

const SERIES: usize = 10;
const NEAR_SHORTEST: f64 = 1.01;
const TRAINING_S: f64 = 120.0;
const FADE: f64 = 160e-6;

/// Sends pings in series of ten. Of the pings within 1 % of the series' shortest round trip, the median one
/// joins a list of 60 entries. For the first 120 s, the offset is the mean of the middle three values of the
/// list. Afterwards, the offset follows a least-squares line through the list. Changes are faded in at 160
/// ppm. Source: Ircam's `sync` for the web audio clock (Lambert, Robaszkiewicz, Schnell 2016).
pub(super) struct Ircam {
    series: Vec<Stamps>,
    /// For each ping, the client time halfway between sending and receiving, and the offset at that time (s).
    list: VecDeque<(f64, f64)>,
    /// The offset at client time 0 (s) and the slope.
    line: Option<(f64, f64)>,
    fade: Fade,
}

impl Default for Ircam {
    fn default() -> Self {
        Self { series: Vec::new(), list: VecDeque::new(), line: None, fade: Fade::new(FADE) }
    }
}

impl Ircam {
    fn best_of_series(&mut self) -> (f64, f64) {
        self.series.sort_by(|a, b| a.trip().total_cmp(&b.trip()));
        let longest = self.series[0].trip() * NEAR_SHORTEST;
        let near = self.series.iter().take_while(|x| x.trip() <= longest).count();
        let best = self.series[(near - 1) / 2];
        self.series.clear();
        ((best.t0 + best.t3) / 2.0, best.symmetric_offset())
    }

    fn fit(&self, now: f64) -> Option<(f64, f64)> {
        let points: Vec<(f64, f64)> = self.list.iter().copied().collect();
        if now < TRAINING_S || points.len() < 2 {
            let mut offsets: Vec<f64> = points.iter().map(|point| point.1).collect();
            offsets.sort_by(f64::total_cmp);
            let centre = offsets.len() / 2;
            let around = &offsets[centre.saturating_sub(1)..(centre + 2).min(offsets.len())];
            return Some((mean(around)?, 0.0));
        }
        let count = points.len() as f64;
        let (x, y) = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / count, sum.1 + p.1 / count));
        let above: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
        let below: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
        let slope = if below > 0.0 { above / below } else { 0.0 };
        Some((y - slope * x, slope))
    }
}

impl Rule for Ircam {
    fn update(&mut self, x: &Stamps) {
        self.series.push(*x);
        if self.series.len() < SERIES {
            return;
        }
        let best = self.best_of_series();
        push_bounded(&mut self.list, best, 60);
        let before = self.offset(x.t3);
        self.line = self.fit(x.t3);
        if let (Some(before), Some((offset, slope))) = (before, self.line) {
            (self.fade.step, self.fade.since) = (before - (offset + slope * x.t3), x.t3);
        }
    }

    fn offset(&self, now: f64) -> Option<f64> {
        let (offset, slope) = self.line?;
        Some(offset + slope * now + self.fade.remainder(now))
    }
}
