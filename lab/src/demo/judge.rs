//! Compares reads of a clock with the truth.
//!
//! A read names a server epoch, and the clock of that server is the truth, even after the server's death.
//! Reads wait until the clock of their epoch is known.

use netclock::timeline::WorldReading;
use netclock::utc::{UtcReading, UtcSample};
use netclock::{Reading, Span, State};

use super::protocol::{Read, Tally, WorldRead};
use super::rivals::Shown;
use crate::baseline::RIVALS;
use crate::net::clock::{MachineTime, ServerClock};
use crate::net::script::Script;
use netclock_sim::measure::last_read::LastRead;

/// If the machine's UTC moves by more than this against its monotonic clock, the server has to claim the
/// move.
const UTC_MOVE: Span = Span::from_millis(1);
/// The server looks once per second, and clients ask every 16 s. Before this time they cannot know of a move.
const UTC_NEWS: Span = Span::from_secs(20);

/// What the rivals show at a read.
type Others = [Option<Shown>; RIVALS.len()];

/// Judges the reads of one client.
#[derive(Debug, Default)]
pub(crate) struct Judge {
    truths: Vec<(u64, ServerClock, Script)>,
    waiting: Vec<(MachineTime, Reading, Option<WorldReading>, Others)>,
    last: LastRead,
    last_world: LastRead,
    /// The machine's UTC minus its monotonic clock, and since when; `None`: since the start.
    utc: Option<(Span, Option<MachineTime>)>,
    /// The scripts may still change after this instant, so later reads wait; `None`: they change no more.
    settled: Option<MachineTime>,
    tally: Tally,
    judged: Vec<Read>,
}

impl Judge {
    /// Learns the clock of the server with `epoch` and the script of its world, or that this script changes
    /// now.
    pub(crate) fn learn(&mut self, epoch: u64, clock: ServerClock, script: Script) {
        self.truths.retain(|(known, ..)| *known != epoch);
        self.truths.push((epoch, clock, script));
        self.judge_waiting();
    }

    /// No script changes before this instant; `None`: or ever after.
    pub(crate) fn settle(&mut self, until: Option<MachineTime>) {
        self.settled = until;
        self.judge_waiting();
    }

    /// Leaves out what can no longer be judged, because the demo was interrupted.
    pub(crate) fn interrupt(&mut self) {
        let truths = &self.truths;
        self.waiting
            .retain(|(_, reading, ..)| !truths.iter().any(|(epoch, ..)| *epoch == reading.server_epoch));
    }

    fn judge_waiting(&mut self) {
        for (machine, reading, world, others) in std::mem::take(&mut self.waiting) {
            self.judge(machine, &reading, world.as_ref(), others);
        }
    }

    /// Adds a read of the clock, a read of the world at that reading, and what the rivals show. Reads come in
    /// order.
    pub(crate) fn add(
        &mut self,
        machine: MachineTime,
        reading: &Reading,
        world: Option<&WorldReading>,
        others: Others,
    ) {
        if reading.state == State::Unsynced {
            self.tally.unsynced += 1;
            return;
        }
        let back = self.last.goes_back(reading.epoch, reading.server_time.ticks());
        self.tally.backwards += u64::from(back);
        if let Some(world) = world {
            let back = self.last_world.goes_back(world.epoch, world.world.ticks());
            self.tally.world_backwards += u64::from(back);
        }
        self.judge(machine, reading, world, others);
    }

    /// Adds a read of the server's UTC. The truth is this machine's UTC, which the server reads too.
    pub(crate) fn add_utc(&mut self, machine: MachineTime, utc: &UtcReading, truth: &UtcSample) {
        let ahead = Span::from_ticks(truth.utc.ticks() - truth.local.ticks());
        let (known, since) = *self.utc.get_or_insert((ahead, None));
        if (ahead - known).abs() > UTC_MOVE {
            self.utc = Some((ahead, Some(machine)));
            return;
        }
        if since.is_some_and(|since| machine - since < UTC_NEWS) {
            return;
        }
        let error = utc.utc.ticks() - (machine.ticks() + ahead.ticks());
        let allowed = utc.error_bound + truth.uncertainty;
        self.tally.utc_judged += 1;
        self.tally.utc_outside += u64::from(error.abs() > allowed.ticks());
    }

    /// The reads judged since the last call.
    pub(crate) fn take(&mut self) -> Vec<Read> {
        std::mem::take(&mut self.judged)
    }

