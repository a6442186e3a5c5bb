//! A client on a UDP socket: the library's run loop, with counters.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result};
use netclock::authority::{Authority, AuthorityReply};
use netclock::keyed::{OVERHEAD, SEALED_MOST, SessionKey};
use netclock::timeline::{SEGMENT_SIZE, Segment, TimelineConfig, WorldReading};
use netclock::utc::{ServerUtc, UTC_DATAGRAM_SIZE, UtcChange, UtcReading, UtcReply};
use netclock::{
    Client, Config, Direction, Earlier, Event, LocalTime, Reading, Refusal, Saved, Span, State, WireError,
    wire,
};
use serde::{Deserialize, Serialize};

use crate::game::follower::{self, Follower};
use crate::net::address;
use crate::net::clock::{self, MachineTime, SkewedClock};
use crate::net::socket::{Received, StampedSocket, is_refusal};
use crate::recording::{Announcement, Recorder};

/// Longest wait for a datagram in one step. A client takes at least 100 steps a second, like the frames of a game.
const FRAME: Duration = Duration::from_millis(5);

/// An arrival stamp is at most this much older than the latest time that the client got. A stamp that is a second older
/// would look as if somebody had set the local clock back. A later stamp only makes a longer round trip.
const LATEST_BACK: Span = Span::from_millis(500);

/// A server that has been silent for this long after an answer counts as gone. Requests leave every 4 s.
const SILENCE: Span = Span::from_secs(13);

/// Longer than any datagram of NetClock, so that longer ones are recognised.
const BUFFER: usize = 2 * SEGMENT_SIZE;

/// Datagrams between client and server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Traffic {
    /// Requests sent.
    pub(crate) requests: u64,
    /// Replies used.
    pub(crate) replies: u64,
    /// Authority requests sent.
    pub(crate) inquiries: u64,
    /// Authority replies used.
    pub(crate) statements: u64,
    /// Requests for the server's UTC sent.
    #[serde(default)]
    pub(crate) utc_requests: u64,
    /// Replies about the server's UTC used.
    #[serde(default)]
    pub(crate) utc_replies: u64,
    /// Replies to unknown requests: duplicates, late ones, forgeries.
    pub(crate) unknown: u64,
    /// Replies whose stamps contradict the clock.
    pub(crate) contradictions: u64,
    /// Replies whose stamps are impossible or too far apart.
    pub(crate) unusable: u64,
    /// Other datagrams.
    pub(crate) malformed: u64,
    /// How often the network reported that nobody listens at the server.
    pub(crate) refused: u64,
    /// Bytes that seals add to all of these messages.
    #[serde(default)]
    pub(crate) seal_bytes: u64,
}

impl Traffic {
    /// Payload sent and received, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.inquiries
            + self.statements
            + self.requests
            + self.replies
            + self.unknown
            + self.contradictions
            + self.unusable)
            * wire::SIZE as u64
            + (self.utc_requests + self.utc_replies) * UTC_DATAGRAM_SIZE as u64
            + self.seal_bytes
    }

    fn refused_reply(&mut self, refusal: Refusal) {
        match refusal {
            Refusal::UnknownRequest => self.unknown += 1,
            Refusal::Contradiction => self.contradictions += 1,
            _ => self.unusable += 1,
        }
    }
}

/// A client and its socket.
pub(crate) struct Session {
    socket: StampedSocket,
    clock: SkewedClock,
    client: Client,
    traffic: Traffic,
    /// The latest time that the client got.
    latest: Option<LocalTime>,
    recorder: Option<Recorder>,
    follower: Option<Follower>,
    utc: ServerUtc,
    /// What the last reply about UTC changed.
    utc_change: Option<UtcChange>,
    /// When the last used reply came.
    answered: Option<MachineTime>,
    /// The network reported since then that nobody listens at the server.
    refused: bool,
    /// Why the first message in another version could not be read.
    other_version: Option<WireError>,
    /// Seals what this client sends, and opens what it takes.
    key: Option<SessionKey>,
}

impl Session {
    /// A client of `server`, with `clock` as its local clock.
    pub(crate) fn new(server: SocketAddr, clock: SkewedClock, config: Config) -> Result<Self> {
        Self::after(server, clock, config, &Earlier::NONE)
    }

