//! Examines the path with a client that sends requests at a steady rate, over a link if there is a key.

use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::Result;
use netclock::keyed::SessionKey;
use netclock::{Config, LocalTime, Reading, Sample, Span};
use serde::Serialize;

use crate::net::clock::{self, SkewedClock};
use crate::net::lifetime::Stop;
use crate::net::sync::client::{SyncClient, Traffic};
use crate::recording::{Recorded, Recording};

/// The interval between requests. This causes 1.3 kB/s of traffic in each direction.
const APART: Span = Span::from_millis(50);
/// A reply that takes longer than this counts as lost, unless an earlier reply took more than half this time.
const PATIENCE: Span = Span::from_secs(1);
/// If there is no reply at all, the test ends after this time.
const GIVE_UP_AFTER: Span = Span::from_secs(4);
/// Longer silences are reported, because random loss does not drop 40 requests in a row.
const SILENT: Span = Span::from_secs(2);
const TCP_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Path {
    pub(super) requests: usize,
    pub(super) answered: usize,
    pub(super) copies: usize,
    pub(super) overtaken: usize,
    pub(super) strange: usize,
    /// How often the network reported that no program listens on the server's port.
    pub(super) refused: usize,
    pub(super) stamps: &'static str,
    /// Whether the host responded to a TCP connection attempt, even with a refusal. We only try a TCP
    /// connection if no datagrams arrive.
    pub(super) is_host_there: bool,
    pub(super) is_keyed: bool,
    pub(super) is_mark_dropped: bool,
    /// The longest period without a reply, if it exceeded [`SILENT`].
    pub(super) silence: Option<Silence>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Silence {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) is_end: bool,
}

impl Path {
    pub(super) fn of(
        traffic: &Traffic,
        requests: u64,
        samples: &[Sample],
        start: LocalTime,
        end: LocalTime,
    ) -> Self {
        let sent: Vec<LocalTime> = samples.iter().filter_map(|sample| sample.client_sent).collect();
        let mut newest = LocalTime::from_ticks(i64::MIN);
        let overtaken = sent.iter().filter(|&&sent| {
            newest = newest.max(sent);
            sent < newest
        });
        let mut arrivals: Vec<LocalTime> =
            samples.iter().map(|it| it.client_received).filter(|&it| it < end).collect();
        arrivals.push(end);
        let longest = arrivals.windows(2).max_by_key(|pair| pair[1] - pair[0]);
        let silence = longest.filter(|pair| pair[1] - pair[0] > SILENT).map(|pair| Silence {
            from: (pair[0] - start).as_secs_f64(),
            to: (pair[1] - start).as_secs_f64(),
            is_end: pair[1] == end,
        });
        Path {
            silence,
            requests: requests as usize,
            overtaken: overtaken.count(),
            answered: sent.iter().filter(|&&sent| sent <= end).count(),
            copies: traffic.unknown as usize,
            strange: traffic.malformed as usize,
            refused: traffic.refused as usize,
            ..Path::default()
        }
    }

    pub(super) fn loss(&self) -> f64 {
        1.0 - self.answered as f64 / self.requests.max(1) as f64
    }
}

pub(super) struct ExaminedPath {
    pub(super) path: Path,
    pub(super) recording: Recording,
    pub(super) reading: Option<Reading>,
}

pub(super) fn examine_path(
    server: SocketAddr,
    key: Option<SessionKey>,
    length: Span,
    stop: &Stop,
) -> Result<ExaminedPath> {
    let start = clock::now();
    let local = SkewedClock::new(LocalTime::from_ticks(start.ticks()), 0.0);
    let config = Config { burst_interval: APART, steady_interval: APART, ..Config::default() };
    let mut session = SyncClient::new(server, local, config)?;
    (session.only_time, session.steady_interval) = (true, APART);
    session.take_samples()?;
    let is_keyed = key.is_some();
    key.map_or(Ok(()), |key| session.use_key(key))?;
    let (mut samples, mut asked) = (Vec::new(), None);
    let mut path = loop {
        session.step()?;
        samples.extend(session.take_samples()?);
        let (now, traffic) = (clock::now(), session.traffic());
        let is_silent = samples.is_empty() && now - start > GIVE_UP_AFTER.min(length);
        if asked.is_none() && (now - start > length || is_silent || stop.is_set()) {
            asked = Some((traffic.requests, local.at(now)));
        }
        let Some((requests, end)) = asked else { continue };
        let path = Path::of(&traffic, requests, &samples, local.at(start), end);
        let is_complete = path.answered >= path.requests;
        if is_silent || is_complete || now - start > length + patience(&samples) || stop.is_set() {
            break path;
        }
    };
    path.is_mark_dropped = session.take_mark_dropped().is_some();
    (path.stamps, path.is_keyed) = (session.stamps().words(), is_keyed);
    if path.answered == 0 && path.refused == 0 {
        let connection = TcpStream::connect_timeout(&server, TCP_TIMEOUT);
        path.is_host_there =
            connection.map_or_else(|error| netclock::link::sockets::is_refusal(&error), |_| true);
    }
    let reading = session.is_synced().then(|| session.read().1);
    let recorded = samples.iter().enumerate().map(|(index, &sample)| Recorded {
        line: index + 3,
        sample,
        has_status: true,
    });
    let recording = Recording { exchanges: recorded.collect(), ..Recording::default() };
    Ok(ExaminedPath { path, recording, reading })
}

fn patience(samples: &[Sample]) -> Span {
    let trips = samples.iter().filter_map(|it| Some(it.client_received - it.client_sent?));
    trips.max().map_or(PATIENCE, |longest| PATIENCE.max(longest + longest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_time_without_replies_is_reported() {
        let second = |at: f64| LocalTime::from_ticks((at * 1e7) as i64);
        let silence = |arrivals: &[f64]| {
            let ticks = |at: f64| second(at).ticks();
            let sample = |&at: &f64| Recorded::foreign(0, [ticks(at - 0.02), 0, 0, ticks(at)]).sample;
            let samples: Vec<Sample> = arrivals.iter().map(sample).collect();
            Path::of(&Traffic::default(), 200, &samples, second(0.0), second(10.0)).silence
        };
        assert_eq!(silence(&[1.0, 2.9, 4.8, 6.7, 8.6]), None);
        let Silence { from, to, is_end } = silence(&[1.0, 3.0, 4.0, 8.5]).unwrap();
        assert_eq!((from, to, is_end), (4.0, 8.5, false));
        assert!(silence(&[1.0, 3.0, 4.0, 5.0]).is_some_and(|it| it.from == 5.0 && it.is_end));
    }
}
