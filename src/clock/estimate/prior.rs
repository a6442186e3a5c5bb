//! The distribution of the rate before the first exchange.
//!
//! Two ordinary crystals differ by about 20 ppm (one sigma). An earlier session or the operating system may
//! provide a better rate. However, that rate may come from a different machine, or the crystal may have
//! changed. The prior therefore combines two hypotheses: the stated rate and a pair of ordinary crystals. The
//! exchanges decide between them.
//!
//! A correct rate is plausible for crystals, while a wrong rate may have any value. An implausible rate is
//! therefore trusted less from the start.

use super::{TINY, USUAL_LIMIT};

/// Degrees of freedom of Student's t. With fewer degrees of freedom, a queue that drifts for a minute would
/// look like an implausible crystal. With more degrees of freedom, it would take too long to recognise a
/// clock that really is 200 ppm off.
const TAIL: i32 = 10;

/// Scale of the rate difference between ordinary crystals.
pub(super) const CRYSTALS: f64 = 20e-6;

/// The odds that a stated rate is correct, regardless of its value. With odds of 1.5 instead of 4, the p99
/// error in the first half minute is 7 % higher for correct rates. For rates that are 50 ppm off but look
/// ordinary, this error is 5 % lower.
const HONEST: f64 = 4.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prior {
    pub(crate) mean: f64,
    pub(crate) sigma: f64,
    /// Odds of the stated rate over ordinary crystals.
    pub(crate) odds: f64,
}

impl Prior {
    /// The prior for two ordinary crystals, in which 63 % of all pairs differ by less than 20 ppm.
    pub(crate) const CRYSTALS: Prior = Prior { mean: 0.0, sigma: CRYSTALS, odds: 0.0 };

    pub(crate) fn said(mean: f64, sigma: f64) -> Self {
        Self::believed(mean, sigma, HONEST)
    }

    /// The prior for a rate that was measured since both machines last booted. We trust a measured rate even
    /// if hardly any crystals differ by that much.
    pub(crate) fn seen(mean: f64, sigma: f64) -> Self {
        let said = Self::said(mean, sigma);
        Prior { odds: said.odds.max(HONEST), ..said }
    }

    /// Like [`said`](Self::said), but for a rate measured before a possible reboot. If the reboot changed the
    /// rate by 50 ppm, using the old rate raises the p50 error in the first half minute by 4 % and the p99
    /// error by 3 %. If the rate is unchanged, the p50 error falls by 15 % and the p99 error by 12 %.
    pub(crate) fn said_before_boot(mean: f64, sigma: f64) -> Self {
        Self::believed(mean, sigma, 1.0 / HONEST)
    }

    fn believed(mean: f64, sigma: f64, honest: f64) -> Self {
        let plausible = bell(mean / CRYSTALS) / CRYSTALS;
        Prior { mean, sigma, odds: honest * plausible * USUAL_LIMIT / bell(mean / USUAL_LIMIT) }
    }

    pub(crate) fn learned(mean: f64, sigma: f64) -> Self {
        Prior { mean, sigma: sigma.min(CRYSTALS), odds: 1.0 / TINY }
    }

    /// Returns the probability density up to a constant factor. `step` is the resolution of the grid.
    pub(crate) fn density(&self, rate: f64, step: f64) -> f64 {
        let ordinary = bell(rate / CRYSTALS);
        if self.odds == 0.0 {
            return ordinary;
        }
        let sigma = self.sigma.max(step / 2.0);
        ordinary + self.odds * bell((rate - self.mean) / sigma) * CRYSTALS / sigma
    }

    pub(crate) fn is_unlikely(&self, rate: f64, step: f64) -> bool {
        self.density(rate, step) < TINY * self.density(self.mean, step)
    }
}

/// The shape of Student's t, whose heavy tails allow for clocks that are far off.
fn bell(z: f64) -> f64 {
    (1.0 + z * z / f64::from(TAIL)).powi(-TAIL / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_odds_of_a_stated_rate_do_not_depend_on_the_grid() {
        let prior = Prior::said(30e-6, 1e-6);
        for step in [12e-6, 1.7e-6, 0.3e-6] {
            let nodes = (-2_000..2_000).map(|i| 30.4e-6 + f64::from(i) * step);
            let ordinary: f64 = nodes.clone().map(|rate| Prior::CRYSTALS.density(rate, step)).sum();
            let all: f64 = nodes.map(|rate| prior.density(rate, step)).sum();
            let odds = (all - ordinary) / ordinary;
            assert!((odds / prior.odds - 1.0).abs() < 0.1, "{odds} at steps of {step}");
        }
    }

    #[test]
    fn clocks_that_are_far_off_are_improbable_but_possible() {
        let density = |ppm: f64| Prior::CRYSTALS.density(ppm * 1e-6, 1e-6);
        assert!(density(200.0) > 1e-7 && density(200.0) < 1e-5, "{}", density(200.0));
    }

    #[test]
    fn implausible_rates_are_hardly_believed() {
        let odds = |ppm: f64| Prior::said(ppm * 1e-6, 1e-6).odds;
        assert!(odds(0.0) > 10.0 && odds(-30.0) > 5.0);
        assert!(odds(70.0) < 0.5 && odds(500.0) < 1e-3);
        assert!(Prior::learned(200e-6, 1e-6).odds > 10.0, "exchanges showed it");
        assert!(Prior::seen(200e-6, 1e-6).odds > 3.0, "exchanges showed it in an earlier session");
    }
}
