//! Converts recorded sessions to Chrome's JSON trace format for Perfetto (ui.perfetto.dev).
//!
//! The timeline is the server's clock. Client timestamps are converted with the offset measured in hindsight,
//! so that one trace can combine several machines.

use std::borrow::Cow;
use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use netclock::{LocalTime, Reading, ServerTime};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::net::sync::events::describe;
use crate::recording::{self, Announced};
use crate::report::{Evaluation, finite_ms};

const MARGIN: i64 = 10_000_000;
const TICKS_PER_US: f64 = 10.0;
const SERVER: usize = 1;

#[derive(Serialize)]
pub(super) struct Trace {
    #[serde(rename = "traceEvents")]
    events: Vec<Event>,
}

#[derive(Clone, Serialize)]
struct Event {
    #[serde(rename = "ph")]
    phase: char,
    name: Cow<'static, str>,
    pid: usize,
    tid: usize,
    #[serde(rename = "ts", serialize_with = "us")]
    at: i64,
    #[serde(rename = "dur", skip_serializing_if = "Option::is_none")]
    length_us: Option<f64>,
    /// The id of the event's flow, which Perfetto draws as a chain of arrows. All events of a flow need the
    /// same category.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    /// "e" attaches the arrow to the enclosing slice.
    #[serde(rename = "bp", skip_serializing_if = "Option::is_none")]
    binds: Option<&'static str>,
    cat: &'static str,
    #[serde(serialize_with = "object")]
    args: (&'static str, Value),
}

fn us<S: Serializer>(ticks: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(*ticks as f64 / TICKS_PER_US)
}

fn object<S: Serializer>(pair: &(&'static str, Value), serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map([(pair.0, &pair.1)])
}

impl Event {
    /// Creates a slice of one tick, because arrows cannot connect instants.
    fn point(pid: usize, name: impl Into<Cow<'static, str>>, at: i64, args: (&'static str, Value)) -> Self {
        Event {
            phase: 'X',
            name: name.into(),
            pid,
            tid: pid,
            at,
            length_us: Some(1.0 / TICKS_PER_US),
            id: None,
            binds: None,
            cat: "clock",
            args,
        }
    }

    fn process(pid: usize, name: &str) -> Self {
        let args = ("name", name.into());
        Event { phase: 'M', length_us: None, ..Event::point(pid, "process_name", 0, args) }
    }
}

const STAMPS: [(&str, char); 4] =
    [("request sent", 's'), ("request received", 't'), ("reply sent", 't'), ("reply received", 'f')];
/// A counter's name, its unit, and a function that returns the counter's value (`None` if unbounded).
type Counter = (&'static str, &'static str, fn(&Reading) -> Option<f64>);
const COUNTERS: [Counter; 3] = [
    ("error bound", "ms", |reading| finite_ms(reading.error_bound)),
    ("expected error", "ms", |reading| finite_ms(reading.expected_error)),
    ("rate", "ppm", |reading| Some(reading.frequency_ppm)),
];

pub(super) fn trace(sessions: &[Evaluation]) -> Result<Trace> {
    let (mut run, mut events) = (None, Vec::new());
    for (pid, session) in (SERVER + 1..).zip(sessions) {
        let line = Timeline::of(session);
        let client = client_events(pid, &line, session);
        let known = line.first.filter(|_| !client.is_empty());
        let first = known.with_context(|| {
            format!("no exchange in {} was accepted, so its offset is unknown", session.name)
        })?;
        ensure!(
            *run.get_or_insert(first) == first,
            "the recordings start with different server epochs; only export recordings of the same server \
             together"
        );
        events.extend(client);
    }
    let zero = events.iter().map(|event| event.at).min().unwrap_or(0) - MARGIN;
    events.iter_mut().for_each(|event| event.at -= zero);
    let clients = sessions.iter().map(|session| session.name.as_str());
    events.extend(
        (SERVER..).zip(["server"].into_iter().chain(clients)).map(|(pid, name)| Event::process(pid, name)),
    );
    Ok(Trace { events })
}

#[derive(Debug, Default)]
struct Timeline {
    first: Option<u64>,
    /// For each epoch, the offset between the timeline and the server's time (ticks).
    shifts: BTreeMap<u64, i64>,
}

impl Timeline {
    fn of(session: &Evaluation) -> Self {
        let Evaluation { reference, rerun, .. } = session;
        let mut line = Timeline::default();
        let mut newest = None;
        for moment in &rerun.moments {
            let epoch = moment.reading.server_epoch;
            let offset = |epoch| reference.at(epoch, moment.index, moment.local).map(|it| it.estimate);
            if let Some(before) = newest.filter(|_| !line.shifts.contains_key(&epoch)) {
                let shift = line.shifts.get(&before).copied();
                if let Some(((shift, from), to)) = shift.zip(offset(before)).zip(offset(epoch)) {
                    line.shifts.insert(epoch, shift + from - to);
                }
            } else if newest.is_none() {
                line.shifts.insert(epoch, 0);
                line.first = Some(epoch);
            }
            newest = Some(epoch).filter(|it| line.shifts.contains_key(it)).or(newest);
        }
        line
    }