    /// As [`new`](Self::new), with what earlier sessions left.
    pub(crate) fn after(
        server: SocketAddr,
        clock: SkewedClock,
        config: Config,
        earlier: &Earlier<'_>,
    ) -> Result<Self> {
        let socket = address::connect(server).with_context(|| format!("there is no way to {server}"))?;
        Ok(Session {
            socket: StampedSocket::new(socket, FRAME).context("cannot prepare the client's socket")?,
            clock,
            client: Client::with_saved(config, random_seed()?, earlier)?,
            traffic: Traffic::default(),
            latest: None,
            recorder: None,
            follower: None,
            utc: ServerUtc::new(random_seed()?)?,
            utc_change: None,
            answered: None,
            refused: false,
            other_version: None,
            key: None,
        })
    }

    /// Uses this key from now on. Messages without a seal count for nothing then.
    pub(crate) fn use_key(&mut self, key: SessionKey) {
        self.key = Some(key);
    }

    /// Whether the machine's and the server's saved state are used.
    pub(crate) fn used_saved(&self) -> (bool, bool) {
        self.client.used_saved()
    }

    /// What later sessions begin with, if anything is known.
    pub(crate) fn save(&self, seconds: i64) -> Option<Saved> {
        self.client.save(seconds)
    }

    /// Turns to another server.
    pub(crate) fn turn_to(&mut self, server: SocketAddr) -> Result<()> {
        let socket = address::connect(server).with_context(|| format!("there is no way to {server}"))?;
        self.socket = StampedSocket::new(socket, FRAME).context("cannot prepare the client's socket")?;
        (self.answered, self.refused) = (None, false);
        self.client.begin_burst();
        Ok(())
    }

    /// True if the server answered before and is gone: nobody listens there, or it has been silent for long.
    pub(crate) fn is_deserted(&self) -> bool {
        self.answered.is_some_and(|answered| self.refused || clock::now() - answered > SILENCE)
    }

    /// The authority whose clock the client shows.
    pub(crate) fn authority(&self) -> Option<Authority> {
        self.client.authority(self.clock.at(clock::now()))
    }

    /// Follows the server's world too, from now on.
    pub(crate) fn follow_world(&mut self) -> Result<()> {
        self.follower = Some(Follower::new(TimelineConfig::default())?);
        Ok(())
    }

    /// Records every exchange from now on.
    pub(crate) fn record(&mut self, recorder: Recorder) {
        self.recorder = Some(recorder);
    }

    /// Ends the recording, if there is one.
    pub(crate) fn end_recording(&mut self) -> Result<()> {
        self.recorder.take().map_or(Ok(()), Recorder::finish)
    }

    /// One frame: waits a moment for replies, handles all that have come, and sends a request if one is due.
    pub(crate) fn step(&mut self) -> Result<()> {
        let mut buffer = [0; BUFFER];
        let mut received = self.socket.receive(&mut buffer).context("cannot receive any more")?;
        loop {
            match received {
                Received::Nothing => break,
                Received::Refused => self.refuse(),
                Received::Datagram { length, at, .. } => self.take(&buffer[..length], at)?,
            }
            received = self.socket.receive_waiting(&mut buffer).context("cannot receive any more")?;
        }
        self.send_what_is_due();
        Ok(())
    }

    fn take(&mut self, bytes: &[u8], at: MachineTime) -> Result<()> {
        let Ok(bytes) = self.key.as_ref().map_or(Ok(bytes), |key| key.open(Direction::ToClient, bytes))
        else {
            self.traffic.malformed += 1;
            return Ok(());
        };
        self.traffic.seal_bytes += self.seal_size();
        if let Ok(authority_reply) = AuthorityReply::decode(bytes) {
            let now = self.clock.at(clock::now());
            self.latest = Some(now);
            if self.client.handle_authority_reply(&authority_reply, now).is_err() {
                return Ok(());
            }
            self.traffic.statements += 1;
            return self.announce(now, &Announcement::Authority(authority_reply.authority));
        }
        if let Ok(utc_reply) = UtcReply::decode(bytes) {
            if let Ok(change) = self.utc.handle_reply(&utc_reply, self.clock.at(at)) {
                self.traffic.utc_replies += 1;
                self.utc_change = change.or(self.utc_change);
            }
            return Ok(());
        }
        let reply = match wire::decode_reply(bytes) {
            Ok(reply) => reply,
            Err(error) => {
                let is_taken = self.follower.as_mut().is_some_and(|follower| follower.hear(bytes));
                self.traffic.malformed += u64::from(!is_taken);
                if let (true, Ok(segment)) = (is_taken, Segment::decode(bytes)) {
                    return self.announce(self.clock.at(at), &Announcement::Segment(segment));
                }
                if matches!(error, WireError::Version(_)) && self.other_version.is_none() {
                    eprintln!("lab: {error}");
                    self.other_version = Some(error);
                }
                return Ok(());
            }
        };
        let stamp = self.clock.at(at);
        let arrived = self.latest.map_or(stamp, |latest| stamp.max(latest - LATEST_BACK));
        self.latest = Some(self.latest.map_or(arrived, |latest| latest.max(arrived)));
        match self.client.handle_reply(&reply, arrived) {
            Ok(()) => {
                self.traffic.replies += 1;
                (self.answered, self.refused) = (Some(at), false);
            }
            Err(refusal) => self.traffic.refused_reply(refusal),
        }
        match (&mut self.recorder, self.client.last_sample()) {
            (Some(recorder), Some(sample)) => recorder.add(sample),
            _ => Ok(()),
        }
    }

