//! A step of a session: what has come, and what is due.

use std::io;

use anyhow::Result;
use netclock::authority::AuthorityReply;
use netclock::keyed::{OVERHEAD, SEALED_MOST};
use netclock::link::sockets::{Received, Trouble, is_refusal};
use netclock::timeline::{SEGMENT_SIZE, Segment};
use netclock::utc::UtcReply;
use netclock::{Client, LocalTime, Refusal, Reply, Span, State, WireError, wire};

use super::super::linked::{Linked, News};
use super::{Session, TakingPart};
use crate::net::address;
use crate::net::clock::{self, MachineTime};
use crate::net::frames::Frames;
use crate::recording::Announcement;

/// Longest wait for a datagram in one step. A client takes at least 100 steps a second, like the frames of a
/// game.
const FRAME: Span = Span::from_millis(5);

/// An arrival stamp is at most this much older than the latest time that the client got. A stamp that is a
/// second older would look as if somebody had set the local clock back. A later stamp only makes a longer
/// round trip.
const LATEST_BACK: Span = Span::from_millis(500);

/// A longer time from the end of a step to that of the next is a pause of the program. Steps take 5 ms.
const PAUSE: Span = Span::from_secs(1);

/// Silence after which messages get another socket, as those of a link do.
const RENEW: Span = Span::from_secs(2);

/// Longer than any datagram of NetClock, so that longer ones are recognised.
const BUFFER: usize = 2 * SEGMENT_SIZE;

impl Session {
    /// One frame: waits a moment for replies, handles all that have come, and sends a request if one is due.
    pub(crate) fn step(&mut self) -> Result<()> {
        let mut buffer = [0; BUFFER];
        let frame = self.frames.as_mut().map(Frames::next);
        let mut received = match frame {
            None => self.socket.receive_within(&mut buffer, FRAME),
            Some(_) => self.socket.receive(&mut buffer),
        };
        loop {
            match received {
                Received::Nothing => break,
                Received::Failed(Trouble::NobodyListens) => self.refuse(),
                Received::Failed(_) => {}
                Received::Datagram(come) => {
                    self.stamps = come.stamps;
                    self.take(&buffer[..come.length], frame.unwrap_or(clock::machine(come.at)));
                }
            }
            received = self.socket.receive(&mut buffer);
        }
        if let Some(frames) = &mut self.frames {
            frames.polled = frame;
        }
        self.look_at_the_link();
        self.renew_the_socket();
        self.send_what_is_due()?;
        self.look_for_a_pause();
        self.client.check()
    }

    /// Looks at what the link did since the last look.
    fn look_at_the_link(&mut self) {
        match self.link.as_mut().map(Linked::look) {
            Some(News::Answered) => {
                (self.answered, self.refused) = (Some(clock::now()), false);
                self.announce_authority();
            }
            Some(News::NobodyListens) if !self.refused => self.refuse(),
            _ => {}
        }
    }

    /// After silence: another socket. This machine may have another address by now, from which the system
    /// sends only with a new socket.
    fn renew_the_socket(&mut self) {
        let is_silent = self.owed.is_some_and(|since| clock::now() - since > RENEW);
        if !is_silent && !self.is_unsent {
            return;
        }
        // This fails without a network. The next message tries again.
        if let Ok(socket) = address::connect(self.server) {
            self.socket = socket;
            self.marking.try_again();
        }
        (self.owed, self.is_unsent) = (None, false);
    }

    /// Records whose clock it is, if that is news by the link.
    fn announce_authority(&mut self) {
        let Some(authority) = self.authority() else { return };
        let name = (authority.epoch, authority.timescale);
        if self.announced.replace(name) != Some(name) {
            self.client.announce(self.clock.at(clock::now()), &Announcement::Authority(authority));
        }
    }

    /// Notes that the program did not run for long.
    fn look_for_a_pause(&mut self) {
        let now = clock::now();
        if let Some(since) = self.stepped.replace(now).filter(|&since| now - since > PAUSE) {
            self.client.announce(self.clock.at(now), &Announcement::Paused { since: self.clock.at(since) });
            self.pause = Some(now - since);
        }
    }

    fn take(&mut self, bytes: &[u8], at: MachineTime) {
        let messages = self.link.as_mut().map(|link| &mut link.messages);
        let Ok(bytes) = messages.map_or(Ok(bytes), |messages| messages.open(bytes)) else {
            self.traffic.malformed += 1;
            return;
        };
        self.traffic.seal_bytes += self.seal_size();
        self.owed = None;
        if let Ok(utc_reply) = UtcReply::decode(bytes) {
            if let Ok(change) = self.utc.handle_reply(&utc_reply, self.clock.at(at)) {
                self.traffic.utc_replies += 1;
                self.utc_change = change.or(self.utc_change);
            }
            return;
        }
        let is_taken = self.follower.as_mut().is_some_and(|follower| follower.hear(bytes));
        if is_taken {
            if let Ok(segment) = Segment::decode(bytes) {
                self.client.announce(self.clock.at(at), &Announcement::Segment(segment));
            }
            return;
        }
        if self.starts.as_mut().is_some_and(|starts| starts.hear(bytes))
            || self.judge.as_mut().is_some_and(|judge| judge.hear(bytes))
        {
            return;
        }
        match wire::decode_reply(bytes) {
            Ok(reply) if self.link.is_none() => self.take_reply(&reply, at),
            _ if self.link.is_none() && self.take_authority(bytes) => {}
            Ok(_) => self.traffic.malformed += 1,
            Err(error) => {
                self.traffic.malformed += 1;
                if matches!(error, WireError::Version(_)) && self.other_version.is_none() {
                    eprintln!("lab: {error}");
                    self.other_version = Some(error);
                }
            }
        }
    }

