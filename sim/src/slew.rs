//! Simulates a time service that slews a clock by changing its rate.

use serde::Deserialize;

#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Slew {
    /// Rate added during a slew (ppm), or 0 for no slews.
    pub ppm: f64,
    pub hold_s: f64,
    /// Time constant of the decay after a slew, as in a phase-locked loop, or 0 for an abrupt end (s).
    pub tail_s: f64,
    /// Time between the starts of two slews (s).
    pub every_s: f64,
    pub from_s: f64,
}

impl Slew {
    pub fn ppm_at(&self, t: f64) -> f64 {
        if self.ppm == 0.0 || t < self.from_s {
            return 0.0;
        }
        let after = (t - self.from_s) % self.every_s.max(1.0) - self.hold_s;
        match after {
            _ if after < 0.0 => self.ppm,
            _ if self.tail_s > 0.0 => self.ppm * (-after / self.tail_s).exp(),
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_holds_decays_and_repeats() {
        let slew = Slew { ppm: 500.0, hold_s: 40.0, tail_s: 10.0, every_s: 120.0, from_s: 60.0 };
        for (t, ppm) in [(59.9, 0.0), (60.0, 500.0), (99.9, 500.0), (180.1, 500.0)] {
            assert_eq!(slew.ppm_at(t), ppm, "at {t} s");
        }
        assert!((slew.ppm_at(110.0) - 500.0 / std::f64::consts::E).abs() < 1e-9);
        assert_eq!(Slew { tail_s: 0.0, ..slew }.ppm_at(110.0), 0.0);
        assert_eq!(Slew::default().ppm_at(5.0), 0.0);
    }
}
