//! A trace for Perfetto (ui.perfetto.dev) from recorded sessions.
//!
//! The timeline is the server's clock: the stamps of each client are put there by its measured offset, in
//! hindsight. So one trace shows several machines. The field numbers are those of Perfetto's published
//! `perfetto_trace.proto`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use netclock::{LocalTime, Reading, ServerTime};

use super::protobuf::Message;
use crate::inspect::look::Look;
use crate::net::sync::events::describe;
use crate::recording::{self, Announced};
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
/// The trace begins this long before the first stamp, because Perfetto knows no negative times (ticks).
const MARGIN: i64 = 10_000_000;
/// Tracks of each client have numbers from a multiple of this.
const TRACKS: u64 = 16;

/// A client in a trace. Its tracks have numbers from `TRACKS` times its own one.
pub(super) struct Client {
    number: u64,
    line: Timeline,
}

/// Something in the trace, at a time of the timeline (ticks).
pub(super) struct Event {
    at: i64,
    message: Message,
}

/// The stamps of an exchange, in their order.
const STAMPS: [&str; 4] = ["request sent", "request received", "reply sent", "reply received"];
/// The counters, and their units.
const COUNTERS: [(&str, &str); 3] = [("error bound", "ms"), ("expected error", "ms"), ("rate", "ppm")];
/// The first one is the track of this number.
const FIRST_COUNTER: u64 = 2;

/// A trace that is being written.
pub(super) struct Trace<W> {
    out: W,
    /// Where the timeline begins (ticks).
    zero: i64,
}

impl<W: Write> Trace<W> {
    /// Begins a trace of these clients, with the names of their recordings. The earliest event is at this
    /// time.
    ///
    /// # Errors
    /// Nothing can be written.
    pub(super) fn begin(out: W, earliest: i64, looks: &[Look]) -> io::Result<Self> {
        let mut trace = Trace { out, zero: earliest - MARGIN };
        let mut packets = vec![track(&process(1, "server"), 1)];
        (1..).zip(looks).for_each(|(number, look)| describe_tracks(number, &look.name, &mut packets));
        packets.iter().try_for_each(|packet| trace.packet(packet))?;
        Ok(trace)
    }

    /// Adds the session of a client.
    ///
    /// # Errors
    /// Nothing can be written.
    pub(super) fn add(&mut self, client: &mut Client, look: &Look) -> io::Result<()> {
        let mut events = client.follow(look);
        events.sort_by_key(|event| event.at);
        for event in &events {
            let ns = (event.at - self.zero).max(0) * NS_PER_TICK;
            let packet = Message::new().number(TIMESTAMP, ns as u64).number(SEQUENCE, 1);
            self.packet(&packet.message(TRACK_EVENT, &event.message))?;
        }
        Ok(())
    }

    /// Ends it.
    ///
    /// # Errors
    /// Nothing can be written.
    pub(super) fn end(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }

    fn packet(&mut self, packet: &Message) -> io::Result<()> {
        self.out.write_all(Message::new().message(PACKET, packet).bytes())
    }
}

/// The clock of the first run of the server. Later runs are put where the local clock says that they are.
#[derive(Debug, Default)]
struct Timeline {
    /// The first run.
    first: Option<u64>,
    /// What to add to the time of each run (ticks).
    shifts: BTreeMap<u64, i64>,
    /// The newest run, and its offset at its newest reading.
    newest: Option<(u64, Option<i64>)>,
    /// The run that the newest exchange named.
    named: u64,
}

impl Timeline {
    fn follow(&mut self, look: &Look) {
        let Look { reference, rerun, .. } = look;
        for moment in &rerun.moments {
            let epoch = moment.reading.server_epoch;
            let offset = |epoch| reference.at(epoch, moment.index, moment.local);
            match self.newest {
                None => {
                    self.shifts.insert(epoch, 0);
                    (self.first, self.named) = (Some(epoch), epoch);
                }
                Some((before, known)) if !self.shifts.contains_key(&epoch) => {
                    let from = offset(before).or(known).zip(self.shifts.get(&before));
                    if let Some(((from, shift), to)) = from.zip(offset(epoch)) {
                        self.shifts.insert(epoch, shift + from - to);
                    }
                }
                Some(_) => {}
            }
            if self.shifts.contains_key(&epoch) {
                let known = self.newest.filter(|newest| newest.0 == epoch).and_then(|newest| newest.1);
                self.newest = Some((epoch, offset(epoch).or(known)));
            }
        }
    }

    fn of_server(&self, epoch: u64, ticks: i64) -> Option<i64> {
        ticks.checked_add(*self.shifts.get(&epoch)?)
    }