    fn of_server(&self, epoch: u64, ticks: i64) -> Option<i64> {
        ticks.checked_add(*self.shifts.get(&epoch)?)
    }
}

fn client_events(client: usize, line: &Timeline, session: &Evaluation) -> Vec<Event> {
    let Evaluation { reference, rerun, recording, .. } = session;
    let local = |epoch: u64, index: usize, local: LocalTime| {
        let offset = reference.at(epoch, index, local)?.estimate;
        line.of_server(epoch, local.ticks().checked_add(offset)?)
    };
    let mut events = Vec::new();
    let mut announced = recording.announced.iter().peekable();
    let mut named = line.first.unwrap_or(0);
    let announce = |named: u64, index: usize, it: &Announced, events: &mut Vec<Event>| {
        // Announcements do not contain an epoch, so we use the epoch of the previous exchange.
        let at = local(named, index.saturating_sub(1), it.at);
        let event = |at| Event::point(client, it.what.name(), at, ("meaning", it.what.words().into()));
        events.extend(at.map(event));
    };
    for (index, it) in recording.exchanges.iter().enumerate() {
        while let Some(it) = announced.next_if(|it| it.after <= index) {
            announce(named, index, it, &mut events);
        }
        named = it.sample.server_epoch.unwrap_or(named);
        let Some(exchange) = it.sample.exchange() else { continue };
        let server = |time: ServerTime| line.of_server(named, time.ticks());
        let stamps = [
            (client, local(named, index, exchange.client_sent)),
            (SERVER, server(exchange.server_received)),
            (SERVER, server(exchange.server_sent)),
            (client, local(named, index, exchange.client_received)),
        ];
        let result = recording::name(it.sample.outcome);
        for ((pid, at), (name, phase)) in stamps.into_iter().zip(STAMPS) {
            let Some(at) = at else { continue };
            let point = Event::point(pid, name, at, ("result", result.into()));
            let (id, name) = (Some(client << 32 | index), "exchange".into());
            let arrow = Event { phase, name, id, binds: Some("e"), length_us: None, ..point.clone() };
            events.extend([point, arrow]);
        }
    }
    announced.for_each(|it| announce(named, recording.exchanges.len(), it, &mut events));
    for moment in &rerun.moments {
        let at = local(moment.reading.server_epoch, moment.index, moment.local);
        for (name, unit, value) in COUNTERS {
            let Some((at, value)) = at.zip(value(&moment.reading)) else { continue };
            let counter = Event::point(client, name, at, (unit, value.into()));
            events.push(Event { phase: 'C', length_us: None, ..counter });
        }
    }
    for happened in &rerun.events {
        let after = rerun.moments.partition_point(|moment| moment.local < happened.local);
        let Some(moment) = rerun.moments.get(after).or(rerun.moments.last()) else { continue };
        let at = local(moment.reading.server_epoch, happened.index, happened.local);
        let described = describe(&happened.event);
        let event = |at| Event::point(client, described.event, at, ("meaning", described.meaning.into()));
        events.extend(at.map(event));
    }
    events
}
