//! The server in `lab study link`: a link, and beside it a frame loop that answers messages at 60 Hz, as
//! games do.

use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use netclock::SessionKeysConfig;
use netclock::keyed::SessionKey;
use netclock::link::ServerLinkConfig;
use netclock::link::sockets::{LinkServer, ServeConfig};
use netclock::{LocalTime, ServerTime, Span};
use serde::{Deserialize, Serialize};

use super::usage::thread_seconds;
use crate::net::address;
use crate::net::child::say;
use crate::net::clock;
use crate::net::lifetime::Stop;
use crate::net::messages::server_frame;

/// The epoch of the clock, for both the link and messages.
const EPOCH: u64 = 0x11E;
/// Server time minus machine time. It is so large that the two cannot be confused.
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

/// The work done by its link so far.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Work {
    pub(super) answered: u64,
    /// Seconds of processor time that the link's thread used.
    pub(super) thread_seconds: Option<f64>,
    /// Seconds since the start.
    pub(super) seconds: f64,
}

/// The true server time at a machine time.
pub(super) fn server_time(machine: i64) -> ServerTime {
    ServerTime::from_ticks(machine) + AHEAD
}

/// The key with this id. In a game the server draws it.
pub(super) fn key(id: u32) -> Result<SessionKey> {
    let mut secret = [0x5A; 16];
    secret[..4].copy_from_slice(&id.to_be_bytes());
    SessionKey::new(id, secret).context("a secret")
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
    let mut messages = address::bind(([127, 0, 0, 1], 0).into())?;
    let ports = Ports { link: link.address().port(), messages: messages.local_address()?.port() };
    say(&ports)?;
    let start = clock::now();
    let mut reported = start;
    while !stop.is_set() {
        thread::sleep(FRAME);
        server_frame(&mut messages, EPOCH, server_time(clock::now().ticks()));
        let now = clock::now();
        if now - reported >= REPORT_EVERY {
            reported = now;
            say(&Work {
                answered: link.status().counts.answered,
                thread_seconds: thread_seconds("netclock-serve"),
                seconds: (now - start).as_secs_f64(),
            })?;
        }
    }
    Ok(())
}