    fn of_client(&self, look: &Look, epoch: u64, index: usize, local: LocalTime) -> Option<i64> {
        let offset = look.reference.at(epoch, index, local)?;
        self.of_server(epoch, local.ticks().checked_add(offset)?)
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
    for (number, (name, unit)) in (FIRST_COUNTER..).zip(COUNTERS) {
        let counter = Message::new().text(UNIT_NAME, unit);
        packets.push(track(&child(number, name).message(COUNTER, &counter), 1));
    }
}

fn instant(track: u64, name: &str) -> Message {
    Message::new().number(KIND, INSTANT).number(TRACK, track).text(EVENT_NAME, name)
}

impl Client {
    /// The client with this number, from 1.
    pub(super) fn new(number: u64) -> Self {
        Client { number, line: Timeline::default() }
    }

    /// The run of the server that its timeline begins with, once something is known of it.
    pub(super) fn first_run(&self) -> Option<u64> {
        self.line.first
    }

    /// The time of its first event (ticks).
    pub(super) fn earliest(&mut self, look: &Look) -> Option<i64> {
        self.follow(look).iter().map(|event| event.at).min()
    }

    /// The events of its session.
    fn follow(&mut self, look: &Look) -> Vec<Event> {
        self.line.follow(look);
        let mut events = Vec::new();
        self.stamps(look, &mut events);
        self.counters(look, &mut events);
        self.told(look, &mut events);
        events
    }

    /// The four stamps of each exchange, and what servers announced before it.
    fn stamps(&mut self, look: &Look, events: &mut Vec<Event>) {
        let (number, first, line) = (self.number, self.number * TRACKS, &mut self.line);
        let mut announced = look.recording.announced.iter().peekable();
        let announce = |line: &Timeline, index: usize, it: &Announced, events: &mut Vec<Event>| {
            // The exchange before says which server's clock runs.
            let at = line.of_client(look, line.named, index.saturating_sub(1), it.at);
            let message = || annotated(instant(first + 1, it.what.name()), "meaning", &it.what.words());
            events.extend(at.map(|at| Event { at, message: message() }));
        };
        for (index, it) in look.recording.exchanges.iter().enumerate() {
            while let Some(it) = announced.next_if(|it| it.after <= index) {
                announce(line, index, it, events);
            }
            line.named = it.sample.server_epoch.unwrap_or(line.named);
            let Some(exchange) = it.sample.exchange() else { continue };
            let local = |time| line.of_client(look, line.named, index, time);
            let server = |time: ServerTime| line.of_server(line.named, time.ticks());
            // The server's own are those in the middle.
            let stamps = [
                (first, local(exchange.client_sent)),
                (1, server(exchange.server_received)),
                (1, server(exchange.server_sent)),
                (first, local(exchange.client_received)),
            ];
            for ((track, at), name) in stamps.into_iter().zip(STAMPS) {
                let message = instant(track, name).fixed(FLOWS, number << 40 | (index as u64 + 1));
                let message = annotated(message, "result", recording::name(it.sample.outcome));
                events.extend(at.map(|at| Event { at, message }));
            }
        }
        announced.for_each(|it| announce(line, look.recording.exchanges.len(), it, events));
    }

    fn counters(&self, look: &Look, events: &mut Vec<Event>) {
        for moment in &look.rerun.moments {
            let epoch = moment.reading.server_epoch;
            let Some(at) = self.line.of_client(look, epoch, moment.index, moment.local) else { continue };
            for which in 0..COUNTERS.len() {
                let Some(value) = value(&moment.reading, which) else { continue };
                let track = self.number * TRACKS + FIRST_COUNTER + which as u64;
                let message = Message::new().number(KIND, COUNT).number(TRACK, track);
                events.push(Event { at, message: message.double(COUNTER_VALUE, value) });
            }
        }
    }

    fn told(&self, look: &Look, events: &mut Vec<Event>) {
        let Look { rerun, .. } = look;
        for happened in &rerun.events {
            let after = rerun.moments.partition_point(|moment| moment.local < happened.local);
            let Some(moment) = rerun.moments.get(after).or(rerun.moments.last()) else { continue };
            let epoch = moment.reading.server_epoch;
            let at = self.line.of_client(look, epoch, happened.index, happened.local);
            let described = describe(&happened.event);
            let message = instant(self.number * TRACKS + 1, &described.event);
            let message = annotated(message, "meaning", &described.meaning);
            events.extend(at.map(|at| Event { at, message }));
        }
    }
}

fn annotated(message: Message, name: &str, text: &str) -> Message {
    let annotation = Message::new().text(ANNOTATION_NAME, name).text(ANNOTATION_TEXT, text);
    message.message(ANNOTATION, &annotation)
}

/// The value of a counter at a reading; none if nothing is promised.
fn value(reading: &Reading, which: usize) -> Option<f64> {
    match which {
        0 => finite_ms(reading.error_bound),
        1 => finite_ms(reading.expected_error),
        _ => Some(reading.frequency_ppm),
    }
}
