//! The server of `lab study link`: a link, and beside it a frame loop that answers messages at
//! 60 Hz, as games do.

use std::net::UdpSocket;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use netclock::SessionKeysConfig;
use netclock::link::ServerLinkConfig;
use netclock::link::sockets::{LinkServer, ServeConfig};
use netclock::{LocalTime, Responder, ServerTime, Span, wire};
use serde::{Deserialize, Serialize};

use super::key::key;
use super::usage::thread_seconds;
use crate::net::child::say;
use crate::net::clock;
use crate::net::lifetime::Stop;

/// Names the run of the clock, for link and messages alike.
const EPOCH: u64 = 0x11E;
/// Server minus machine time: so that nobody confuses the two.
pub(super) const AHEAD: Span = Span::from_secs(1_000);
/// Frame period of server and clients.
pub(super) const FRAME: Duration = Duration::from_micros(16_667);
/// Time between reports.
const REPORT_EVERY: Span = Span::from_secs(1);

/// Where the host listens.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Ports {
    pub(super) link: u16,
    pub(super) messages: u16,
}

/// What its link did so far.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Work {
    pub(super) answered: u64,
    pub(super) refused: u64,
    /// Seconds of processor time that the link's thread used.
    pub(super) thread_seconds: Option<f64>,
    /// Seconds since the start.
    pub(super) seconds: f64,
}

/// The truth.
pub(super) fn server_time(machine: i64) -> ServerTime {
    ServerTime::from_ticks(machine) + AHEAD
}

pub(super) fn run(keys: u32, stop: &Stop) -> Result<()> {
    let sessions = SessionKeysConfig { capacity: keys.max(1), ..SessionKeysConfig::default() };
    let config = ServeConfig {
        address: ([127, 0, 0, 1], 0).into(),
        link: ServerLinkConfig { sessions, ..ServerLinkConfig::default() },
        ..ServeConfig::default()
    };
    let link = LinkServer::serve(&config, EPOCH, |now: LocalTime| server_time(now.ticks()))?;
    for id in 1..=keys {
        link.admit(&key(id)?)?;
    }
    let messages = UdpSocket::bind(("127.0.0.1", 0)).context("cannot open a port for messages")?;
    messages.set_nonblocking(true)?;
    let ports = Ports { link: link.address().port(), messages: messages.local_addr()?.port() };
    say(&ports)?;
    let start = clock::now();
    let mut reported = start;
    while !stop.is_set() {
        thread::sleep(FRAME);
        answer(&messages)?;
        let now = clock::now();
        if now - reported >= REPORT_EVERY {
            reported = now;
            let counts = link.status().counts;
            let refused = counts.keys.malformed + counts.keys.unknown_key + counts.keys.forged;
            say(&Work {
                answered: counts.answered,
                refused: refused + counts.keys.over_budget + counts.busy,
                thread_seconds: thread_seconds("netclock-serve"),
                seconds: (now - start).as_secs_f64(),
            })?;
        }
    }
    Ok(())
}

/// Answers the messages of a frame. Stamps are those of the frame, as in a game's loop.
fn answer(messages: &UdpSocket) -> Result<()> {
    let frame = server_time(clock::now().ticks());
    let mut buffer = [0; 2 * wire::SIZE];
    while let Ok((length, from)) = messages.recv_from(&mut buffer) {
        let Ok(request) = wire::decode_request(&buffer[..length]) else { continue };
        let reply = Responder::new(EPOCH).respond(&request, frame, frame)?;
        // What is not sent is lost.
        let _ = messages.send_to(&wire::encode_reply(&reply)?, from);
    }
    Ok(())
}
