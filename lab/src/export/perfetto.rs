//! A trace for Perfetto (ui.perfetto.dev) from recorded sessions.
//!
//! The timeline is the server's clock. Each client's timestamps are placed on it by the offset that was
//! measured in hindsight, so one trace can show several machines. The field numbers are from Perfetto's
//! published `perfetto_trace.proto`.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use netclock::{LocalTime, Reading, ServerTime};

use super::protobuf::Message;
use crate::net::sync::events::describe;
use crate::recording::{self, Announced};
use crate::report::session::evaluation::Evaluation;
use crate::report::words::finite_ms;

/// Fields of `Trace` and `TracePacket`.
const PACKET: u32 = 1;
const TIMESTAMP: u32 = 8;
const SEQUENCE: u32 = 10;
const TRACK_EVENT: u32 = 11;
const TRACK_DESCRIPTOR: u32 = 60;
/// Fields of `TrackDescriptor`, `ProcessDescriptor` and `CounterDescriptor`.
const UUID: u32 = 1;
const TRACK_NAME: u32 = 2;
const PROCESS: u32 = 3;
const PARENT: u32 = 5;
const COUNTER: u32 = 8;
const PID: u32 = 1;
const PROCESS_NAME: u32 = 6;
const UNIT_NAME: u32 = 6;
/// Fields of `TrackEvent` and `DebugAnnotation`.
const ANNOTATION: u32 = 4;
const KIND: u32 = 9;
const TRACK: u32 = 11;
const EVENT_NAME: u32 = 23;
const COUNTER_VALUE: u32 = 44;
const FLOWS: u32 = 47;
const ANNOTATION_TEXT: u32 = 6;
const ANNOTATION_NAME: u32 = 10;

const INSTANT: u64 = 3;
const COUNT: u64 = 4;

const NS_PER_TICK: i64 = 100;
/// The trace begins this long before the first timestamp, because Perfetto has no negative times (ticks).
const MARGIN: i64 = 10_000_000;
/// The track numbers of each client start at a multiple of this.
const TRACKS: u64 = 16;

/// Something in the trace, at a time on the timeline (ticks).
type Event = (i64, Message);

/// The timestamps of an exchange, in order.
const STAMPS: [&str; 4] = ["request sent", "request received", "reply sent", "reply received"];
/// A counter: its name, its unit, and its value at a reading; `None` if nothing is promised.
type Counter = (&'static str, &'static str, fn(&Reading) -> Option<f64>);
const COUNTERS: [Counter; 3] = [
    ("error bound", "ms", |reading| finite_ms(reading.error_bound)),
    ("expected error", "ms", |reading| finite_ms(reading.expected_error)),
    ("rate", "ppm", |reading| Some(reading.frequency_ppm)),
];
/// The first counter has the track with this number.
const FIRST_COUNTER: u64 = 2;

/// The trace of sessions with one server.
pub(super) fn trace(sessions: &[Evaluation]) -> Result<Vec<u8>> {
    let mut packets = vec![track(&process(1, "server"), 1)];
    let (mut run, mut clients) = (None, Vec::new());
    for (number, session) in (1..).zip(sessions) {
        describe_tracks(number, &session.name, &mut packets);
        let line = Timeline::of(session);
        let mut events = Client { number, line: &line, session }.events();
        let known = line.first.filter(|_| !events.is_empty());
        let first = known.with_context(|| {
            format!("{} has no accepted exchange, so its offset is unknown", session.name)
        })?;
        ensure!(
            *run.get_or_insert(first) == first,
            "the recordings begin with different runs of a server's clock; export those of one server \
             together"
        );
        events.sort_by_key(|event| event.0);
        clients.push(events);
    }
    let earliest = clients.iter().filter_map(|events| events.first()).map(|event| event.0).min();
    let zero = earliest.unwrap_or(0) - MARGIN;
    packets.extend(clients.iter().flatten().map(|(at, message)| {
        let ns = (at - zero) * NS_PER_TICK;
        let packet = Message::new().number(TIMESTAMP, ns as u64).number(SEQUENCE, 1);
        packet.message(TRACK_EVENT, message)
    }));
    let all = packets.iter().fold(Message::new(), |all, packet| all.message(PACKET, packet));
    Ok(all.bytes().to_vec())
}

/// The clock of the server's first run. Later runs are placed by the client's local clock.
#[derive(Debug, Default)]
struct Timeline {
    /// The first run; `None` if no run is known.
    first: Option<u64>,
    /// What is added to the time of each run (ticks).
    shifts: BTreeMap<u64, i64>,
}

impl Timeline {
    fn of(session: &Evaluation) -> Self {
        let Evaluation { reference, rerun, .. } = session;
        let mut line = Timeline::default();
        // The newest run, and its offset at its newest reading.
        let mut newest: Option<(u64, Option<i64>)> = None;
        for moment in &rerun.moments {
            let epoch = moment.reading.server_epoch;
            let offset = |epoch| reference.at(epoch, moment.index, moment.local).map(|it| it.estimate);
            match newest {
                None => {
                    line.shifts.insert(epoch, 0);
                    line.first = Some(epoch);
                }
                Some((before, known)) if !line.shifts.contains_key(&epoch) => {
                    let from = offset(before).or(known).zip(line.shifts.get(&before));
                    if let Some(((from, shift), to)) = from.zip(offset(epoch)) {
                        line.shifts.insert(epoch, shift + from - to);
                    }
                }
                Some(_) => {}
            }
            if line.shifts.contains_key(&epoch) {
                let known = newest.filter(|newest| newest.0 == epoch).and_then(|newest| newest.1);
                newest = Some((epoch, offset(epoch).or(known)));
            }
        }
        line
    }

