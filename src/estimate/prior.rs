//! What is known of the rate before the first exchange.
//!
//! Two ordinary crystals differ by some 20 ppm. Sometimes more is known: the rate of an earlier session, or what the system
//! says of its own crystal. Such knowledge may also be wrong: the machine is another one, or its crystal has moved. So it is
//! one of two hypotheses, and the exchanges decide between them. The other one is that of ordinary crystals.

/// Degrees of freedom of the tails (Student's t). With few, a queue that drifts for a minute passes for a crystal
/// that no shop sells. With many, a clock that really is 200 ppm off is recognised too late.
const TAIL: i32 = 20;

/// Probability of what is known. The rest is left to ordinary crystals.
const TRUST: f64 = 0.9;

/// A distribution of the rate before any evidence of this session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prior {
    pub(crate) mean: f64,
    pub(crate) sigma: f64,
    /// Probability of this mean and sigma; the rest is that of ordinary crystals.
    trust: f64,
}

impl Prior {
    /// Two ordinary crystals: half of all pairs within 20 ppm or so.
    pub(crate) const CRYSTALS: Prior = Prior { mean: 0.0, sigma: 20e-6, trust: 0.0 };

    /// The rate is probably known, with this standard deviation.
    pub(crate) fn known(mean: f64, sigma: f64) -> Self {
        Prior { mean, sigma, trust: TRUST }
    }

    /// Probability density up to a factor. A grid of this `step` sees nothing finer than its step.
    pub(crate) fn density(&self, rate: f64, step: f64) -> f64 {
        let ordinary = bell(rate / Self::CRYSTALS.sigma);
        if self.trust == 0.0 {
            return ordinary;
        }
        let sigma = self.sigma.max(step / 2.0);
        let known = bell((rate - self.mean) / sigma) * Self::CRYSTALS.sigma / sigma;
        self.trust * known + (1.0 - self.trust) * ordinary
    }
}

/// Bell-shaped near zero, with a tail for pairs of clocks that are far off.
fn bell(z: f64) -> f64 {
    (1.0 + z * z / f64::from(TAIL)).powi(-TAIL / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_of_any_step_gives_what_is_known_its_probability() {
        let prior = Prior::known(30e-6, 1e-6);
        for step in [85e-6, 12e-6, 1.7e-6, 0.3e-6] {
            let nodes = (-2_000..2_000).map(|i| 30.4e-6 + f64::from(i) * step);
            let ordinary: f64 = nodes.clone().map(|rate| Prior::CRYSTALS.density(rate, step)).sum();
            let all: f64 = nodes.map(|rate| prior.density(rate, step)).sum();
            let known = (all - (1.0 - TRUST) * ordinary) / all;
            assert!((known - TRUST).abs() < 0.03, "{known} at steps of {step}");
        }
    }

    #[test]
    fn the_other_hypothesis_is_never_ruled_out() {
        let prior = Prior::known(500e-6, 1e-6);
        let (far, near) = (prior.density(20e-6, 1e-6), prior.density(500e-6, 1e-6));
        assert!(far > 1e-4 * near, "{far} beside {near}");
    }
}
