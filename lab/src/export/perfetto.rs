//! A trace for Perfetto (ui.perfetto.dev) from recorded sessions.
//!
//! The timeline is the server's clock: the stamps of each client are put there by its measured offset, in hindsight. So one trace
//! shows several machines. The field numbers are those of Perfetto's published `perfetto_trace.proto`.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Context, Result, ensure};
use netclock::LocalTime;

use super::protobuf::Message;
use crate::inspect::look::Look;
use crate::net::sync::events::describe;
use crate::recording::{self, Recorded};

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
/// The trace begins this long before the first stamp, because Perfetto knows no negative times (ticks).
const MARGIN: i64 = 10_000_000;
/// Tracks of each client have numbers from a multiple of this.
const TRACKS: u64 = 16;

/// A session of one client, looked at.
pub(super) struct Session {
    pub(super) look: Look,
    pub(super) recorded: Vec<Recorded>,
}

/// Something in the trace, at a time of the timeline (ticks).
struct Event {
    at: i64,
    message: Message,
}

/// Writes one trace of several sessions.
///
/// # Errors
/// The sessions are about different servers, or nothing can be written.
pub(super) fn write(sessions: &[Session], out: &mut impl Write) -> Result<()> {
    let lines: Vec<Timeline> = sessions.iter().filter_map(Timeline::new).collect();
    ensure!(
        lines.len() == sessions.len(),
        "a recording has no accepted exchange, so nothing is known of its offset"
    );
    let first = lines.first().context("there is nothing to export")?.first;
    ensure!(
        lines.iter().all(|line| line.first == first),
        "the recordings begin with different runs of a server's clock; export those of one server together"
    );
    let mut packets = vec![track(&process(1, "server"), 1)];
    let mut events = Vec::new();
    for ((number, session), line) in (1..).zip(sessions).zip(&lines) {
        describe_tracks(number, &session.look.name, &mut packets);
        exchanges(number, session, line, &mut events);
        counters(number, session, line, &mut events);
        told(number, session, line, &mut events);
        announced(number, session, line, &mut events);
    }
    events.sort_by_key(|event| event.at);
    let zero = events.first().map_or(0, |event| event.at) - MARGIN;
    packets.extend(events.iter().map(|event| {
        let ns = (event.at - zero) * NS_PER_TICK;
        Message::new().number(TIMESTAMP, ns as u64).number(SEQUENCE, 1).message(TRACK_EVENT, &event.message)
    }));
    for packet in &packets {
        out.write_all(Message::new().message(PACKET, packet).bytes())?;
    }
    Ok(())
}

/// The clock of the first run of the server. Later runs are put where the local clock says that they are.
struct Timeline {
    first: u64,
    /// What to add to the time of each run (ticks).
    shifts: BTreeMap<u64, i64>,
}

impl Timeline {
    fn new(session: &Session) -> Option<Self> {
        let reference = &session.look.reference;
        let mut timeline: Option<Timeline> = None;
        for moment in &session.look.rerun.moments {
            let epoch = moment.reading.server_epoch;
            let offset = |epoch| reference.at(epoch, moment.index, moment.local);
            match &mut timeline {
                None => timeline = Some(Timeline { first: epoch, shifts: BTreeMap::from([(epoch, 0)]) }),
                Some(known) if !known.shifts.contains_key(&epoch) => {
                    if let Some((from, to)) = offset(known.first).zip(offset(epoch)) {
                        known.shifts.insert(epoch, from - to);
                    }
                }
                Some(_) => {}
            }
        }
        timeline
    }

    fn of_server(&self, epoch: u64, ticks: i64) -> Option<i64> {
        ticks.checked_add(*self.shifts.get(&epoch)?)
    }

    fn of_client(&self, session: &Session, epoch: u64, index: usize, local: LocalTime) -> Option<i64> {
        self.of_server(epoch, local.ticks().checked_add(session.look.reference.at(epoch, index, local)?)?)
    }
}

fn process(number: u64, name: &str) -> Message {
    let process = Message::new().number(PID, number).text(PROCESS_NAME, name);
    Message::new().number(UUID, number).message(PROCESS, &process)
}

fn track(descriptor: &Message, sequence: u64) -> Message {
    Message::new().number(SEQUENCE, sequence).message(TRACK_DESCRIPTOR, descriptor)
}

