//! Judges reads of a clock against the truth.
//!
//! A read names the server epoch it speaks of and is judged against that server's clock, which goes on in
//! thought when the server itself is gone. Reads of an epoch that nobody has explained yet wait.

use netclock::{Reading, ServerTime, Span, State};

use super::protocol::{Read, Tally};
use crate::net::clock::{MachineTime, ServerClock};

/// Judges the reads of one client.
#[derive(Debug, Default)]
pub(crate) struct Judge {
    truths: Vec<(u64, ServerClock)>,
    waiting: Vec<(MachineTime, Reading)>,
    /// Epoch and time of the last read.
    last: Option<(u32, ServerTime)>,
    tally: Tally,
    judged: Vec<Read>,
}

impl Judge {
    /// The server of `epoch` goes by `clock`.
    pub(crate) fn learn(&mut self, epoch: u64, clock: ServerClock) {
        self.truths.push((epoch, clock));
        for (machine, reading) in std::mem::take(&mut self.waiting) {
            self.judge(machine, &reading);
        }
    }

    /// A read, in the order of reading.
    pub(crate) fn add(&mut self, machine: MachineTime, reading: &Reading) {
        if reading.state == State::Unsynced {
            self.tally.unsynced += 1;
            return;
        }
        let back =
            self.last.is_some_and(|(epoch, time)| epoch == reading.epoch && reading.server_time < time);
        self.tally.backwards += u64::from(back);
        self.last = Some((reading.epoch, reading.server_time));
        self.judge(machine, reading);
    }

    /// What was judged since the last call.
    pub(crate) fn take(&mut self) -> Vec<Read> {
        std::mem::take(&mut self.judged)
    }

    pub(crate) fn tally(&self) -> Tally {
        Tally { waiting: self.waiting.len() as u64, ..self.tally }
    }

    fn judge(&mut self, machine: MachineTime, reading: &Reading) {
        let Some((_, clock)) = self.truths.iter().find(|(epoch, _)| *epoch == reading.server_epoch) else {
            self.waiting.push((machine, *reading));
            return;
        };
        let error = reading.server_time - clock.at(machine);
        self.tally.judged += 1;
        self.tally.unpromised += u64::from(reading.error_bound == Span::MAX);
        self.tally.outside += u64::from(error.abs() > reading.error_bound);
        self.judged.push(Read {
            at: machine.ticks(),
            error: error.ticks(),
            bound: reading.error_bound.ticks(),
            expected: reading.expected_error.ticks(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(millis: i64) -> MachineTime {
        MachineTime::from_ticks(millis * 10_000)
    }

    fn reading(server_epoch: u64, epoch: u32, millis: i64, bound_millis: i64) -> Reading {
        Reading {
            server_time: ServerTime::from_ticks(millis * 10_000),
            error_bound: Span::from_millis(bound_millis),
            expected_error: Span::ZERO,
            round_trip: Span::ZERO,
            frequency_ppm: 0.0,
            state: State::Synced,
            epoch,
            server_epoch,
        }
    }

    #[test]
    fn a_read_is_judged_against_the_epoch_it_names() {
        let mut judge = Judge::default();
        judge.learn(7, ServerClock::started_at(machine(1_000)));
        judge.learn(8, ServerClock::started_at(machine(5_000)));
        judge.add(machine(6_000), &reading(7, 1, 5_002, 2));
        judge.add(machine(6_010), &reading(8, 2, 1_011, 2));
        judge.add(machine(6_020), &reading(8, 2, 1_023, 2));
        let errors: Vec<i64> = judge.take().iter().map(|read| read.error / 10_000).collect();
        assert_eq!(errors, [2, 1, 3]);
        let expected = Tally { judged: 3, outside: 1, ..Tally::default() };
        assert_eq!(judge.tally(), expected);
    }

    #[test]
    fn reads_wait_for_their_truth() {
        let mut judge = Judge::default();
        judge.add(machine(6_000), &reading(7, 1, 5_000, 1));
        assert_eq!((judge.tally().waiting, judge.tally().judged), (1, 0));
        judge.learn(7, ServerClock::started_at(machine(0)));
        assert_eq!(judge.tally(), Tally { judged: 1, outside: 1, ..Tally::default() });
    }

    #[test]
    fn backwards_counts_within_an_epoch_only() {
        let mut judge = Judge::default();
        judge.learn(7, ServerClock::started_at(machine(0)));
        judge.add(machine(1), &reading(7, 1, 100, 1_000));
        judge.add(machine(2), &reading(7, 1, 99, 1_000));
        judge.add(machine(3), &reading(7, 2, 50, 1_000));
        assert_eq!(judge.tally().backwards, 1);
    }

    #[test]
    fn nothing_shown_is_nothing_judged() {
        let mut judge = Judge::default();
        judge.add(machine(1), &Reading { state: State::Unsynced, ..reading(0, 0, 0, 0) });
        assert_eq!(judge.tally(), Tally { unsynced: 1, ..Tally::default() });
        let none = Reading { error_bound: Span::MAX, ..reading(7, 1, 99, 0) };
        judge.learn(7, ServerClock::started_at(machine(0)));
        judge.add(machine(1), &none);
        assert_eq!((judge.tally().unpromised, judge.tally().outside), (1, 0));
    }
}