    pub(crate) fn tally(&self) -> Tally {
        let is_known = |epoch: u64| self.truths.iter().any(|(known, ..)| *known == epoch);
        let waiting = self.waiting.iter().filter(|(_, reading, ..)| !is_known(reading.server_epoch)).count();
        Tally { waiting: waiting as u64, ..self.tally }
    }

    fn judge(
        &mut self,
        machine: MachineTime,
        reading: &Reading,
        world: Option<&WorldReading>,
        others: Others,
    ) {
        let truth_of = |of: u64| self.truths.iter().find(|(epoch, ..)| *epoch == of);
        let known = truth_of(reading.server_epoch);
        let is_settled = self.settled.is_none_or(|settled| machine <= settled);
        let Some((_, clock, script)) = known.filter(|_| is_settled) else {
            self.waiting.push((machine, *reading, world.copied(), others));
            return;
        };
        let truth = clock.at(machine);
        let rivals = others.map(|other| {
            let (shown, (_, clock, _)) = other.and_then(|shown| Some((shown, truth_of(shown.epoch)?)))?;
            Some((shown.server - clock.at(machine)).ticks())
        });
        let world = world.map(|world| WorldRead {
            error: (world.world - script.world_at(truth)).ticks(),
            bound: world.error_bound.ticks(),
        });
        if let Some(world) = world {
            self.tally.world_judged += 1;
            self.tally.world_unpromised += u64::from(world.bound == i64::MAX);
            self.tally.world_outside += u64::from(world.error.abs() > world.bound);
        }
        let error = reading.server_time - truth;
        self.tally.judged += 1;
        self.tally.unpromised += u64::from(reading.error_bound == Span::MAX);
        self.tally.outside += u64::from(error.abs() > reading.error_bound);
        self.judged.push(Read {
            at: machine.ticks(),
            error: error.ticks(),
            bound: reading.error_bound.ticks(),
            expected: reading.expected_error.ticks(),
            rivals,
            world,
        });
    }
}

#[cfg(test)]
mod tests {
    use netclock::{ServerTime, WorldTime};

    use super::*;

    fn machine(millis: i64) -> MachineTime {
        MachineTime::from_ticks(millis * 10_000)
    }

    fn reading(server_epoch: u64, epoch: u32, millis: i64, bound_millis: i64) -> Reading {
        let at = ServerTime::from_ticks(millis * 10_000);
        Reading { epoch, ..netclock_sim::reading(server_epoch, at, Span::from_millis(bound_millis)) }
    }

    #[test]
    fn a_read_is_judged_against_the_epoch_it_names() {
        let mut judge = Judge::default();
        judge.learn(7, ServerClock { start: machine(1_000) }, Script::default());
        judge.learn(8, ServerClock { start: machine(5_000) }, Script::default());
        let late = Shown { epoch: 7, server: ServerTime::from_ticks(49_690_000), run: 1 };
        judge.add(machine(6_000), &reading(7, 1, 5_002, 2), None, [Some(late), None]);
        judge.add(machine(6_010), &reading(8, 2, 1_011, 2), None, [None; 2]);
        judge.add(machine(6_020), &reading(8, 2, 1_023, 2), None, [None; 2]);
        let reads = judge.take();
        assert_eq!(reads.iter().map(|read| read.error / 10_000).collect::<Vec<_>>(), [2, 1, 3]);
        assert_eq!(reads[0].rivals, [Some(-310_000), None]);
        let expected = Tally { judged: 3, outside: 1, ..Tally::default() };
        assert_eq!(judge.tally(), expected);
    }

    #[test]
    fn reads_wait_for_their_truth() {
        let mut judge = Judge::default();
        judge.add(machine(6_000), &reading(7, 1, 5_000, 1), None, [None; 2]);
        assert_eq!((judge.tally().waiting, judge.tally().judged), (1, 0));
        judge.learn(7, ServerClock { start: machine(0) }, Script::default());
        assert_eq!(judge.tally(), Tally { judged: 1, outside: 1, ..Tally::default() });
    }

