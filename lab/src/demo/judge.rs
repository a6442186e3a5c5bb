//! Compares a client's reads with the clock of the reading's server epoch, even after that server has ended.

use netclock::timeline::WorldReading;
use netclock::{Reading, State};
use netclock_sim::measure::account::Account;
use serde::Serialize;

use super::rivals::RivalRead;
use super::truth::{ServerTruth, Truth};
use crate::baseline::RIVALS;
use crate::net::clock::MachineTime;

/// A read of a client's clock. Times are in ticks of 100 ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Read {
    /// The machine time.
    pub(crate) at: i64,
    /// Shown minus true server time.
    pub(crate) error: i64,
    /// The error bound, or `i64::MAX` if it is unbounded.
    pub(crate) bound: i64,
    /// The expected error (one standard deviation).
    pub(crate) expected: i64,
    /// The errors of the [`RIVALS`], or `None` for a rival that does not show a time yet.
    pub(crate) rivals: [Option<i64>; RIVALS.len()],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Accounts {
    pub(crate) unsynced: u64,
    pub(crate) time: Account,
    pub(crate) world: Account,
}

pub(crate) struct Judge {
    truth: Truth,
    pub(crate) accounts: Accounts,
}

impl Judge {
    pub(super) fn new(truth: Truth) -> Self {
        Judge { truth, accounts: Accounts::default() }
    }

    /// Adds reads of the clock, the world and the rivals at the same instant, in order of time. Returns
    /// `None` if the clock is not synchronised or its server is unknown.
    pub(crate) fn add(
        &mut self,
        machine: MachineTime,
        reading: &Reading,
        world: Option<&WorldReading>,
        rivals: [Option<RivalRead>; RIVALS.len()],
    ) -> Option<Read> {
        if reading.state == State::Unsynced {
            self.accounts.unsynced += 1;
            return None;
        }
        let servers = self.truth.servers();
        let of = |epoch| servers.iter().find(|server| server.epoch == epoch);
        let Some(ServerTruth { clock, script, .. }) = of(reading.server_epoch) else {
            self.accounts.time.outside += 1;
            return None;
        };
        let truth = clock.at(machine);
        let rivals = rivals.map(|rival| {
            let RivalRead { epoch, server } = rival?;
            Some((server - of(epoch)?.clock.at(machine)).ticks())
        });
        if let Some(read) = world {
            let account = &mut self.accounts.world;
            account.goes_back(read.epoch, read.world.ticks());
            account.is_outside(read.world - script.world_at(truth), read.error_bound);
        }
        Some(Read {
            at: machine.ticks(),
            error: self.accounts.time.add(reading, truth).ticks(),
            bound: reading.error_bound.ticks(),
            expected: reading.expected_error.ticks(),
            rivals,
        })
    }
}

#[cfg(test)]
mod tests {
    use netclock::{ServerTime, Span, WorldTime};

    use super::*;
    use crate::net::clock::ServerClock;
    use crate::net::script::{Kind, Part, Script};

    fn machine(millis: i64) -> MachineTime {
        MachineTime::from_ticks(millis * 10_000)
    }

    fn reading(server_epoch: u64, epoch: u32, millis: i64, bound_millis: i64) -> Reading {
        let at = ServerTime::from_ticks(millis * 10_000);
        Reading { epoch, ..netclock_sim::reading(server_epoch, at, Span::from_millis(bound_millis)) }
    }

    /// `servers` contains each server's epoch, and the machine time (ms) at which its clock showed zero.
    fn judge(servers: &[(u64, i64)], script: &Script) -> Judge {
        let truth = |&(epoch, start)| {
            let clock = ServerClock { start: machine(start) };
            ServerTruth { epoch, clock, script: script.clone() }
        };
        let judge = Judge::new(Truth::default());
        judge.truth.servers().extend(servers.iter().map(truth));
        judge
    }

    #[test]
    fn a_read_is_compared_with_its_server() {
        let mut judge = judge(&[(7, 1_000), (8, 5_000)], &Script::default());
        let late = RivalRead { epoch: 7, server: ServerTime::from_ticks(49_690_000) };
        let reads = [
            judge.add(machine(6_000), &reading(7, 1, 5_002, 2), None, [Some(late), None]),
            judge.add(machine(6_010), &reading(8, 2, 1_011, 2), None, [None; 2]),
            judge.add(machine(6_020), &reading(8, 2, 1_023, 2), None, [None; 2]),
        ];
        assert_eq!(reads.map(|read| read.map(|it| it.error / 10_000)), [Some(2), Some(1), Some(3)]);
        assert_eq!(reads[0].map(|read| read.rivals), Some([Some(-310_000), None]));
        assert_eq!((judge.accounts.time.reads, judge.accounts.time.outside), (3, 1));
        assert_eq!(judge.add(machine(6_030), &reading(9, 3, 1_030, 2), None, [None; 2]), None);
        assert_eq!(judge.accounts.time.outside, 2, "there is no server with this epoch");
    }

    #[test]
    fn unsynced_and_unbounded_reads_are_never_outside_and_backwards_counts_within_an_epoch() {
        let mut judge = judge(&[(7, 0)], &Script::default());
        judge.add(machine(1), &Reading { state: State::Unsynced, ..reading(7, 0, 0, 0) }, None, [None; 2]);
        assert_eq!(judge.accounts, Accounts { unsynced: 1, ..Accounts::default() });
        let unbounded = Reading { error_bound: Span::MAX, ..reading(7, 1, 99, 0) };
        judge.add(machine(1), &unbounded, None, [None; 2]);
        assert_eq!((judge.accounts.time.unbounded, judge.accounts.time.outside), (1, 0));
        for (epoch, shown) in [(1, 98), (2, 50)] {
            judge.add(machine(2), &reading(7, epoch, shown, 1_000), None, [None; 2]);
        }
        assert_eq!(judge.accounts.time.backwards, 1);
    }

    #[test]
    fn the_world_is_compared_with_its_server_script() {
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
        };
        let pause = Part { kind: Kind::Pause, at: Span::from_secs(1), length: Span::from_secs(2) };
        let mut judge = judge(&[(7, 0)], &Script::new(vec![pause]).unwrap());
        let mut add = |millis, shown: WorldReading| {
            judge.add(machine(millis), &reading(7, 1, millis, 1), Some(&shown), [None; 2]);
            let Account { reads, outside, backwards, .. } = judge.accounts.world;
            (reads, outside, backwards)
        };
        // The errors are 30, 30, 28 and 0 ms.
        assert_eq!(add(1_500, world(1_030, 30, 1)), (1, 0, 0));
        assert_eq!(add(3_500, world(1_530, 29, 1)), (2, 1, 0));
        assert_eq!(add(3_501, world(1_529, 28, 1)), (3, 1, 1));
        assert_eq!(add(3_502, world(1_502, 0, 2)), (4, 1, 1));
    }
}
