use anyhow::Result;
use netclock::authority::Authority;
use netclock::keyed::SessionKey;
use netclock::latency::{LatencyChange, LatencyWatch};
use netclock::link::{ClientLinkConfig, LinkedClient};
use netclock::{Client, Config, Event, Exchange, LocalTime, Reading, Refusal, Sample, Span};
use serde::Serialize;

use crate::recording::{self, Announced, Announcement, Recorded};

/// The interval between calls to the client, which a game would call in every frame. Without these calls, a
/// wait for a reply would look like a pause.
const CALLS_APART: Span = Span::from_secs(1);
const PAUSE: Span = Span::from_secs(3600);
/// A gap longer than the client's local gap is also a pause if a burst of this many requests follows.
const BURST: usize = 5;
/// The maximum length of a burst. Without replies, a client sends only one request per second.
const BURST_LENGTH: Span = Span::from_millis(400);
/// We look for a burst in this many exchanges, because other replies may arrive during the burst.
const LOOK_AHEAD: usize = 32;
const MOST_DIFFERENCES: usize = 1_000;
const SEED: u128 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Difference {
    pub(crate) line: usize,
    pub(crate) recorded: &'static str,
    pub(crate) now: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) index: usize,
    pub(crate) local: LocalTime,
    pub(crate) reading: Reading,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct TimedEvent {
    /// The exchange that caused the event, or the next exchange if the event was due to elapsed time.
    pub(crate) index: usize,
    pub(crate) local: LocalTime,
    pub(crate) event: Event,
}

#[derive(Debug, Default)]
pub(crate) struct Rerun {
    pub(crate) outcomes: Vec<Result<(), Refusal>>,
    pub(crate) accepted: usize,
    pub(crate) left_out: usize,
    pub(crate) differing: usize,
    pub(crate) differences: Vec<Difference>,
    pub(crate) moments: Vec<Moment>,
    pub(crate) events: Vec<TimedEvent>,
    pub(crate) changes: Vec<LatencyChange>,
    pub(crate) pauses: Vec<Pause>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Pause {
    pub(crate) before: LocalTime,
    pub(crate) after: LocalTime,
    /// Whether the program recorded the pause itself. Otherwise, the network may have been down instead.
    pub(crate) is_noted: bool,
}

/// Keeps calling the client until `until`, because the session may have continued after its last exchange.
/// Fails if there is not enough memory.
pub(crate) fn rerun(
    recorded: &[Recorded],
    announced: &[Announced],
    until: Option<LocalTime>,
) -> Result<Rerun> {
    let local_gap = Config::default().local_gap;
    let mut player = Replayer {
        client: Replayed::Plain(Client::new(Config::default(), SEED)?),
        watch: LatencyWatch::new(LatencyWatch::LEAST_CHANGE)?,
        now: None,
        early_authority: None,
        index: 0,
        handled: 0,
        next: 0,
        rerun: Rerun::default(),
    };
    let mut announced = announced.iter().peekable();
    for (after, exchange) in recorded.iter().enumerate() {
        while let Some(announced) = announced.next_if(|it| it.after <= after) {
            player.announced(announced);
        }
        player.exchange(exchange, starts_burst(&recorded[after..]).then_some(local_gap));
    }
    announced.for_each(|announced| player.announced(announced));
    if let Some(until) = until.filter(|&until| player.now.is_some_and(|now| now < until)) {
        player.pass(until);
    }
    Ok(player.rerun)
}

fn starts_burst(exchanges: &[Recorded]) -> bool {
    // Only NetClock clients send a burst after a pause.
    let first = exchanges.first().filter(|first| first.has_status && first.sample.outcome.is_ok());
    let Some(sent) = first.and_then(|first| first.sample.client_sent) else { return false };
    let near = exchanges.iter().take(LOOK_AHEAD).filter_map(|other| other.sample.client_sent);
    near.filter(|&other| (other - sent).abs() <= BURST_LENGTH).count() >= BURST
}

pub(super) fn may_be_true(exchange: &Exchange) -> bool {
    let max_round_trip = Config::default().max_round_trip;
    let elapsed = exchange.client_received - exchange.client_sent;
    let are_valid = exchange.client_sent.is_valid() && exchange.client_received.is_valid();
    are_valid && (Span::ZERO..=max_round_trip).contains(&elapsed) && exchange.hold() >= Span::ZERO
}

/// Recordings of a link are replayed with a linked client.
enum Replayed {
    Plain(Client),
    Linked(LinkedClient),
}

macro_rules! of_either {
    ($replayed:expr, $client:ident => $result:expr) => {
        match $replayed {
            Replayed::Plain($client) => $result,
            Replayed::Linked($client) => $result,
        }
    };
}

impl Replayed {
    fn client(&self) -> &Client {
        of_either!(self, client => client)
    }

