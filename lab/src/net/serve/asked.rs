//! Queries chrony once per second on a separate thread and keeps the latest report.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use netclock::Span;
use serde_json::{Value, json};

use super::chrony::Tracking;
use crate::net::clock::{self, MachineTime};

const ASK_EVERY: Duration = Duration::from_secs(1);

/// We ignore reports older than this, because chrony may have stopped disciplining the clock.
const OLDEST_REPORT: Span = Span::from_secs(60);

pub(crate) struct Asked {
    newest: Arc<Mutex<Newest>>,
}

struct Newest {
    tracking: Tracking,
    reference_error: Span,
    at: MachineTime,
    trouble: Option<String>,
}

impl Newest {
    fn bound(&self, at: MachineTime) -> Span {
        self.tracking.dispersion(at - self.at) + self.reference_error
    }
}

impl Asked {
    /// `host` is chronyd's command address, or `None` for the default. `told` is the error of chrony's
    /// reference clock, if the operator specified it.
    pub(crate) fn new(host: Option<String>, told: Option<Span>) -> Result<Self> {
        let ask = move || -> Result<(Tracking, Span)> {
            let tracking = Tracking::ask(host.as_deref())?;
            let error = tracking.reference_error(told)?;
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
                // Read the clock before the query, so that a report is never older than we assume.
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
        Ok(Asked { newest })
    }

    fn newest(&self) -> MutexGuard<'_, Newest> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a bound on the clock's error for the next `holds_for`.
    pub(crate) fn bound(&self, holds_for: Span) -> Result<Span> {
        let (newest, now) = (self.newest(), clock::now());
        let age = now - newest.at;
        let trouble = newest.trouble.as_deref().unwrap_or("no answer");
        ensure!(age <= OLDEST_REPORT, anyhow!("chrony's latest report is {age} old: {trouble}"));
        Ok(newest.bound(now + holds_for))
    }

    pub(crate) fn measurement(&self) -> f64 {
        self.newest().tracking.reference_time_s
    }

    pub(crate) fn words(&self) -> String {
        let newest = self.newest();
        let Tracking { reference, stratum, .. } = &newest.tracking;
        let us = newest.bound(clock::now()).as_secs_f64() * 1e6;
        format!(
            "Chrony follows {reference} at stratum {stratum}. This machine's clock is within {us:.1} us of \
             UTC."
        )
    }

    pub(crate) fn fields(&self) -> Value {
        let newest = self.newest();
        let Newest { tracking, .. } = &*newest;
        json!({
            "reference": tracking.reference, "stratum": tracking.stratum, "leap": tracking.leap,
            "system_offset_s": tracking.system_offset_s.abs(), "root_delay_s": tracking.root_delay_s,
            "root_dispersion_s": tracking.root_dispersion_s, "skew_ppm": tracking.skew_ppm,
            "bound_ms": newest.bound(clock::now()).as_millis_f64(),
        })
    }
}
