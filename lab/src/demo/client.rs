//! A demo client, which continuously reads its clock and the world's, and compares each read with the truth.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use anyhow::Result;
use netclock::keyed::SessionKey;
use netclock::session::View;
use netclock::{Config, LocalTime, Span};

use super::judge::{Accounts, Judge, Read};
use super::rivals::Rivals;
use super::truth::Truth;
use crate::net::clock::{self, MachineTime, SkewedClock};
use crate::net::sync::client::{SyncClient, Traffic};
use crate::net::sync::events::{Described, describe};

const REPORT_EVERY: Span = Span::from_millis(100);

/// A demo client's settings, which differ from the defaults in two ways. The local gap is short enough to
/// detect the demo's stall. As in the bench, the client sends a request every second, because rivals would
/// learn more slowly from a reply every 4 s.
fn config() -> Config {
    Config { local_gap: Span::from_secs(2), steady_interval: Span::from_secs(1), ..Config::default() }
}

pub(super) struct ClientConfig {
    /// The address of the client's forwarder.
    pub(super) server: SocketAddr,
    pub(super) key: SessionKey,
    /// The initial time of the client's clock.
    pub(super) origin: LocalTime,
    /// The rate error of the client's clock, positive if it runs fast.
    pub(super) ppm: f64,
    /// The published clock that processes the same replies.
    pub(super) rival: String,
}

#[derive(Default)]
pub(super) struct Control {
    pub(super) is_stalled: AtomicBool,
    pub(super) ends: AtomicBool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Report {
    /// Sent several times a second.
    Reads {
        reads: Vec<Read>,
        accounts: Box<Accounts>,
        traffic: Traffic,
    },
    Event(MachineTime, Described),
}

/// Runs until `control` ends the client or the reports' receiver is dropped.
pub(super) fn run(
    config: ClientConfig,
    truth: Truth,
    control: &Control,
    reports: &Sender<(usize, Report)>,
    index: usize,
) -> Result<()> {
    let ClientConfig { server, key, origin, ppm, rival } = config;
    let clock = SkewedClock::new(origin, ppm);
    let mut session = SyncClient::new(server, clock, self::config())?;
    session.take_samples()?;
    session.use_key(key)?;
    let (mut rivals, mut judge) = (Rivals::new(&rival)?, Judge::new(truth));
    let (mut reported, mut reads) = (clock::now(), Vec::new());
    let mut ends = false;
    while !ends {
        if control.is_stalled.load(Ordering::Relaxed) {
            session.stall(|| !control.is_stalled.load(Ordering::Relaxed));
        }
        ends = control.ends.load(Ordering::Relaxed);
        session.step()?;
        let (machine, View { reading, worlds, .. }) = session.view()?;
        session.take_samples()?.iter().for_each(|sample| rivals.on_exchange(sample));
        let shown = rivals.shown(clock.at(machine));
        reads.extend(judge.add(machine, &reading, worlds[0].as_ref(), shown));
        while let Some(event) = session.next_event() {
            reports.send((index, Report::Event(machine, describe(&event))))?;
        }
        if machine - reported >= REPORT_EVERY || ends {
            reported = machine;
            let accounts = Box::new(judge.accounts);
            let reads = std::mem::take(&mut reads);
            reports.send((index, Report::Reads { reads, accounts, traffic: session.traffic() }))?;
        }
    }
    Ok(())
}
