use std::net::{Ipv4Addr, SocketAddr};
use std::ops::Range;

use anyhow::{Context, Result, ensure};
use netclock::keyed::SessionKey;
use netclock::link::sockets::StampedSocket;
use netclock::{LocalTime, ServerTime, Span};
use serde::{Deserialize, Serialize};

use super::pipe::PipeConfig;
use crate::net::clock::{MachineTime, SkewedClock};

const DELAY_MS: i64 = 25;
/// The rates of a typical home connection (bit/s).
const RATE_UP: i64 = 5_000_000;
const RATE_DOWN: i64 = 20_000_000;
const BUFFER_MS: i64 = 250;
/// Queues that exist at the start begin to form this long before the clients start.
const LEAD_S: i64 = 20;
/// Later queues begin to form this long after the start, which is after the burst but in the first half
/// minute.
const AFTER_S: i64 = 20;
pub(super) const ON_OFF_S: i64 = 12;

#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    pub(super) is_up: bool,
    pub(super) control: &'static str,
    pub(super) from_s: i64,
    pub(super) is_on_off: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Incident {
    None,
    /// The uplink takes longer for a while.
    Route,
    /// The NAT drops its mappings at this interval and then assigns new random ports.
    NatForgets,
    /// At first, all UDP is blocked. For a while afterwards, UDP passes only towards the server.
    Blocked,
    Stopped,
    Busy,
    /// Each bottleneck has a second queue for marked packets. All clocks that support marks use that queue.
    TwoQueues,
    MarkDropped,
}

/// When incidents happen, in seconds from the start of the clocks.
pub(super) const ROUTE_S: Range<f64> = 60.0..110.0;
pub(super) const LONGER_MS: i64 = 40;
pub(super) const NAT_FORGETS_EVERY_S: f64 = 25.0;
pub(super) const BLOCKED_UP_S: Range<f64> = 60.0..100.0;
pub(super) const BLOCKED_DOWN_S: Range<f64> = 60.0..120.0;
pub(super) const STOPPED_S: [i64; 2] = [60, 80];
pub(super) const BUSY_FROM_S: i64 = 20;
pub(super) const MARK_DROPPED_FROM_S: f64 = 60.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) up: PipeConfig,
    pub(super) down: PipeConfig,
    pub(super) loads: &'static [Load],
    pub(super) incident: Incident,
}

impl Row {
    pub(super) fn lead_s(&self) -> i64 {
        self.loads.iter().map(|load| -load.from_s).max().unwrap_or(0).max(0)
    }

    pub(super) fn is_marked(&self) -> bool {
        matches!(self.incident, Incident::TwoQueues | Incident::MarkDropped)
    }
}

const fn load(is_up: bool, from_s: i64) -> Load {
    Load { is_up, control: "cubic", from_s, is_on_off: false }
}

const fn bbr(is_up: bool, from_s: i64) -> Load {
    Load { control: "bbr", ..load(is_up, from_s) }
}

const fn row(name: &'static str, about: &'static str, loads: &'static [Load]) -> Row {
    Row {
        name,
        about,
        up: PipeConfig { delay_ms: DELAY_MS, rate: RATE_UP, buffer_ms: BUFFER_MS },
        down: PipeConfig { delay_ms: DELAY_MS, rate: RATE_DOWN, buffer_ms: BUFFER_MS },
        loads,
        incident: Incident::None,
    }
}

const fn with(incident: Incident, row: Row) -> Row {
    Row { incident, ..row }
}

const fn delays(up_ms: i64, down_ms: i64, row: Row) -> Row {
    Row {
        up: PipeConfig { delay_ms: up_ms, ..row.up },
        down: PipeConfig { delay_ms: down_ms, ..row.down },
        ..row
    }
}

const ON_OFF: Load = Load { is_on_off: true, ..load(true, 0) };
const BEFORE_S: i64 = -LEAD_S;

