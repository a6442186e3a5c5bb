use anyhow::Result;
use netclock::authority::Authority;
use netclock::{ServerTime, Span};

use super::asked::Asked;
use crate::net::clock::{self, MachineTime};

/// A stated dispersion is valid for this long. Clients send a request every 4 s, so several replies may be
/// lost in this time.
const HOLDS_FOR: Span = Span::from_secs(20);

/// The machine's clock has stepped if, between two reads, it gained or lost more than this on the monotonic
/// clock.
const STEP: Span = Span::from_millis(1);

/// Slews faster than this also count as steps. This rate is twice the kernel's slew limit of 500 ppm.
const SLEW: f64 = 1e-3;

/// The machine's clock as disciplined by chrony, in ticks since 1970-01-01 00:00 UTC without leap seconds.
pub(crate) struct Disciplined {
    timescale: u64,
    pub(super) chrony: Asked,
    last: (Span, MachineTime),
    steps: Steps,
}

#[derive(Default)]
struct Steps {
    by: Span,
    measurement: Option<f64>,
    since: u32,
}

impl Steps {
    /// A step is in chrony's report only after this many new measurements, because the first one may have
    /// begun before the step.
    const KNOWN_AFTER: u32 = 2;

    fn add(&mut self, moved: Span) {
        (self.by, self.since) = (self.by + moved.abs(), 0);
    }

    fn measured(&mut self, measurement: f64) {
        self.since += u32::from(self.measurement != Some(measurement));
        self.measurement = Some(measurement);
        if self.since >= Self::KNOWN_AFTER {
            self.by = Span::ZERO;
        }
    }
}

impl Disciplined {
    pub(crate) fn new(timescale: u64, chrony: Asked) -> Self {
        Disciplined { timescale, chrony, last: clock::pairing(), steps: Steps::default() }
    }

    /// Returns the step of the machine's clock since the last call. Every step starts a new epoch.
    pub(crate) fn look(&mut self) -> Option<Span> {
        let (now, (then, since)) = (clock::pairing(), self.last);
        self.last = now;
        let slewed = Span::from_secs_f64((now.1 - since).as_secs_f64() * SLEW);
        let moved = now.0 - then;
        let step = (moved.abs() > STEP + slewed).then_some(moved);
        self.steps.measured(self.chrony.measurement());
        if let Some(step) = step {
            self.steps.add(step);
        }
        step
    }

    pub(crate) fn at(&self, machine: MachineTime) -> ServerTime {
        ServerTime::from_ticks(machine.ticks()) + self.last.0
    }

    /// Until chrony has measured a step, the dispersion includes the step's size, because the step may be
    /// wrong.
    pub(crate) fn authority(&self, epoch: u64) -> Result<Authority> {
        let dispersion = self.chrony.bound(HOLDS_FOR)? + self.steps.by;
        Ok(Authority { epoch, timescale: self.timescale, dispersion })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_widens_the_bound_until_two_measurements() {
        let (mut steps, second) = (Steps::default(), Span::from_secs(1));
        steps.measured(1.0);
        steps.add(Span::ZERO - second);
        steps.measured(1.0);
        assert_eq!(steps.by, second, "there is no measurement");
        steps.add(second);
        steps.measured(2.0);
        assert_eq!(steps.by, second + second, "it may have started before the step");
        steps.measured(3.0);
        assert_eq!(steps.by, Span::ZERO);
    }
}
