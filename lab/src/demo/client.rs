//! A demo client. The client compares every reading of its clock and of the world time with the truth.
//!
//! Readings contain the server's epoch, so they can be checked even after the server has ended.

use std::net::SocketAddr;
use std::sync::atomic::Ordering;

use anyhow::Result;
use netclock::keyed::SessionKey;
use netclock::session::View;
use netclock::timeline::WorldReading;
use netclock::{Config, LocalTime, Reading, Span, State};
use netclock_sim::measure::account::Account;
use serde::Serialize;

use super::plan::STALL;
use super::record::{Happening, What};
use super::rivals::{RivalRead, Rivals};
use super::run::{Demo, ServerTruth};
use crate::baseline::RIVALS;
use crate::net::clock::{self, MachineTime, SkewedClock};
use crate::net::sync::client::SyncClient;
use crate::net::sync::events::describe;
use crate::report::Weight;

const REPORT_EVERY: Span = Span::from_millis(100);

/// The local gap is shorter than the demo's stall, so the client detects the stall. We send a request every
/// second, as in the bench, because the rivals would learn more slowly from a reply every 4 s.
fn config() -> Config {
    Config { local_gap: Span::from_secs(2), steady_interval: Span::from_secs(1), ..Config::default() }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Read {
    pub(super) at: i64,
    pub(super) error: i64,
    /// `i64::MAX` if the clock guarantees nothing.
    pub(super) bound: i64,
    pub(super) expected: i64,
    /// `None` for a rival that shows no time yet.
    pub(super) rivals: [Option<i64>; RIVALS.len()],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Accounts {
    pub(super) unsynced: u64,
    pub(super) time: Account,
    pub(super) world: Account,
}

pub(super) fn run(demo: &Demo, index: usize, server: SocketAddr, key: SessionKey) -> Result<()> {
    let planned = &demo.plan.clients[index];
    let clock = SkewedClock::new(LocalTime::from_ticks(planned.origin.ticks()), planned.ppm);
    let mut session = SyncClient::new(server, clock, config())?;
    session.take_samples()?;
    session.use_key(key)?;
    let (mut rivals, mut accounts) = (Rivals::new(&demo.plan.rival)?, Accounts::default());
    let (mut reported, mut reads, mut outside) = (clock::now(), Vec::new(), 0);
    loop {
        if demo.stalled[index].load(Ordering::Relaxed) {
            stall(demo, index, &session);
        }
        let ends = demo.over.is_set();
        session.step()?;
        let (machine, View { reading, worlds, .. }) = session.view()?;
        session.take_samples()?.iter().for_each(|sample| rivals.on_exchange(sample));
        let shown = rivals.shown(clock.at(machine));
        reads.extend(accounts.add(&demo.servers(), machine, &reading, worlds[0].as_ref(), shown));
        while let Some(event) = session.next_event() {
            demo.note(machine, Some(index), Happening::of_clock(describe(&event)));
        }
        if machine - reported >= REPORT_EVERY || ends {
            reported = machine;
            let before = std::mem::replace(&mut outside, accounts.time.outside + accounts.world.outside);
            if outside > before {
                let text = format!("so far, {outside} reads were outside their bounds");
                let fault = Happening::new(What::Message, Weight::Fault, "outside", text);
                demo.note(machine, Some(index), fault);
            }
            demo.record().add(index, &std::mem::take(&mut reads), accounts, session.traffic());
        }
        if ends {
            return Ok(());
        }
    }
}

fn stall(demo: &Demo, index: usize, session: &SyncClient) {
    let words = format!(
        "client stalled for {:.1} s: it cannot detect whether its clock kept running, so it is unbounded \
         until the next reply",
        STALL.as_secs_f64()
    );
    demo.incident(Some(index), "stall", &words);
    let end = clock::now() + STALL;
    session.stall(|| clock::now() >= end || demo.over.is_set());
    demo.stalled[index].store(false, Ordering::Relaxed);
    demo.incident(Some(index), "continues", "client continues: it has no bound until the first reply");
}

impl Accounts {
    /// Returns `None` if the clock is not synchronised or its server is unknown.
    fn add(
        &mut self,
        servers: &[ServerTruth],
        machine: MachineTime,
        reading: &Reading,
        world: Option<&WorldReading>,
        rivals: [Option<RivalRead>; RIVALS.len()],
    ) -> Option<Read> {
        if reading.state == State::Unsynced {
            self.unsynced += 1;
            return None;
        }
        let of = |epoch| servers.iter().find(|server| server.epoch == epoch);
        let Some(ServerTruth { clock, script, .. }) = of(reading.server_epoch) else {
            self.time.outside += 1;
            return None;
        };
        let truth = clock.at(machine);
        let rivals = rivals.map(|rival| {
            let RivalRead { epoch, server } = rival?;
            Some((server - of(epoch)?.clock.at(machine)).ticks())
        });
        if let Some(read) = world {
            self.world.goes_back(read.epoch, read.world.ticks());
            self.world.is_outside(read.world - script.world_at(truth), read.error_bound);
        }
        Some(Read {
            at: machine.ticks(),
            error: self.time.add(reading, truth).ticks(),
            bound: reading.error_bound.ticks(),
            expected: reading.expected_error.ticks(),
            rivals,
        })
    }
}

#[cfg(test)]
mod tests {
    use netclock::{ServerTime, WorldTime};

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

    fn server(epoch: u64, start: i64, script: Script) -> ServerTruth {
        ServerTruth { epoch, clock: ServerClock { start: machine(start) }, script }
    }

    #[test]
    fn a_read_is_compared_with_its_server() {
        let servers = [server(7, 1_000, Script::default()), server(8, 5_000, Script::default())];
        let mut accounts = Accounts::default();
        let late = RivalRead { epoch: 7, server: ServerTime::from_ticks(49_690_000) };
        let mut add = |at, reading: Reading, rival| {
            let read = accounts.add(&servers, machine(at), &reading, None, [rival, None]);
            (read, accounts.time.reads, accounts.time.outside)
        };
        let reads = [
            add(6_000, reading(7, 1, 5_002, 2), Some(late)),
            add(6_010, reading(8, 2, 1_011, 2), None),
            add(6_020, reading(8, 2, 1_023, 2), None),
        ];
        assert_eq!(reads.map(|(read, ..)| read.map(|it| it.error / 10_000)), [Some(2), Some(1), Some(3)]);
        assert_eq!(reads[0].0.map(|read| read.rivals), Some([Some(-310_000), None]));
        assert_eq!((reads[2].1, reads[2].2), (3, 1));
        let (read, reads, outside) = add(6_030, reading(9, 3, 1_030, 2), None);
        assert_eq!(read, None);
        assert_eq!((reads, outside), (3, 2), "there is no server with this epoch");
        let unsynced = Reading { state: State::Unsynced, ..reading(7, 0, 0, 0) };
        assert_eq!(add(1, unsynced, None), (None, 3, 2));
        assert_eq!(accounts.unsynced, 1);
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
        let servers = [server(7, 0, Script::new(vec![pause]).unwrap())];
        let mut accounts = Accounts::default();
        let mut add = |millis, shown: WorldReading| {
            accounts.add(&servers, machine(millis), &reading(7, 1, millis, 1), Some(&shown), [None; 2]);
            let Account { reads, outside, backwards, .. } = accounts.world;
            (reads, outside, backwards)
        };
        assert_eq!(add(1_500, world(1_030, 30, 1)), (1, 0, 0));
        assert_eq!(add(3_500, world(1_530, 29, 1)), (2, 1, 0));
        assert_eq!(add(3_501, world(1_529, 28, 1)), (3, 1, 1));
        assert_eq!(add(3_502, world(1_502, 0, 2)), (4, 1, 1));
    }
}