pub(super) const ROWS: [Row; 22] = [
    row("idle", "no other traffic", &[]),
    row("up_before", "an uplink queue exists before the client starts", &[load(true, BEFORE_S)]),
    row("up_with", "an uplink queue forms when the client starts", &[load(true, 0)]),
    row("up_after", "an uplink queue forms after the client starts", &[load(true, AFTER_S)]),
    row("down_before", "a downlink queue exists before the client starts", &[load(false, BEFORE_S)]),
    row("down_with", "a downlink queue forms when the client starts", &[load(false, 0)]),
    row("down_after", "a downlink queue forms after the client starts", &[load(false, AFTER_S)]),
    row("both_before", "queues both ways before the start", &[load(true, BEFORE_S), load(false, BEFORE_S)]),
    row("both_with", "queues both ways from the start", &[load(true, 0), load(false, 0)]),
    row("both_after", "queues both ways after the start", &[load(true, AFTER_S), load(false, AFTER_S)]),
    row("bbr_up_before", "up_before, by BBR", &[bbr(true, BEFORE_S)]),
    row("bbr_down_before", "down_before, by BBR", &[bbr(false, BEFORE_S)]),
    row("bbr_both_after", "both_after, by BBR", &[bbr(true, AFTER_S), bbr(false, AFTER_S)]),
    row("on_off", "an uplink sender alternates 12 s on, 12 s off", &[ON_OFF]),
    delays(45, 5, row("unequal", "45 ms up, 5 ms down", &[])),
    with(Incident::Route, row("route", "40 ms more uplink delay from second 60 to 110", &[])),
    with(Incident::NatForgets, row("nat", "the NAT drops its mappings every 25 s", &[])),
    with(Incident::Blocked, row("blocked", "no UDP from second 60 to 100, none down until 120", &[])),
    with(Incident::Stopped, row("stopped", "SIGSTOP from second 60 to 80", &[])),
    with(Incident::Busy, row("busy", "all cores busy from second 20", &[])),
    with(
        Incident::TwoQueues,
        row("two_queues", "up_before, in a bottleneck with two queues by mark", &[load(true, BEFORE_S)]),
    ),
    with(Incident::MarkDropped, row("mark_dropped", "marked packets dropped from second 60", &[])),
];

pub(super) fn find(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == name)
}

pub(super) const CLIENT: Ipv4Addr = Ipv4Addr::new(10, 77, 1, 1);
pub(super) const SERVER: Ipv4Addr = Ipv4Addr::new(10, 77, 2, 1);

pub(super) const MESSAGES: u16 = 7_001;
pub(super) const FRAMES: u16 = 7_002;
pub(super) const LINK: u16 = 7_003;
pub(super) const NTP_1_S: u16 = 7_004;
pub(super) const NTP_4_S: u16 = 7_005;
pub(super) const PROBES: u16 = 7_006;
pub(super) const TCP: u16 = 7_007;

const CLIENT_PPM: f64 = 30.0;
const SERVER_PPM: f64 = -20.0;
const CLIENT_ORIGIN: LocalTime = LocalTime::from_ticks(3_000_000_000_000);
const SERVER_ORIGIN: LocalTime = LocalTime::from_ticks(7_000_000_000_000);
pub(super) const EPOCH: u64 = 0x0E75;
pub(super) const FRAME: Span = Span::from_micros(16_667);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ProcessConfig {
    pub(super) row: String,
    pub(super) seconds: i64,
    pub(super) zero: i64,
    pub(super) wall: i64,
}

impl ProcessConfig {
    pub(super) fn row(&self) -> Result<&'static Row> {
        find(&self.row).with_context(|| format!("there is no row {}", self.row))
    }

    fn clock(&self, origin: LocalTime, ppm: f64) -> SkewedClock {
        SkewedClock::since(MachineTime::from_ticks(self.zero), origin, ppm)
    }

    pub(super) fn client_clock(&self) -> SkewedClock {
        self.clock(CLIENT_ORIGIN, CLIENT_PPM)
    }

    pub(super) fn server_clock(&self) -> TrueClock {
        TrueClock(self.clock(SERVER_ORIGIN, SERVER_PPM))
    }

    /// The clock that is served over NTP (ticks since 1970). This clock combines both skews, because chronyd
    /// disciplines the machine's clock, which has no skew. As a result, chronyd has as much to learn as the
    /// other clocks.
    pub(super) fn ntp_clock(&self) -> SkewedClock {
        self.clock(LocalTime::from_ticks(self.wall), SERVER_PPM - CLIENT_PPM)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TrueClock(SkewedClock);

impl TrueClock {
    pub(super) fn at(&self, machine: MachineTime) -> ServerTime {
        ServerTime::from_ticks(self.0.at(machine).ticks())
    }
}

pub(super) fn server(port: u16) -> SocketAddr {
    (SERVER, port).into()
}

pub(super) fn listen(port: u16, row: &Row) -> Result<StampedSocket> {
    marked(StampedSocket::bind(server(port), true)?, row)
}

pub(super) fn connect(port: u16, row: &Row) -> Result<StampedSocket> {
    marked(StampedSocket::connect(server(port), true)?, row)
}

fn marked(mut socket: StampedSocket, row: &Row) -> Result<StampedSocket> {
    ensure!(socket.set_marked(row.is_marked()), "the system cannot mark datagrams");
    Ok(socket)
}

pub(super) fn key() -> Result<SessionKey> {
    SessionKey::new(1, [0x4E; 16]).context("a secret")
}