/// The tracks of a client: itself, its events, and its counters.
fn describe_tracks(client: u64, name: &str, packets: &mut Vec<Message>) {
    let first = client * TRACKS;
    packets.push(track(&process(first, name), 1));
    let child = |number: u64, name: &str| {
        Message::new().number(UUID, first + number).text(TRACK_NAME, name).number(PARENT, first)
    };
    packets.push(track(&child(1, "clock events"), 1));
    for (number, name, unit) in [(2, "error bound", "ms"), (3, "expected error", "ms"), (4, "rate", "ppm")] {
        let counter = Message::new().text(UNIT_NAME, unit);
        packets.push(track(&child(number, name).message(COUNTER, &counter), 1));
    }
}

fn instant(track: u64, name: &str) -> Message {
    Message::new().number(KIND, INSTANT).number(TRACK, track).text(EVENT_NAME, name)
}

/// The four stamps of each exchange, with arrows from one to the next.
fn exchanges(client: u64, session: &Session, line: &Timeline, events: &mut Vec<Event>) {
    let mut epoch = line.first;
    for (index, it) in session.recorded.iter().enumerate() {
        epoch = it.sample.server_epoch.unwrap_or(epoch);
        let Some(exchange) = it.sample.exchange() else { continue };
        let local = |time| line.of_client(session, epoch, index, time);
        let server = |time: netclock::ServerTime| line.of_server(epoch, time.ticks());
        let stamps = [
            (client * TRACKS, "request sent", local(exchange.client_sent)),
            (1, "request received", server(exchange.server_received)),
            (1, "reply sent", server(exchange.server_sent)),
            (client * TRACKS, "reply received", local(exchange.client_received)),
        ];
        let flow = client << 40 | (index as u64 + 1);
        let result = Message::new()
            .text(ANNOTATION_NAME, "result")
            .text(ANNOTATION_TEXT, recording::name(it.sample.outcome));
        for (track, name, at) in stamps {
            let message = instant(track, name).fixed(FLOWS, flow).message(ANNOTATION, &result);
            events.extend(at.map(|at| Event { at, message }));
        }
    }
}

fn counters(client: u64, session: &Session, line: &Timeline, events: &mut Vec<Event>) {
    for moment in &session.look.rerun.moments {
        let reading = &moment.reading;
        let Some(at) = line.of_client(session, reading.server_epoch, moment.index, moment.local) else {
            continue;
        };
        let finite = |span: netclock::Span| (span != netclock::Span::MAX).then(|| span.as_millis_f64());
        let values =
            [finite(reading.error_bound), finite(reading.expected_error), Some(reading.frequency_ppm)];
        for (number, value) in (2..).zip(values) {
            let Some(value) = value else { continue };
            let message = Message::new().number(KIND, COUNT).number(TRACK, client * TRACKS + number);
            events.push(Event { at, message: message.double(COUNTER_VALUE, value) });
        }
    }
}

fn told(client: u64, session: &Session, line: &Timeline, events: &mut Vec<Event>) {
    for happened in &session.look.rerun.events {
        let moments = &session.look.rerun.moments;
        let after = moments.partition_point(|moment| moment.local < happened.local);
        let Some(moment) = moments.get(after).or(moments.last()) else { continue };
        let at = line.of_client(session, moment.reading.server_epoch, happened.index, happened.local);
        let described = describe(&happened.event);
        let meaning =
            Message::new().text(ANNOTATION_NAME, "meaning").text(ANNOTATION_TEXT, &described.meaning);
        let message = instant(client * TRACKS + 1, &described.event).message(ANNOTATION, &meaning);
        events.extend(at.map(|at| Event { at, message }));
    }
}

/// What servers announced, at its arrival.
fn announced(client: u64, session: &Session, line: &Timeline, events: &mut Vec<Event>) {
    for it in &session.look.announcements {
        // The exchange before says which server's clock runs.
        let index = it.after.saturating_sub(1);
        let epochs = session.recorded.iter().take(index + 1).rev();
        let epoch = epochs.filter_map(|it| it.sample.server_epoch).next().unwrap_or(line.first);
        let at = line.of_client(session, epoch, index, it.at);
        let meaning = Message::new().text(ANNOTATION_NAME, "meaning").text(ANNOTATION_TEXT, &it.what.words());
        let message = instant(client * TRACKS + 1, it.what.name()).message(ANNOTATION, &meaning);
        events.extend(at.map(|at| Event { at, message }));
    }
}