    fn link(&mut self) -> Result<()> {
        if let Replayed::Plain(client) = self {
            // Any key will do, because recordings contain no sealed datagrams.
            let key = SessionKey::new(1, [1; 16])?;
            // Leave a placeholder, because the client has to be moved into the link.
            let client = std::mem::replace(client, Client::new(Config::default(), 1)?);
            *self = Replayed::Linked(LinkedClient::new(client, &key, ClientLinkConfig::default())?);
        }
        Ok(())
    }

    fn learn(&mut self, it: &Sample, exchange: &Exchange) -> Result<(), Refusal> {
        match self {
            Replayed::Linked(linked) if it.by_link => linked.replay(exchange, it.server_epoch),
            other => of_either!(other, client => client.handle_exchange(exchange, it.server_epoch)),
        }
    }

    fn set_authority(&mut self, to: &Authority, now: LocalTime) {
        // If this client rejects the authority, the recorded client did so too.
        let _ = of_either!(self, client => client.set_authority(to, now));
    }
}

struct Replayer {
    client: Replayed,
    watch: LatencyWatch,
    now: Option<LocalTime>,
    /// An authority that was announced before the first exchange. The time of this announcement is unknown
    /// until the first exchange.
    early_authority: Option<Authority>,
    index: usize,
    handled: usize,
    next: usize,
    rerun: Rerun,
}

impl Replayer {
    /// If this exchange starts a burst, a preceding gap of more than `local_gap` was a pause.
    fn exchange(&mut self, recorded: &Recorded, local_gap: Option<Span>) {
        let Recorded { line, sample, has_status } = recorded;
        (self.index, self.next) = (self.next, self.next + 1);
        let Some(exchange) = sample.exchange() else {
            self.handled = self.index;
            self.rerun.left_out += 1;
            self.rerun.outcomes.push(sample.outcome);
            return;
        };
        if sample.by_link {
            self.client.link().expect("there is memory for a link");
        }
        // Exchanges that were rejected for other reasons may have arbitrary timestamps.
        let is_recorded_usable = matches!(sample.outcome, Ok(()) | Err(Refusal::Contradiction));
        if is_recorded_usable && may_be_true(&exchange) {
            let before =
                self.now.filter(|&now| local_gap.is_some_and(|gap| exchange.client_sent - now > gap));
            if let Some(before) = before {
                let after = exchange.client_sent;
                let is_known = self.rerun.pauses.last().is_some_and(|last| last.after > before);
                if !is_known {
                    self.rerun.pauses.push(Pause { before, after, is_noted: false });
                }
                self.call(exchange.client_sent);
            }
            self.pass(exchange.client_received);
            if let (Some(authority), Some(now)) = (self.early_authority.take(), self.now) {
                self.client.set_authority(&authority, now);
            }
        }
        self.handled = self.index;
        let outcome = self.client.learn(sample, &exchange);
        self.rerun.accepted += usize::from(outcome.is_ok());
        self.rerun.outcomes.push(outcome);
        if *has_status && outcome != sample.outcome {
            let (recorded, now) = (recording::name(sample.outcome), recording::name(outcome));
            self.rerun.differing += 1;
            if self.rerun.differences.len() < MOST_DIFFERENCES {
                self.rerun.differences.push(Difference { line: *line, recorded, now });
            }
        }
        if let (Some(now), Ok(())) = (self.now, outcome) {
            self.learn(now);
        }
        self.note_events();
    }

