//! The clock and the world of a demo's server, which are the truth: what happens to them, and when clients
//! may judge by them.

use anyhow::{Result, bail};
use netclock::{Span, TICKS_PER_SECOND};
use serde_json::Value;

use super::audience::Audience;
use super::plan::{LONGEST_PAUSE_S, LONGEST_SLOW_S};
use super::protocol::Order;
use super::record::{Record, What};
use crate::net::clock::{self, MachineTime};
use crate::net::script::{Kind, Part, Script};

/// How far ahead clients know that no script changes.
const HORIZON: Span = Span::from_millis(250);
/// Time between such promises.
const SETTLE_EVERY: Span = Span::from_millis(50);
/// Delay from the promise to a change of the server's world, so that the server and the clients know in time.
const SOON: Span = Span::from_millis(200);
/// Why a world does not change.
pub(super) const NOT_NOW: &str = "the server's world cannot change at this moment";

/// The clock and the world of a server.
struct Truth {
    epoch: u64,
    start: MachineTime,
    script: Script,
    /// The last beat reported.
    beat: i64,
}

/// The truth about the newest server, and how it changes.
pub(super) struct World {
    truth: Option<Truth>,
    /// Coming events of the world: the time, a short name, and a sentence.
    news: Vec<(MachineTime, &'static str, &'static str)>,
    /// The script that the server was asked to switch to, until it answers.
    change: Option<Script>,
    /// The clients know that no script changes before this instant.
    settled: MachineTime,
}

impl World {
    pub(super) fn new() -> Self {
        World { truth: None, news: Vec::new(), change: None, settled: clock::now() }
    }

    /// A server has started, as its first line states.
    pub(super) fn serve(&mut self, line: &Value) -> Result<()> {
        let epoch = line["epoch"].as_str().and_then(|text| text.strip_prefix("0x"));
        let epoch = epoch.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let start = line["start_ticks"].as_i64().map(MachineTime::from_ticks);
        let (Some(epoch), Some(start), Some(world)) = (epoch, start, line["world"].as_str()) else {
            bail!("no epoch, start and world in `{line}`")
        };
        self.truth = Some(Truth { epoch, start, script: world.parse()?, beat: 0 });
        Ok(())
    }

    /// The server was killed: nothing more happens to its world. Its clock stays the truth.
    pub(super) fn end(&mut self) {
        self.news.clear();
        self.change = None;
    }

    /// Finds the coming events of a new world. Returns what the clients have to know about it.
    pub(super) fn begin(&mut self, record: &Record) -> Option<Order> {
        let Truth { epoch, start, script, .. } = self.truth.as_ref()?;
        let end = Span::from_secs(record.plan.seconds.into()) - (*start - record.start);
        let news = script.parts_until(end).into_iter().filter(|part| *start + part.at > clock::now());
        let news = news.flat_map(|part| {
            let (begins, ends) = match part.kind {
                Kind::Pause => (
                    "the server's world pauses: a client hears of it one delay late, and stands still until \
                     the world caught up",
                    "the server's world continues",
                ),
                Kind::Slow => (
                    "the server's world slows down to a fifth: clients get a few straight lines a second",
                    "the server's world runs at its normal rate",
                ),
            };
            let from = *start + part.at;
            [(from, part.kind.name(), begins), (from + part.length, "normal rate", ends)]
        });
        self.news = news.collect();
        Some(Order::Truth { epoch: *epoch, start_ticks: start.ticks(), world: script.to_string() })
    }

    /// Notes the events that have just happened.
    pub(super) fn note_events(&mut self, audience: &mut Audience) {
        let now = clock::now();
        let (past, later) = std::mem::take(&mut self.news).into_iter().partition(|(at, ..)| *at <= now);
        self.news = later;
        for (at, name, words) in past {
            audience.note(at - audience.record.start, None, What::Said(name, words.to_owned()));
        }
    }

    /// The script that the server is asked to switch to, a little later.
    pub(super) fn change(&mut self, kind: Kind) -> Result<&Script, &'static str> {
        let (Some(truth), None) = (&self.truth, &self.change) else { return Err(NOT_NOW) };
        let at = clock::now().max(self.settled) + SOON - truth.start;
        let length = Span::from_secs_f64(match kind {
            Kind::Pause => LONGEST_PAUSE_S,
            Kind::Slow => LONGEST_SLOW_S,
        });
        let script = truth.script.with(Part { kind, at, length });
        let script = script.map_err(|_| "the server's world pauses or slows down already")?;
        Ok(self.change.insert(script))
    }

    /// The server switched to the other script, or refused. True if the world is new.
    pub(super) fn changed(&mut self, is_taken: bool) -> bool {
        let (Some(script), Some(truth), true) = (self.change.take(), &mut self.truth, is_taken) else {
            return false;
        };
        truth.script = script;
        true
    }

    /// Promises the clients that no script changes for a moment, so that they can judge their reads.
    pub(super) fn settle(&mut self) -> Option<Order> {
        let until = clock::now() + HORIZON;
        (self.change.is_none() && until - self.settled >= SETTLE_EVERY).then(|| {
            self.settled = until;
            Order::Settled { until: until.ticks() }
        })
    }

    /// Reports when the server's own clock passes a beat, the truth for the clients' beats.
    pub(super) fn beat(&mut self, audience: &Audience) {
        let Some(truth) = &mut self.truth else { return };
        let number = (clock::now() - truth.start).ticks() / TICKS_PER_SECOND;
        if number > truth.beat {
            truth.beat = number;
            audience.beat(None, truth.start + Span::from_secs(number), number);
        }
    }
}