    /// Takes a statement of whose clock it is. False if `bytes` are none.
    fn take_authority(&mut self, bytes: &[u8]) -> bool {
        let Ok(stated) = AuthorityReply::decode(bytes) else { return false };
        let now = self.clock.at(clock::now());
        self.latest = Some(now);
        if self.client.run(|client| client.handle_authority_reply(&stated, now)).is_ok() {
            self.traffic.statements += 1;
            self.client.announce(now, &Announcement::Authority(stated.authority));
        }
        true
    }

    fn take_reply(&mut self, reply: &Reply, at: MachineTime) {
        let stamp = self.clock.at(at);
        let arrived = self.latest.map_or(stamp, |latest| stamp.max(latest - LATEST_BACK));
        self.latest = Some(self.latest.map_or(arrived, |latest| latest.max(arrived)));
        let polled = self.frames.as_ref().and_then(|frames| frames.polled).map(|at| self.clock.at(at));
        let outcome = self.client.run(|client| {
            client.polled(polled.unwrap_or(arrived)).map_err(|_| Refusal::StampOutOfRange)?;
            client.handle_reply(reply, arrived)
        });
        match outcome {
            Ok(()) => {
                self.marking.answered(reply.id, arrived);
                self.traffic.replies += 1;
                (self.answered, self.refused) = (Some(at), false);
            }
            Err(refusal) => self.traffic.refused_reply(refusal),
        }
    }

    fn refuse(&mut self) {
        self.traffic.refused += 1;
        self.refused = true;
    }

    /// # Errors
    /// The server does not say how it reads its clock, which was asked for.
    fn send_what_is_due(&mut self) -> Result<()> {
        let machine = clock::now();
        let now = self.clock.at(machine);
        self.latest = Some(now);
        // What cannot be sent is lost, and the next one follows soon.
        if let Some(ask) = self.follower.as_mut().and_then(|follower| follower.ask(now)) {
            let _ = self.send(&ask);
        }
        if self.link.is_none() {
            self.ask_by_messages(now);
        }
        let reading = self.client.run(|client| client.read(now));
        // Before the clock is synced, UTC would be of no use.
        if !self.only_time && reading.state != State::Unsynced {
            if let Ok(Some(request)) = self.utc.request(now, reading.server_epoch) {
                self.traffic.utc_requests += u64::from(self.send(&request.encode()).is_ok());
            }
        }
        if let Some(starts) = &mut self.starts {
            starts.frame(now, &reading);
        }
        while let Some(message) = self.starts.as_mut().and_then(TakingPart::next_message) {
            let _ = self.send(&message);
        }
        if let Some(request) = self.judge.as_mut().map_or(Ok(None), |judge| judge.ask(machine, &reading))? {
            let _ = self.send(&request);
        }
        Ok(())
    }

    fn ask_by_messages(&mut self, now: LocalTime) {
        // Refused only if the local clock ran backwards, which it does not.
        let due = self.client.run(|client| client.tick(now));
        let asks_whose = |client: &mut Client| client.request_authority(now).ok().flatten();
        if let Some(authority_request) = self.client.run(asks_whose).filter(|_| !self.only_time) {
            self.traffic.inquiries += u64::from(self.send(&authority_request.encode()).is_ok());
        }
        let is_repeated = self.marking.next_due().is_some_and(|due| now >= due);
        let Some(request) = due.ok().flatten().or_else(|| {
            is_repeated.then(|| self.client.run(|client| client.make_request(now)).ok()).flatten()
        }) else {
            return;
        };
        let Ok(mut datagram) = wire::encode_request(&request) else { return };
        let is_marked = self.marking.request(request.id, now);
        if is_marked {
            wire::mark(&mut datagram);
        }
        if !self.socket.set_marked(is_marked) {
            self.marking.give_up();
        }
        match self.send(&datagram) {
            Ok(_) => self.traffic.requests += 1,
            // The error belongs to an earlier request, and this one was not sent.
            Err(error) if is_refusal(&error) => self.refuse(),
            // A full buffer, or no network: for a clock this is loss.
            Err(_) => {}
        }
    }

    fn send(&mut self, message: &[u8]) -> io::Result<usize> {
        self.owed.get_or_insert_with(clock::now);
        let mut sealed = [0; SEALED_MOST];
        let message = match &mut self.link {
            Some(link) => link.messages.seal(message, &mut sealed).map_err(io::Error::other)?,
            None => message,
        };
        let sent = self.socket.send(message);
        // A refusal is about an earlier message, and a full buffer is loss.
        let is_lost = |error: &io::Error| !is_refusal(error) && error.kind() != io::ErrorKind::WouldBlock;
        self.is_unsent |= sent.as_ref().is_err_and(is_lost);
        self.traffic.seal_bytes += if sent.is_ok() { self.seal_size() } else { 0 };
        sent
    }

    fn seal_size(&self) -> u64 {
        if self.link.is_some() { OVERHEAD as u64 } else { 0 }
    }
}