    /// Records what the server announced.
    fn announce(&mut self, at: LocalTime, what: &Announcement) -> Result<()> {
        self.recorder.as_mut().map_or(Ok(()), |recorder| recorder.announce(at, what))
    }

    fn refuse(&mut self) {
        self.traffic.refused += 1;
        self.refused = true;
    }

    fn send_what_is_due(&mut self) {
        let now = self.clock.at(clock::now());
        self.latest = Some(now);
        if let Some(ask) = self.follower.as_mut().and_then(|follower| follower.ask(now)) {
            // If it cannot be sent it is lost, and the next one follows soon.
            let _ = self.send(&ask);
        }
        // Refused only if the local clock ran backwards, which it does not.
        let due = self.client.tick(now);
        if let Ok(Some(authority_request)) = self.client.request_authority(now) {
            self.traffic.inquiries += u64::from(self.send(&authority_request.encode()).is_ok());
        }
        self.ask_for_utc(now);
        let Ok(Some(request)) = due else { return };
        let Ok(datagram) = wire::encode_request(&request) else { return };
        match self.send(&datagram) {
            Ok(_) => self.traffic.requests += 1,
            // The error belongs to an earlier request, and this one was not sent.
            Err(error) if is_refusal(&error) => self.refuse(),
            // A full buffer, or no network: for a clock this is loss.
            Err(_) => {}
        }
    }

    /// Before the clock is synced, UTC would be of no use.
    fn ask_for_utc(&mut self, now: LocalTime) {
        let Reading { state, server_epoch, .. } = self.client.read(now);
        if state == State::Unsynced {
            return;
        }
        if let Ok(Some(request)) = self.utc.request(now, server_epoch) {
            self.traffic.utc_requests += u64::from(self.send(&request.encode()).is_ok());
        }
    }

    fn send(&mut self, message: &[u8]) -> io::Result<usize> {
        let Some(key) = &self.key else { return self.socket.socket().send(message) };
        let mut sealed = [0; SEALED_MOST];
        let sealed = key.seal(Direction::ToServer, message, &mut sealed).map_err(io::Error::other)?;
        let sent = self.socket.socket().send(sealed)?;
        self.traffic.seal_bytes += self.seal_size();
        Ok(sent)
    }

    fn seal_size(&self) -> u64 {
        if self.key.is_some() { OVERHEAD as u64 } else { 0 }
    }

    /// Reads the clock. Returns the machine time of the read too.
    pub(crate) fn read(&self) -> (MachineTime, Reading) {
        let machine = clock::now();
        (machine, self.client.read(self.clock.at(machine)))
    }

    /// The world's time at a reading of the clock, if it is known.
    pub(crate) fn read_world(&mut self, now: &Reading) -> Option<WorldReading> {
        self.follower.as_mut()?.show(now).ok()
    }

    /// The server's UTC at a reading of the clock, if it is known.
    pub(crate) fn read_utc(&self, now: &Reading) -> Option<UtcReading> {
        self.utc.read(now).ok()
    }

    /// What the server changed about its UTC since the last call.
    pub(crate) fn take_utc_change(&mut self) -> Option<UtcChange> {
        self.utc_change.take()
    }

    /// Datagrams about the world.
    pub(crate) fn world_traffic(&self) -> follower::Traffic {
        self.follower.as_ref().map_or_else(follower::Traffic::default, Follower::traffic)
    }

    /// True if there is a server time to show.
    pub(crate) fn is_synced(&self) -> bool {
        self.client.is_time_synced()
    }

    /// The oldest event that nobody has fetched.
    pub(crate) fn next_event(&mut self) -> Option<Event> {
        self.client.next_event()
    }

    pub(crate) fn traffic(&self) -> Traffic {
        self.traffic
    }
}

/// 128 random bits of the system.
fn random_seed() -> Result<u128> {
    let mut seed = [0; 16];
    getrandom::fill(&mut seed).context("the system gives no random seed")?;
    Ok(u128::from_ne_bytes(seed))
}
