//! A client in `lab study link`, in a separate process.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use netclock::link::sockets::{ConnectConfig, LinkConnection};
use netclock::{Client, Config, LocalTime, Span};
use serde::{Deserialize, Serialize};

use super::host::{FRAME, key, server_time};
use super::usage::thread_seconds;
use crate::net::address;
use crate::net::child::say;
use crate::net::clock;
use crate::net::judge::{Judge, Judged};
use crate::net::lifetime::Stop;
use crate::net::messages::client_frame;
use crate::net::random_seed;

/// Time between judged reads.
const READ_EVERY: Duration = Duration::from_millis(2);

/// A client's settings.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PlayerConfig {
    pub(super) link: Option<SocketAddr>,
    pub(super) messages: Option<SocketAddr>,
    pub(super) key: u32,
    pub(super) kernel_stamps: bool,
    /// Seconds after the start at which judging begins, and at which the client ends.
    pub(super) from: u32,
    pub(super) seconds: u32,
}

/// A client's results.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Played {
    #[serde(flatten)]
    pub(super) judged: Judged,
    /// The link's state and the source of its stamps, in words.
    pub(super) state: String,
    pub(super) stamps: String,
    /// Requests sent over the link, and requests sent as messages.
    pub(super) link_requests: u64,
    pub(super) messages: u64,
    /// Share of a core that the link's thread used (%).
    pub(super) thread_percent: Option<f64>,
    /// Time that stopping the link took (ms).
    pub(super) stop_ms: f64,
}

pub(super) fn run(plan: &PlayerConfig, stop: &Stop) -> Result<()> {
    let frame = Span::from_secs_f64(FRAME.as_secs_f64());
    let config = match plan.messages {
        Some(_) => Config { client_frame: frame, server_frame: frame, ..Config::default() },
        None => Config::default(),
    };
    let client = Arc::new(Mutex::new(Client::new(config, random_seed()?)?));
    let link = plan.link.map(|to| connect(plan, to, &client)).transpose()?;
    let mut messages = plan.messages.map(address::connect).transpose()?;
    let start = clock::now();
    let mut judge = Judge::default();
    let (mut sent, mut next_frame) = (0, start);
    while !stop.is_set() && clock::now() - start < Span::from_secs(plan.seconds.into()) {
        thread::sleep(READ_EVERY);
        if let Some(messages) = messages.as_mut().filter(|_| clock::now() >= next_frame) {
            next_frame = clock::now() + frame;
            let mut client = client.lock().unwrap_or_else(PoisonError::into_inner);
            let now = LocalTime::from_ticks(clock::now().ticks());
            sent += u64::from(client_frame(messages, &mut client, now));
        }
        if clock::now() - start >= Span::from_secs(plan.from.into()) {
            let client = client.lock().unwrap_or_else(PoisonError::into_inner);
            let machine = clock::now().ticks();
            judge.read(&client.read(LocalTime::from_ticks(machine)), server_time(machine), true);
        }
    }
    let seconds = (clock::now() - start).as_secs_f64();
    let used = thread_seconds("netclock-link").map(|used| 100.0 * used / seconds);
    let status = link.as_ref().map(LinkConnection::status);
    let judged = judge.judged();
    let mut played = Played { judged, messages: sent, thread_percent: used, ..Played::default() };
    if let Some(status) = status {
        played.state = status.state.words().to_owned();
        played.stamps = status.stamps.words().to_owned();
        played.link_requests = status.counts.requests;
    }
    played.stop_ms = stop_ms(|| drop(link));
    say(&played)
}

/// How long `stop` takes (ms).
pub(super) fn stop_ms(stop: impl FnOnce()) -> f64 {
    let begun = clock::now();
    stop();
    (clock::now() - begun).as_secs_f64() * 1e3
}

fn connect(plan: &PlayerConfig, to: SocketAddr, client: &Arc<Mutex<Client>>) -> Result<LinkConnection> {
    let config = ConnectConfig {
        kernel_stamps: plan.kernel_stamps,
        ..ConnectConfig::to(&to.ip().to_string(), to.port())
    };
    Ok(LinkConnection::connect(&config, client.clone(), &key(plan.key)?, |now| now)?)
}
