//! Measures a client clock's true error when the client and the server read the same kernel clock.

use anyhow::{Result, bail};
use netclock::{Reading, Span, State};
use netclock_sim::measure::account::Account;
use serde_json::{Value, json};

use crate::net::clock::MachineTime;
use crate::net::judge::{self, Judged};
use crate::net::truth::{Truth, kernel_clock};
use crate::report::words::{ms, optional};

const ASK_EVERY: Span = Span::from_millis(250);
const MOST_ASKED: u32 = 12;

pub(crate) struct Judge {
    kernel_clock: u64,
    truth: Option<Truth>,
    next_ask: MachineTime,
    asked: u32,
    reads: judge::Judge,
}

impl Judge {
    pub(crate) fn new(now: MachineTime) -> Result<Self> {
        let Some(kernel_clock) = kernel_clock() else {
            bail!("--judge: this system has no boot id, so two processes cannot compare their clocks")
        };
        Ok(Judge { kernel_clock, truth: None, next_ask: now, asked: 0, reads: judge::Judge::default() })
    }

    pub(super) fn ask(&mut self, now: MachineTime, reading: &Reading) -> Result<Option<Vec<u8>>> {
        let is_known = self.truth.is_some_and(|truth| truth.epoch == reading.server_epoch);
        if reading.state == State::Unsynced || is_known || now < self.next_ask {
            return Ok(None);
        }
        if self.asked == MOST_ASKED {
            bail!("--judge: the server does not report how it reads its clock; only `lab serve` does");
        }
        (self.asked, self.next_ask) = (self.asked + 1, now + ASK_EVERY);
        Ok(Some(Truth::request()))
    }

    pub(super) fn receive(&mut self, bytes: &[u8]) -> bool {
        let Some(truth) = Truth::decode(bytes) else { return false };
        (self.truth, self.asked) = (Some(truth), 0);
        true
    }

    /// Returns `None` until the server has reported how it reads its clock.
    pub(crate) fn error(&mut self, machine: MachineTime, reading: &Reading) -> Result<Option<Span>> {
        let Some(truth) = self.truth else { return Ok(None) };
        if truth.kernel_clock != self.kernel_clock {
            bail!(
                "--judge: the server does not read this machine's clock, so the true error is unknown: it \
                 runs on another machine, under another boot, or in a container with its own clock"
            );
        }
        if reading.state == State::Unsynced || truth.epoch != reading.server_epoch {
            return Ok(None);
        }
        let truth = truth.at(machine);
        self.reads.read(reading, truth, true);
        Ok(Some(reading.server_time - truth))
    }

    pub(crate) fn judged(&self) -> Judged {
        self.reads.judged()
    }

    pub(super) fn fields(&self) -> Value {
        let Judged { account: Account { reads, outside, .. }, p50_ms, p99_ms, max_ms, .. } = self.judged();
        json!({
            "reads": reads, "inside": reads - outside,
            "p50_ms": p50_ms, "p99_ms": p99_ms, "worst_ms": max_ms,
        })
    }

    pub(super) fn words(&self) -> String {
        let Judged { account, p50_ms, p99_ms, max_ms, .. } = self.judged();
        let Account { reads: count, outside, .. } = account;
        let [p50, p99, worst] = [p50_ms, p99_ms, max_ms].map(|size| optional(size, ms));
        let inside = count - outside;
        let share = 100.0 * inside as f64 / count.max(1) as f64;
        format!(
            "True error in ms: p50 {p50}, p99 {p99}, worst {worst}; {inside} of {count} reads ({share:.2} %) \
             were inside their bound"
        )
    }
}

#[cfg(test)]
mod tests {
    use netclock::ServerTime;

    use super::*;

    fn reading(bound: Span) -> Reading {
        netclock_sim::reading(7, ServerTime::from_ticks(1_000), bound)
    }

    #[test]
    fn errors_are_relative_to_the_current_server() -> Result<()> {
        let now = MachineTime::from_ticks(5_000);
        let mut judge = Judge::new(now)?;
        let request = judge.ask(now, &reading(Span::ZERO))?;
        assert!(request.is_some_and(|bytes| Truth::is_request(&bytes)));
        assert_eq!(judge.ask(now, &reading(Span::ZERO))?, None, "the answer is pending");
        let truth = |epoch, kernel_clock| {
            Truth { epoch, kernel_clock, zero: Some(MachineTime::from_ticks(3_900)) }.encode()
        };
        let kernel_clock = judge.kernel_clock;
        assert!(judge.receive(&truth(6, kernel_clock)));
        assert!(!judge.receive(&[0; 32]));
        assert_eq!(judge.error(now, &reading(Span::MAX))?, None, "the server was restarted");
        assert!(judge.receive(&truth(7, kernel_clock)));
        for bound in [100, 99] {
            let error = judge.error(now, &reading(Span::from_ticks(bound)))?;
            assert_eq!(error, Some(Span::from_ticks(-100)));
        }
        let Account { reads, outside, .. } = judge.judged().account;
        assert_eq!((reads, outside), (2, 1));
        assert!(judge.words().contains("worst 0.010; 1 of 2 reads (50.00 %)"), "{}", judge.words());
        assert!(judge.receive(&truth(7, kernel_clock ^ 1)));
        let refused = judge.error(now, &reading(Span::MAX)).expect_err("the kernel clocks differ");
        assert!(refused.to_string().contains("another machine"), "{refused}");
        Ok(())
    }

    #[test]
    fn errors_are_unknown_if_the_server_does_not_answer() -> Result<()> {
        let mut now = MachineTime::from_ticks(0);
        let mut judge = Judge::new(now)?;
        for _ in 0..MOST_ASKED {
            assert!(judge.ask(now, &reading(Span::ZERO))?.is_some());
            now += ASK_EVERY;
        }
        let refused = judge.ask(now, &reading(Span::ZERO)).expect_err("nobody answers");
        assert!(refused.to_string().contains("lab serve"), "{refused}");
        Ok(())
    }
}
