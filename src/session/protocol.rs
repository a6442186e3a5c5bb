//! The guest side of the protocol. Callers pass the clock to each call, because the C API shares it with
//! readers.

mod receiving;

use super::WORLDS;
use super::blob;
use super::error::SessionError;
use super::guest::{GuestConfig, View};
use super::message::{
    Contents, DATAGRAM_MOST, EXCHANGE, Known, LINK, LinkOffer, PLAIN_MOST, START, STATE, TO_HOST, TOKEN,
    Writer, finish,
};
use crate::clock::authority::Authority;
use crate::clock::for_parts::{Unguessable, memory};
use crate::clock::keyed::{Channel, SealedChannel, SessionKey};
use crate::clock::{
    Client, CreateError, Direction, LocalTime, Reading, ServerTime, Span, State as ClockState, TimeError,
    wire,
};
use crate::game::latency::LatencyWatch;
use crate::game::order::Lead;
use crate::game::start::{Participant, Progress, Stage};
use crate::game::timeline::Timeline;
use crate::game::utc::UtcClaim;

/// The host receives the result of a start within this time, even if many datagrams are lost.
const REPORTED_WITHIN: Span = Span::from_secs(3);
const SOONEST: Span = Span::from_millis(20);

/// The state of a guest's connection. It includes what the guest knows about the host.
#[derive(Clone, Copy, Debug, Default)]
struct Connection {
    session: u64,
    replied: Option<u64>,
    host: Option<u64>,
    token: Option<u64>,
    known: Known,
    learned_at: Option<LocalTime>,
    acknowledged: u32,
    round: u32,
    started: u32,
    newest: [Option<(u32, u32)>; WORLDS],
    contents: Contents,
    /// The digest of `contents`, or zero before the first update.
    digest: u64,
    /// The previous server epoch. Its late updates are rejected.
    left: Option<u64>,
    early: Option<Authority>,
    confirms_soon: bool,
    confirmed_at: Option<LocalTime>,
    offered: Option<u32>,
}

impl Connection {
    fn new(session: u64) -> Self {
        Connection { session, ..Connection::default() }
    }

    fn is_unconfirmed(&self) -> bool {
        self.host.is_none() || self.host != self.replied || self.acknowledged != self.known.revision
    }

    fn is_confirmation_due(&self, now: LocalTime) -> bool {
        self.confirms_soon && self.confirmed_at.is_none_or(|confirmed| (now - confirmed).abs() >= SOONEST)
    }
}

#[derive(Debug)]
pub(crate) struct GuestProtocol {
    pub(crate) worlds: Vec<Timeline>,
    /// The claims of the last two server epochs, newest first. The clock may still follow the earlier epoch.
    pub(crate) utc: [Option<UtcClaim>; 2],
    pub(crate) latency: Box<LatencyWatch>,
    pub(crate) offer: Option<LinkOffer>,
    participant: Participant,
    start: Progress,
    lead: Box<Lead>,
    random: Unguessable,
    seal: Option<SealedChannel>,
    connection: Connection,
    pub(crate) is_present: bool,
    pub(crate) blob_epoch: Option<u64>,
    /// The time and the clock's reading in the latest frame. Messages sent at the end of the frame refer to
    /// this time and reading.
    frame: Option<(LocalTime, Reading)>,
    out: [u8; DATAGRAM_MOST],
}

impl GuestProtocol {
    /// The result is boxed because it takes several kilobytes. Inlining this would add to the stack of the
    /// caller, which also creates the clock.
    #[inline(never)]
    pub(crate) fn new(config: &GuestConfig, seed: u128) -> Result<Box<Self>, CreateError> {
        let lead = memory::boxed(|| Lead::new(config.lead))?;
        let latency =
            memory::boxed(|| LatencyWatch::new(config.least_latency_change).map_err(CreateError::from))?;
        let mut worlds = memory::list(WORLDS)?;
        for _ in 0..WORLDS {
            worlds.push(Timeline::new(config.world)?);
        }
        memory::boxed(|| {
            let mut random = Unguessable::new(!seed);
            Ok(GuestProtocol {
                worlds,
                utc: [None; 2],
                latency,
                offer: None,
                participant: Participant::default(),
                start: Progress::default(),
                lead,
                seal: None,
                connection: Connection::new(random.next()),
                is_present: true,
                blob_epoch: None,
                frame: None,
                random,
                out: [0; DATAGRAM_MOST],
            })
        })
    }

    pub(crate) fn connect(
        &mut self,
        client: &mut Client,
        key: Option<&SessionKey>,
        doubted_at: Option<LocalTime>,
    ) -> Result<(), TimeError> {
        if let Some(now) = doubted_at {
            client.may_have_missed_time(now, Span::MAX)?;
        }
        self.seal = key.map(|key| SealedChannel::new(key, Channel::Messages, Direction::ToServer));
        self.connection = Connection::new(self.random.next());
        self.participant = Participant::default();
        self.start = Progress::default();
        self.offer = None;
        Ok(())
    }

