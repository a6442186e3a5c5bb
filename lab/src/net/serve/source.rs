//! The machine's clock as the time of a server, with the bound of chrony and of the clock that chrony follows.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow, bail, ensure};
use netclock::authority::Authority;
use netclock::{ServerTime, Span};

use super::chrony::Tracking;
use super::reference::ReferenceError;
use super::vmclock::VmClock;
use crate::net::clock::{self, MachineTime};

/// Time between two questions to chrony.
const ASK_EVERY: Duration = Duration::from_secs(1);

/// Oldest report that counts. After this, chrony may have stopped to discipline the clock.
const OLDEST_REPORT: Span = Span::from_secs(60);

/// How long a stated dispersion holds. Clients ask every 4 s, and a few replies may be lost.
const HOLDS_FOR: Span = Span::from_secs(20);

/// A larger move of the machine's clock against the monotonic one between two looks is a step.
const STEP: Span = Span::from_millis(1);

/// A faster slew is a step too (twice the kernel's limit of 500 ppm).
const SLEW: f64 = 1e-3;

/// The machine's clock, in ticks since 1970-01-01 00:00 UTC without leap seconds, and chrony's report about it.
pub(crate) struct Disciplined {
    timescale: u64,
    newest: Arc<Mutex<Newest>>,
    /// The machine's clock minus the monotonic one at the last look, and the time of that look.
    last: (Span, MachineTime),
    /// Tells of live migrations, where there is one.
    vmclock: Option<VmClock>,
}

/// Where the error of the machine's clock is stated.
pub(crate) struct Statements {
    /// Where chronyd takes commands, if not at the usual place.
    pub(crate) chrony_host: Option<String>,
    /// Who states the error of a reference clock that chrony follows.
    pub(crate) reference: ReferenceError,
    pub(crate) vmclock: Option<VmClock>,
}

/// The newest report, its time, and why there is no newer one.
struct Newest {
    tracking: Tracking,
    /// Of the clock that chrony follows.
    reference_error: Span,
    at: MachineTime,
    trouble: Option<String>,
}

impl Disciplined {
    /// Asks chrony now, and then once a second in another thread.
    ///
    /// # Errors
    /// Chrony does not answer, has not synchronised the clock, or follows a clock whose error nobody states.
    pub(crate) fn new(timescale: u64, statements: Statements) -> Result<Self> {
        let Statements { chrony_host, reference, vmclock } = statements;
        let ask = move || -> Result<(Tracking, Span)> {
            let tracking = Tracking::ask(chrony_host.as_deref())?;
            let error = reference.of(&tracking)?;
            Ok((tracking, error))
        };
        let (tracking, reference_error) = ask()?;
        let newest = Newest { tracking, reference_error, at: clock::now(), trouble: None };
        let newest = Arc::new(Mutex::new(newest));
        let kept = Arc::clone(&newest);
        thread::spawn(move || {
            loop {
                thread::sleep(ASK_EVERY);
                if Arc::strong_count(&kept) == 1 {
                    return;
                }
                // The time is taken before the question, so a report never counts as newer than it is.
                let (at, asked) = (clock::now(), ask());
                let mut newest = kept.lock().unwrap_or_else(PoisonError::into_inner);
                match asked {
                    Ok((tracking, reference_error)) => {
                        *newest = Newest { tracking, reference_error, at, trouble: None };
                    }
                    Err(error) => newest.trouble = Some(error.to_string()),
                }
            }
        });
        Ok(Disciplined { timescale, newest, last: clock::pairing(), vmclock })
    }

    /// The machine's clock minus the monotonic one, and the step since the last look, if there was one. A step begins a
    /// new epoch.
    ///
    /// # Errors
    /// The machine was disrupted. Then the epoch is over: chrony's report is about the clock before, and chrony does not
    /// know that.
    pub(crate) fn look(&mut self) -> Result<(Span, Option<Span>)> {
        if let Some(vmclock) = &mut self.vmclock {
            if vmclock.was_disrupted()? {
                bail!(
                    "the hypervisor says that this machine's clock was disrupted, as by a live migration. This epoch is \
                     over, and chrony's bound counts no more. Restart chronyd, wait for `chronyc waitsync`, and serve again"
                );
            }
        }
        let (now, (then, since)) = (clock::pairing(), self.last);
        self.last = now;
        let slewed = Span::from_secs_f64((now.1 - since).as_secs_f64() * SLEW);
        let moved = now.0 - then;
        Ok((now.0, (moved.abs() > STEP + slewed).then_some(moved)))
    }

    /// The server time at a machine time, according to the last look.
    pub(crate) fn at(&self, machine: MachineTime) -> ServerTime {
        ServerTime::from_ticks(machine.ticks()) + self.last.0
    }

    /// The authority that a server of this epoch may state now.
    ///
    /// # Errors
    /// Chrony has not answered for a minute, or lost its synchronisation.
    pub(crate) fn authority(&self, epoch: u64) -> Result<Authority> {
        let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        let age = clock::now() - newest.at;
        let trouble = newest.trouble.as_deref().unwrap_or("no answer");
        ensure!(age <= OLDEST_REPORT, anyhow!("the newest report of chrony is {age} old: {trouble}"));
        let dispersion = newest.tracking.dispersion(age + HOLDS_FOR) + newest.reference_error;
        Ok(Authority { epoch, timescale: self.timescale, dispersion })
    }

    /// The newest report, and the bound now.
    pub(crate) fn report(&self) -> (Tracking, Span) {
        let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        let bound = newest.tracking.dispersion(clock::now() - newest.at) + newest.reference_error;
        (newest.tracking.clone(), bound)
    }
}
