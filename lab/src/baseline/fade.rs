//! A step that is shown as a ramp.

/// Hides a step: it adds a remainder that shrinks at a fixed rate.
#[derive(Clone, Debug)]
pub(super) struct Fade {
    rate: f64,
    step: f64,
    since: f64,
}

impl Fade {
    /// Remainders shrink by `rate` seconds per second.
    pub(super) fn new(rate: f64) -> Self {
        Self { rate, step: 0.0, since: 0.0 }
    }

    /// Hides a step from `now` on: `step` is shown before minus shown now (s).
    pub(super) fn hide(&mut self, step: f64, now: f64) {
        self.step = step;
        self.since = now;
    }

    /// The remainder at `now` (s).
    pub(super) fn left(&self, now: f64) -> f64 {
        let left = (self.step.abs() - self.rate * (now - self.since).max(0.0)).max(0.0);
        left.copysign(self.step)
    }
}
