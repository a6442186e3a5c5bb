//! The machine's clock as the time of a server, with the bound that somebody states for it.

use anyhow::{Result, bail};
use netclock::authority::Authority;
use netclock::{ServerTime, Span};
use serde_json::Value;

use super::asked::Asked;
use super::clockbound::ClockBound;
use super::vmclock::VmClock;
use crate::net::clock::{self, MachineTime};

/// How long a stated dispersion holds. Clients ask every 4 s, and a few replies may be lost.
const HOLDS_FOR: Span = Span::from_secs(20);

/// A larger move of the machine's clock against the monotonic one between two looks is a step.
const STEP: Span = Span::from_millis(1);

/// A faster slew is a step too (twice the kernel's limit of 500 ppm).
const SLEW: f64 = 1e-3;

/// The machine's clock, in ticks since 1970-01-01 00:00 UTC without leap seconds.
pub(crate) struct Disciplined {
    timescale: u64,
    bound: Bound,
    /// The machine's clock minus the monotonic one at the last look, and the time of that look.
    last: (Span, MachineTime),
    steps: Steps,
    /// Tells of live migrations, where there is one.
    vmclock: Option<VmClock>,
}

/// The program that disciplines the machine's clock and states its error.
pub(crate) enum Bound {
    Chrony(Asked),
    ClockBound(ClockBound),
}

/// Steps of the machine's clock. A bound that was stated before a step does not cover it.
#[derive(Default)]
struct Steps {
    by: Span,
    /// The newest measurement by which the clock was disciplined, and how many there were since the last step.
    measurement: Option<f64>,
    since: u32,
}

impl Steps {
    /// Measurements after which a step is known. The first one after it may have begun before.
    const KNOWN_AFTER: u32 = 2;

    fn add(&mut self, moved: Span) {
        (self.by, self.since) = (self.by + moved.abs(), 0);
    }

    /// Looks at the time of the newest measurement, if it is known.
    fn measured(&mut self, measurement: Option<f64>) {
        self.since += u32::from(measurement != self.measurement);
        self.measurement = measurement;
        if self.since >= Self::KNOWN_AFTER {
            self.by = Span::ZERO;
        }
    }
}

impl Bound {
    /// When the clock was last compared with what it follows. None if nobody says.
    fn measurement(&self) -> Option<f64> {
        match self {
            Bound::Chrony(chrony) => Some(chrony.measurement()),
            Bound::ClockBound(_) => None,
        }
    }

    /// From now until `holds_for` from now.
    fn until(&self, holds_for: Span) -> Result<Span> {
        match self {
            Bound::Chrony(chrony) => chrony.bound(holds_for),
            Bound::ClockBound(clockbound) => clockbound.bound(holds_for),
        }
    }
}

impl Disciplined {
    /// The machine's clock with this bound.
    pub(crate) fn new(timescale: u64, bound: Bound, vmclock: Option<VmClock>) -> Self {
        Disciplined { timescale, bound, last: clock::pairing(), steps: Steps::default(), vmclock }
    }

    /// The machine's clock minus the monotonic one, and the step since the last look, if there was one. A step begins a
    /// new epoch.
    ///
    /// # Errors
    /// The machine was disrupted. Then the epoch is over: what was stated is about the clock before. Or nobody can say
    /// any more whether it was.
    pub(crate) fn look(&mut self) -> Result<(Span, Option<Span>)> {
        if let Some(vmclock) = &mut self.vmclock {
            if vmclock.was_disrupted()? {
                bail!(
                    "the hypervisor says that this machine's clock was disrupted, as by a live migration. This epoch is \
                     over, and the bound of {} counts no more. {}, and serve again",
                    self.name(),
                    self.remedy()
                );
            }
        }
        if let Bound::ClockBound(clockbound) = &mut self.bound {
            clockbound.look()?;
        }
        let (now, (then, since)) = (clock::pairing(), self.last);
        self.last = now;
        let slewed = Span::from_secs_f64((now.1 - since).as_secs_f64() * SLEW);
        let moved = now.0 - then;
        let step = (moved.abs() > STEP + slewed).then_some(moved);
        self.steps.measured(self.bound.measurement());
        if let Some(step) = step {
            self.steps.add(step);
        }
        Ok((now.0, step))
    }

    /// The server time at a machine time, according to the last look.
    pub(crate) fn at(&self, machine: MachineTime) -> ServerTime {
        ServerTime::from_ticks(machine.ticks()) + self.last.0
    }

    /// The authority that a server of this epoch may state now. After a step its dispersion has the whole step, until the
    /// clock was measured again: nobody knows whether the step mended the clock or broke it.
    ///
    /// # Errors
    /// Nobody knows the error of the machine's clock any more.
    pub(crate) fn authority(&self, epoch: u64) -> Result<Authority> {
        let dispersion = self.bound.until(HOLDS_FOR)? + self.steps.by;
        Ok(Authority { epoch, timescale: self.timescale, dispersion })
    }

    /// What states the bound: the name of its field in JSON.
    pub(crate) fn name(&self) -> &'static str {
        match self.bound {
            Bound::Chrony(_) => "chrony",
            Bound::ClockBound(_) => "clockbound",
        }
    }

    fn remedy(&self) -> &'static str {
        match self.bound {
            Bound::Chrony(_) => "Restart chronyd, wait for `chronyc waitsync`",
            Bound::ClockBound(_) => super::clockbound::REMEDY,
        }
    }

    /// What was stated, in words.
    pub(crate) fn words(&self) -> String {
        match &self.bound {
            Bound::Chrony(chrony) => chrony.words(),
            Bound::ClockBound(clockbound) => clockbound.words(),
        }
    }

    /// What was stated, as JSON.
    pub(crate) fn fields(&self) -> Value {
        match &self.bound {
            Bound::Chrony(chrony) => chrony.fields(),
            Bound::ClockBound(clockbound) => clockbound.fields(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_widens_the_bound_until_the_clock_was_measured_twice() {
        let (mut steps, second) = (Steps::default(), Span::from_secs(1));
        steps.measured(Some(1.0));
        steps.add(Span::ZERO - second);
        steps.measured(Some(1.0));
        assert_eq!(steps.by, second, "nothing was measured");
        steps.add(second);
        steps.measured(Some(2.0));
        assert_eq!(steps.by, second + second, "this one may have begun before");
        steps.measured(Some(3.0));
        assert_eq!(steps.by, Span::ZERO);
    }

    #[test]
    fn a_step_stays_in_the_bound_where_nobody_says_when_the_clock_was_measured() {
        let mut steps = Steps::default();
        steps.measured(None);
        steps.add(Span::from_millis(5));
        (0..10).for_each(|_| steps.measured(None));
        assert_eq!(steps.by, Span::from_millis(5));
    }
}
