//! Gives the exchanges of a recorded session to a new client, and notes what it shows.

use anyhow::Result;
use netclock::latency::{LatencyChange, LatencyConfig, LatencyWatch};
use netclock::{Client, Config, Event, LocalTime, Reading, Refusal, Span};
use serde::Serialize;

use crate::recording::{self, Recorded};

/// Time between calls of the client. A game calls it every frame, which a recording does not show. Without these calls,
/// a wait for a reply would look like a pause of the program.
const CALLS_APART: Span = Span::from_secs(1);
/// A longer gap in the recording is a pause of the program.
const PAUSE: Span = Span::from_secs(3600);
/// So is a gap longer than the client's local gap, if the client asks in a burst after it: this many requests ...
const BURST: usize = 5;
/// ... in this time. While nobody answers, requests are a second apart.
const BURST_LENGTH: Span = Span::from_millis(400);
/// Replies of a burst may come after this many others.
const LOOK_AHEAD: usize = 32;
/// The seed of the new client, whose request ids do not matter.
const SEED: u128 = 1;

/// An exchange whose result differs from the recorded one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Difference {
    pub(crate) line: usize,
    pub(crate) recorded: &'static str,
    pub(crate) now: &'static str,
}

/// What the clock shows at one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// The index of the newest exchange, in the recording.
    pub(crate) index: usize,
    pub(crate) local: LocalTime,
    pub(crate) reading: Reading,
    /// An exchange was accepted just before.
    pub(crate) is_exchange: bool,
}

/// An event of the client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Happened {
    /// The index of the newest exchange, in the recording.
    pub(crate) index: usize,
    /// The time of the call that reported it.
    pub(crate) local: LocalTime,
    pub(crate) event: Event,
}

/// The results of a session.
#[derive(Debug, Default)]
pub(crate) struct Rerun {
    pub(crate) accepted: usize,
    /// Answers to unknown requests. They say nothing about the clocks and cannot be repeated.
    pub(crate) left_out: usize,
    pub(crate) differing: Vec<Difference>,
    pub(crate) moments: Vec<Moment>,
    pub(crate) events: Vec<Happened>,
    /// Lasting changes of the delay of one direction.
    pub(crate) changes: Vec<LatencyChange>,
    /// For each pause of the program: the last time before, and the first after.
    pub(crate) pauses: Vec<(LocalTime, LocalTime)>,
}

/// Gives the exchanges of a session to a new client with these settings. With `until`, the client is called until then;
/// a recording does not say how long the session went on after its last exchange.
///
/// # Errors
/// A setting is out of range.
pub(crate) fn rerun(config: &Config, recorded: &[Recorded], until: Option<LocalTime>) -> Result<Rerun> {
    let watch = LatencyWatch::new(&LatencyConfig::default())?;
    let mut player =
        Player { client: Client::new(*config, SEED)?, watch, now: None, index: 0, rerun: Rerun::default() };
    for (at, Recorded { line, sample }) in recorded.iter().enumerate() {
        player.index = at;
        let Some(exchange) = sample.exchange() else {
            player.rerun.left_out += 1;
            continue;
        };
        // Only a usable exchange says what time it was.
        if matches!(sample.outcome, Ok(()) | Err(Refusal::Contradiction)) {
            let gap = config.local_gap;
            let resumed =
                player.now.filter(|&now| exchange.client_sent - now > gap && resumes(&recorded[at..]));
            if let Some(before) = resumed {
                player.rerun.pauses.push((before, exchange.client_sent));
                player.call(exchange.client_sent);
            }
            player.pass(exchange.client_received);
        }
        let outcome = player.client.handle_exchange(&exchange, sample.server_epoch);
        player.rerun.accepted += usize::from(outcome.is_ok());
        if outcome != sample.outcome {
            let (recorded, now) = (recording::name(sample.outcome), recording::name(outcome));
            player.rerun.differing.push(Difference { line: *line, recorded, now });
        }
        if let (Some(now), Ok(())) = (player.now, outcome) {
            player.learn(now);
        }
        player.note_events();
    }
    if let Some(until) = until.filter(|&until| player.now.is_some_and(|now| now < until)) {
        player.pass(until);
    }
    Ok(player.rerun)
}

/// True if the first of these exchanges begins a burst.
fn resumes(recorded: &[Recorded]) -> bool {
    let Some(first) = recorded.first().filter(|first| first.sample.outcome.is_ok()) else { return false };
    let Some(sent) = first.sample.client_sent else { return false };
    let near = recorded.iter().take(LOOK_AHEAD).filter_map(|other| other.sample.client_sent);
    near.filter(|&other| (other - sent).abs() <= BURST_LENGTH).count() >= BURST
}

struct Player {
    client: Client,
    watch: LatencyWatch,
    now: Option<LocalTime>,
    index: usize,
    rerun: Rerun,
}

impl Player {
    /// Lets time pass for the client until `arrived`.
    fn pass(&mut self, arrived: LocalTime) {
        let Some(mut now) = self.now else {
            self.now = Some(arrived);
            return;
        };
        // A reply may be handled late, so the client may refuse a time that is slightly too early.
        if arrived - now < PAUSE {
            while arrived - now > CALLS_APART {
                now += CALLS_APART;
                self.call(now);
            }
        }
        self.call(arrived);
        self.now = Some(if now - arrived < CALLS_APART { now.max(arrived) } else { arrived });
    }

    /// The call of a frame, and what the clock shows then.
    fn call(&mut self, now: LocalTime) {
        let _request = self.client.tick(now);
        if self.client.is_time_synced() && self.now.is_none_or(|last| last < now) {
            self.note_moment(now, false);
        }
        self.now = Some(now);
        self.note_events();
    }

    /// What the clock shows after an accepted exchange.
    fn learn(&mut self, now: LocalTime) {
        self.note_moment(now, true);
        // Delays that the watch refuses are too strange for it to learn from.
        let _update = self.watch.follow(&self.client);
        while let Some(change) = self.watch.next_change() {
            self.rerun.changes.push(change);
        }
    }

    fn note_moment(&mut self, local: LocalTime, is_exchange: bool) {
        let reading = self.client.read(local);
        self.rerun.moments.push(Moment { index: self.index, local, reading, is_exchange });
    }

    fn note_events(&mut self) {
        let Some(now) = self.now else { return };
        while let Some(event) = self.client.next_event() {
            self.rerun.events.push(Happened { index: self.index, local: now, event });
        }
    }
}