    #[test]
    fn reads_wait_until_the_script_is_settled() -> anyhow::Result<()> {
        let mut judge = Judge::default();
        let clock = ServerClock { start: machine(0) };
        judge.settle(Some(machine(1_000)));
        judge.learn(7, clock, Script::default());
        for millis in [900, 1_100, 1_300] {
            judge.add(machine(millis), &reading(7, 1, millis, 1), None, [None; 2]);
        }
        assert_eq!((judge.tally().judged, judge.tally().waiting), (1, 0));
        // The world pauses from 1.2 s on, as announced in time.
        judge.learn(7, clock, "pause=1.2+5".parse()?);
        judge.settle(Some(machine(1_250)));
        assert_eq!(judge.tally().judged, 2);
        judge.interrupt();
        judge.settle(None);
        assert_eq!((judge.tally().judged, judge.tally().waiting), (2, 0));
        Ok(())
    }

    #[test]
    fn utc_is_judged_against_the_machine_unless_somebody_sets_it() {
        let mut judge = Judge::default();
        let mut add = |seconds: i64, machine_utc: i64, error_ms: i64, bound_ms: i64| {
            let at = machine(seconds * 1_000);
            let local = netclock::LocalTime::from_ticks(at.ticks());
            let truth = |ms: i64| netclock::UtcTime::from_ticks(at.ticks() + machine_utc + ms * 10_000);
            let sample = UtcSample { local, utc: truth(0), uncertainty: Span::from_ticks(1) };
            let error_bound = Span::from_millis(bound_ms);
            judge.add_utc(at, &UtcReading { utc: truth(error_ms), error_bound, version: 1 }, &sample);
            (judge.tally.utc_judged, judge.tally.utc_outside)
        };
        assert_eq!(add(1, 5_000, 2, 2), (1, 0));
        assert_eq!(add(2, 5_000, -3, 2), (2, 1));
        assert_eq!(add(3, 15_001, 3_000, 2), (2, 1), "it was set by more than a millisecond");
        assert_eq!(add(22, 15_001, 3_000, 2), (2, 1), "the client may not know yet");
        assert_eq!(add(23, 15_001, 3_000, 2), (3, 2));
    }

    #[test]
    fn what_is_not_shown_or_not_promised_is_not_judged_and_backwards_counts_within_an_epoch() {
        let mut judge = Judge::default();
        judge.add(machine(1), &Reading { state: State::Unsynced, ..reading(0, 0, 0, 0) }, None, [None; 2]);
        assert_eq!(judge.tally(), Tally { unsynced: 1, ..Tally::default() });
        let none = Reading { error_bound: Span::MAX, ..reading(7, 1, 99, 0) };
        judge.learn(7, ServerClock { start: machine(0) }, Script::default());
        judge.add(machine(1), &none, None, [None; 2]);
        assert_eq!((judge.tally().unpromised, judge.tally().outside), (1, 0));
        for (epoch, shown) in [(1, 98), (2, 50)] {
            judge.add(machine(2), &reading(7, epoch, shown, 1_000), None, [None; 2]);
        }
        assert_eq!(judge.tally().backwards, 1);
    }

    #[test]
    fn the_world_is_judged_against_the_script_of_the_epoch() -> anyhow::Result<()> {
        let world = |millis: i64, bound_millis, epoch| WorldReading {
            world: WorldTime::from_ticks(millis * 10_000),
            rate: netclock::timeline::Rate::ONE,
            error_bound: Span::from_millis(bound_millis),
            error_bound_if_unchanged: Span::ZERO,
            ahead: Span::ZERO,
            jump: Span::ZERO,
            epoch,
            instance: 1,
            version: 1,
            is_missing_news: false,
        };
        let mut judge = Judge::default();
        judge.add(machine(1_500), &reading(7, 1, 1_500, 1), Some(&world(1_030, 40, 1)), [None; 2]);
        judge.learn(7, ServerClock { start: machine(0) }, "pause=1+2".parse()?);
        judge.add(machine(3_500), &reading(7, 1, 3_500, 1), Some(&world(1_530, 20, 1)), [None; 2]);
        judge.add(machine(3_501), &reading(7, 1, 3_501, 1), Some(&world(1_529, 50, 1)), [None; 2]);
        judge.add(machine(3_502), &reading(7, 1, 3_502, 1), Some(&world(1_502, 50, 2)), [None; 2]);
        let errors: Vec<_> = judge.take().iter().map(|read| read.world.map(|w| w.error / 10_000)).collect();
        assert_eq!(errors, [Some(30), Some(30), Some(28), Some(0)]);
        let Tally { world_judged, world_outside, world_backwards, .. } = judge.tally();
        assert_eq!((world_judged, world_outside, world_backwards), (4, 1, 1));
        Ok(())
    }
}