    fn of_server(&self, epoch: u64, ticks: i64) -> Option<i64> {
        ticks.checked_add(*self.shifts.get(&epoch)?)
    }
}

fn process(number: u64, name: &str) -> Message {
    let process = Message::new().number(PID, number).text(PROCESS_NAME, name);
    Message::new().number(UUID, number).message(PROCESS, &process)
}

fn track(descriptor: &Message, sequence: u64) -> Message {
    Message::new().number(SEQUENCE, sequence).message(TRACK_DESCRIPTOR, descriptor)
}

/// A client's tracks: the client itself, its events, and its counters.
fn describe_tracks(client: u64, name: &str, packets: &mut Vec<Message>) {
    let first = client * TRACKS;
    packets.push(track(&process(first, name), 1));
    let child = |number: u64, name: &str| {
        Message::new().number(UUID, first + number).text(TRACK_NAME, name).number(PARENT, first)
    };
    packets.push(track(&child(1, "clock events"), 1));
    for (number, (name, unit, _)) in (FIRST_COUNTER..).zip(COUNTERS) {
        let counter = Message::new().text(UNIT_NAME, unit);
        packets.push(track(&child(number, name).message(COUNTER, &counter), 1));
    }
}

fn instant(track: u64, name: &str) -> Message {
    Message::new().number(KIND, INSTANT).number(TRACK, track).text(EVENT_NAME, name)
}

/// A client in a trace. Its track numbers start at [`TRACKS`] times its own number.
struct Client<'a> {
    /// From 1.
    number: u64,
    line: &'a Timeline,
    session: &'a Evaluation,
}

impl Client<'_> {
    /// The events of its session.
    fn events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        self.stamps(&mut events);
        self.counters(&mut events);
        self.told(&mut events);
        events
    }

    /// Converts a local time to the clock of this run.
    fn local(&self, epoch: u64, index: usize, local: LocalTime) -> Option<i64> {
        let offset = self.session.reference.at(epoch, index, local)?.estimate;
        self.line.of_server(epoch, local.ticks().checked_add(offset)?)
    }

    /// Adds the four timestamps of each exchange, and what servers announced before it.
    fn stamps(&self, events: &mut Vec<Event>) {
        let (session, line, first) = (self.session, self.line, self.number * TRACKS);
        let mut announced = session.recording.announced.iter().peekable();
        // The run named by the newest exchange.
        let mut named = line.first.unwrap_or(0);
        let announce = |named: u64, index: usize, it: &Announced, events: &mut Vec<Event>| {
            // The previous exchange names the server's clock.
            let at = self.local(named, index.saturating_sub(1), it.at);
            let message = || annotated(instant(first + 1, it.what.name()), "meaning", &it.what.words());
            events.extend(at.map(|at| (at, message())));
        };
        for (index, it) in session.recording.exchanges.iter().enumerate() {
            while let Some(it) = announced.next_if(|it| it.after <= index) {
                announce(named, index, it, events);
            }
            named = it.sample.server_epoch.unwrap_or(named);
            let Some(exchange) = it.sample.exchange() else { continue };
            let local = |time| self.local(named, index, time);
            let server = |time: ServerTime| line.of_server(named, time.ticks());
            // The server's own timestamps are the two in the middle.
            let stamps = [
                (first, local(exchange.client_sent)),
                (1, server(exchange.server_received)),
                (1, server(exchange.server_sent)),
                (first, local(exchange.client_received)),
            ];
            for ((track, at), name) in stamps.into_iter().zip(STAMPS) {
                let message = instant(track, name).fixed(FLOWS, self.number << 40 | (index as u64 + 1));
                let message = annotated(message, "result", recording::name(it.sample.outcome));
                events.extend(at.map(|at| (at, message)));
            }
        }
        announced.for_each(|it| announce(named, session.recording.exchanges.len(), it, events));
    }

    fn counters(&self, events: &mut Vec<Event>) {
        for moment in &self.session.rerun.moments {
            let at = self.local(moment.reading.server_epoch, moment.index, moment.local);
            let Some(at) = at else { continue };
            for (number, (.., value)) in (FIRST_COUNTER..).zip(COUNTERS) {
                let Some(value) = value(&moment.reading) else { continue };
                let track = self.number * TRACKS + number;
                let message = Message::new().number(KIND, COUNT).number(TRACK, track);
                events.push((at, message.double(COUNTER_VALUE, value)));
            }
        }
    }

    fn told(&self, events: &mut Vec<Event>) {
        let moments = &self.session.rerun.moments;
        for happened in &self.session.rerun.events {
            let after = moments.partition_point(|moment| moment.local < happened.local);
            let Some(moment) = moments.get(after).or(moments.last()) else { continue };
            let at = self.local(moment.reading.server_epoch, happened.index, happened.local);
            let described = describe(&happened.event);
            let message = instant(self.number * TRACKS + 1, &described.event);
            let message = annotated(message, "meaning", &described.meaning);
            events.extend(at.map(|at| (at, message)));
        }
    }
}

fn annotated(message: Message, name: &str, text: &str) -> Message {
    let annotation = Message::new().text(ANNOTATION_NAME, name).text(ANNOTATION_TEXT, text);
    message.message(ANNOTATION, &annotation)
}
