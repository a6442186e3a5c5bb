use std::net::{Ipv4Addr, SocketAddr};

use anyhow::{Context, Result, ensure};
use netclock::keyed::SessionKey;
use netclock::link::sockets::StampedSocket;
use netclock::{LocalTime, ServerTime, Span};
use serde::{Deserialize, Serialize};

use super::rows::{Row, find};
use crate::net::clock::{MachineTime, SkewedClock};

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

    /// The clock served over NTP (ticks since 1970). chronyd disciplines the machine's clock, which has no
    /// skew, so this clock combines both skews. chronyd thus has as much to learn as the other clocks.
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