    pub(crate) fn introduce(&mut self) {
        (self.connection.host, self.connection.confirms_soon) = (None, true);
    }

    /// Call this after detecting a forged update.
    fn start_over(&mut self) {
        self.connection.known.revision = 0;
        (self.connection.newest, self.connection.contents) = ([None; WORLDS], Contents::default());
        self.utc = [None; 2];
        self.worlds.iter_mut().for_each(Timeline::forget);
        self.call_off(None);
        self.introduce();
    }

    fn call_off(&mut self, now: Option<ServerTime>) {
        self.participant.call_off(now);
        if self.start.stage == Stage::Announced {
            self.start.stage = Stage::Waiting;
        }
    }

    pub(crate) fn view(&mut self, client: &Client, now: LocalTime) -> Result<View, TimeError> {
        now.check()?;
        let reading = client.read(now);
        self.frame = Some((now, reading));
        let mut worlds = [None; WORLDS];
        // After a reconnect, the segments may belong to a world that the new host does not publish.
        for ((shown, world), newest) in worlds.iter_mut().zip(&mut self.worlds).zip(self.connection.newest) {
            *shown = newest.and_then(|_| world.show(&reading).ok());
        }
        self.start.fires = false;
        if self.is_present && self.takes_part(reading.server_time) {
            self.start = self.participant.tick(now, &reading);
            if self.start.fires {
                self.connection.started = self.connection.round;
            }
        }
        let utc = self.utc.iter().flatten().find_map(|claim| claim.read(&reading));
        let authority = client.authority(now);
        let speed = self.latency.speed(now);
        let (handled_by, showable) = (self.lead.handled_by(now), self.lead.showable(now));
        Ok(View { reading, worlds, utc, start: self.start, authority, handled_by, showable, speed })
    }

    pub(crate) fn host_epoch(&self) -> Option<u64> {
        self.connection.host.or(self.connection.replied)
    }

    pub(crate) fn read_blob(&mut self, bytes: &[u8]) -> Result<(), SessionError> {
        for (place, segment) in blob::read(bytes)? {
            self.blob_epoch = Some(segment.server_epoch);
            let _ = self.worlds[place].insert(&segment);
        }
        Ok(())
    }

    /// Returns whether the participant must report the quality of its clock, which costs traffic. After a
    /// start, the reports continue until the host has received the result. The host does not repeat a start
    /// to a silent player.
    fn takes_part(&self, now: ServerTime) -> bool {
        let (Connection { round, started, .. }, start) = (self.connection, &self.start);
        let is_over = now - start.at > start.lateness + REPORTED_WITHIN;
        (round != 0 && (round != started || !is_over)) || start.stage == Stage::Announced
    }

    pub(crate) fn next(
        &mut self,
        client: &mut Client,
        now: LocalTime,
    ) -> Result<Option<(&[u8], bool)>, TimeError> {
        let request = client.tick(now)?;
        if let Some(request) = &request {
            let (at, reading) = self.frame.unwrap_or_else(|| (now, client.read(now)));
            if reading.state != ClockState::Unsynced {
                let _ = self.lead.note_sent(request.id.0, at, &reading);
            }
        }
        let start = if self.is_present { self.participant.report.take() } else { None };
        let connection = &mut self.connection;
        let confirms = connection.is_confirmation_due(now);
        if !confirms && request.is_none() && start.is_none() {
            return Ok(None);
        }
        let mut writer = Writer::new(TO_HOST, connection.session, PLAIN_MOST);
        if confirms || connection.is_unconfirmed() {
            (connection.confirms_soon, connection.confirmed_at) = (false, Some(now));
            let _ = writer.add(STATE, &connection.known.encode(), &[]);
            if let Some(token) = connection.token {
                let _ = writer.add(TOKEN, &token.to_be_bytes(), &[]);
            }
        }
        if let Some(mut datagram) = request.and_then(|request| wire::encode_request(&request).ok()) {
            if !connection.is_unconfirmed() {
                wire::add_digest(&mut datagram, connection.digest);
            }
            let _ = writer.add(EXCHANGE, &datagram, &[]);
        }
        if let Some((bytes, length)) = start.map(|report| report.encode()) {
            let _ = writer.add(START, &bytes[..length], &[]);
        }
        connection.offered = connection.offered.filter(|key| !writer.add(LINK, &key.to_be_bytes(), &[]));
        let size = finish(&mut self.seal, writer.bytes(), &mut self.out);
        Ok(size.map(|size| (&self.out[..size], request.is_some_and(|request| request.reliable))))
    }
}