    fn announced(&mut self, announced: &Announced) {
        if let Announcement::Paused { since: before } = announced.what {
            // The burst after the pause may already have been replayed.
            if self.rerun.pauses.last().is_some_and(|last| last.after > before) {
                self.rerun.pauses.pop();
            }
            self.rerun.pauses.push(Pause { before, after: announced.at, is_noted: true });
        }
        let Announcement::Authority(authority) = &announced.what else { return };
        let Some(now) = self.now else {
            self.early_authority = Some(*authority);
            return;
        };
        self.client.set_authority(authority, now);
        self.note_events();
    }

    fn pass(&mut self, arrived: LocalTime) {
        let Some(mut now) = self.now else {
            self.now = Some(arrived);
            return;
        };
        // A reply may be handled late, in which case `arrived` is slightly before `now`.
        if arrived - now < PAUSE {
            while arrived - now > CALLS_APART {
                now += CALLS_APART;
                self.call(now);
            }
        }
        self.call(arrived);
        self.now = Some(if now - arrived < CALLS_APART { now.max(arrived) } else { arrived });
    }

    fn call(&mut self, now: LocalTime) {
        let _request = of_either!(&mut self.client, client => client.tick(now));
        if self.client.client().is_time_synced() && self.now.is_none_or(|last| last < now) {
            self.note_moment(now);
        }
        self.now = Some(now);
        self.note_events();
    }

    fn learn(&mut self, now: LocalTime) {
        self.note_moment(now);
        // Ignore delays that the watch rejects.
        self.watch.follow(self.client.client());
        while let Some(change) = self.watch.next_change() {
            self.rerun.changes.push(change);
        }
    }

    fn note_moment(&mut self, local: LocalTime) {
        let reading = self.client.client().read(local);
        self.rerun.moments.push(Moment { index: self.handled, local, reading });
    }

    fn note_events(&mut self) {
        let Some(now) = self.now else { return };
        while let Some(event) = of_either!(&mut self.client, client => client.next_event()) {
            self.rerun.events.push(TimedEvent { index: self.index, local: now, event });
        }
    }
}

#[cfg(test)]
mod tests {
    use netclock::{Cause, RequestId};

    use super::*;

    const SECOND: i64 = 10_000_000;

    fn exchange(at: i64, epoch: u64) -> Recorded {
        let (sent, way) = (at * SECOND, SECOND / 50);
        let stamps = [sent, sent + way, sent + way, sent + 2 * way];
        let mut recorded = Recorded { has_status: true, ..Recorded::foreign(at as usize + 3, stamps) };
        (recorded.sample.id, recorded.sample.server_epoch) = (Some(RequestId(at as u64 + 1)), Some(epoch));
        recorded
    }

    fn authority(epoch: u64, after: usize) -> Announced {
        let authority = Authority { epoch, timescale: 9, dispersion: Span::from_millis(1) };
        let at = LocalTime::from_ticks(after as i64 * SECOND);
        Announced { at, after, what: Announcement::Authority(authority) }
    }

    fn events(announced: &[Announced]) -> Vec<Event> {
        let recorded: Vec<Recorded> = (0..40).map(|at| exchange(at, if at < 20 { 7 } else { 8 })).collect();
        let rerun = rerun(&recorded, announced, None).expect("valid settings");
        assert!(rerun.differing == 0, "{:?}", rerun.differences);
        rerun.events.iter().map(|it| it.event).filter(|event| *event != Event::Synced).collect()
    }

    #[test]
    fn a_recorded_handover_is_replayed() {
        let is_restart =
            |event: &Event| matches!(event, Event::Discontinuity { cause: Cause::ServerRestart, .. });
        assert!(matches!(&events(&[])[..], [event] if is_restart(event)), "{:?}", events(&[]));
        // The first server's authority may be known before its first reply.
        for first in [0, 5] {
            let events = events(&[authority(7, first), authority(8, 20)]);
            assert!(events.contains(&Event::HandedOver), "{events:?}");
            assert!(!events.iter().any(is_restart), "{events:?}");
        }
    }
}
