//! What a server's time is: the time since its start, or the machine's clock as chrony disciplines it.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use netclock::authority::Authority;
use netclock::{ServerTime, Span};

use super::chrony::Tracking;
use crate::net::clock::{self, MachineTime};

/// Time between two reports of chrony.
const ASK_EVERY: Duration = Duration::from_secs(1);

/// A report is good for as long as that; then nobody knows whether chrony still disciplines the clock.
const OLDEST_REPORT: Span = Span::from_secs(60);

/// What is stated holds for as long as that: clients ask every 4 s, and a few answers may be lost.
const HOLDS_FOR: Span = Span::from_secs(20);

/// The machine's clock moved this much against the monotonic one between two looks: it was set, not slewed.
const STEP: Span = Span::from_millis(1);

/// Fastest slew that is no step (twice the 500 ppm of the kernel).
const SLEW: f64 = 1e-3;

/// The machine's clock, in ticks since 1970-01-01 00:00 UTC without leap seconds, and what chrony says of it.
pub(crate) struct Disciplined {
    timescale: u64,
    newest: Arc<Mutex<Newest>>,
    /// Machine's clock minus monotonic clock at the last look, and when that was.
    last: (Span, MachineTime),
}

/// The newest report, and when it came; or why there is none any more.
struct Newest {
    tracking: Tracking,
    at: MachineTime,
    trouble: Option<String>,
}

impl Disciplined {
    /// Asks chrony, and goes on doing so once a second in a thread of its own.
    pub(crate) fn new(timescale: u64, host: Option<String>) -> Result<Self> {
        let tracking = Tracking::ask(host.as_deref())?;
        let newest = Arc::new(Mutex::new(Newest { tracking, at: clock::now(), trouble: None }));
        let kept = Arc::clone(&newest);
        thread::spawn(move || {
            loop {
                thread::sleep(ASK_EVERY);
                if Arc::strong_count(&kept) == 1 {
                    return;
                }
                // Asked for before the report was made, so that it is never taken for younger than it is.
                let (at, asked) = (clock::now(), Tracking::ask(host.as_deref()));
                let mut newest = kept.lock().unwrap_or_else(PoisonError::into_inner);
                match asked {
                    Ok(tracking) => *newest = Newest { tracking, at, trouble: None },
                    Err(error) => newest.trouble = Some(error.to_string()),
                }
            }
        });
        Ok(Disciplined { timescale, newest, last: clock::pairing() })
    }

    /// The machine's clock minus the monotonic one. Some if it was set since the last look: a new epoch begins.
    pub(crate) fn look(&mut self) -> (Span, Option<Span>) {
        let (now, (then, since)) = (clock::pairing(), self.last);
        self.last = now;
        let slewed = Span::from_secs_f64((now.1 - since).as_secs_f64() * SLEW);
        let moved = now.0 - then;
        (now.0, (moved.abs() > STEP + slewed).then_some(moved))
    }

    /// What it reads when the monotonic clock reads `machine`, as of the last look.
    pub(crate) fn at(&self, machine: MachineTime) -> ServerTime {
        ServerTime::from_ticks(machine.ticks()) + self.last.0
    }

    /// What a server of this epoch may state now.
    ///
    /// # Errors
    /// Chrony has not answered for a minute, or lost its synchronisation.
    pub(crate) fn authority(&self, epoch: u64) -> Result<Authority> {
        let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        let age = clock::now() - newest.at;
        let trouble = newest.trouble.as_deref().unwrap_or("no answer");
        ensure!(age <= OLDEST_REPORT, anyhow!("the newest report of chrony is {age} old: {trouble}"));
        let dispersion = newest.tracking.dispersion(age + HOLDS_FOR);
        Ok(Authority { epoch, timescale: self.timescale, dispersion })
    }

    /// The newest report, and its bound now.
    pub(crate) fn report(&self) -> (Tracking, Span) {
        let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        (newest.tracking.clone(), newest.tracking.dispersion(clock::now() - newest.at))
    }
}
