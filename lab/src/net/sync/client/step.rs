use std::io;

use anyhow::Result;
use netclock::authority::Authority;
use netclock::link::sockets::{Received, Trouble, is_refusal};
use netclock::session::{DATAGRAM_MOST, Guest, SessionError, View};
use netclock::timeline::Timeline;
use netclock::{LocalTime, Refusal, Span, TimeError, WireError, wire};

use super::super::linked::{GuestLink, News};
use super::SyncClient;
use crate::net::address;
use crate::net::clock::{self, Frames, MachineTime};
use crate::net::messages::exchange;
use crate::recording::Announcement;

/// A step waits this long for a datagram, so that the client runs about as often as a game's frames.
const FRAME: Span = Span::from_millis(5);

/// We raise arrival timestamps that precede the client's latest time by more than this, because they would
/// look like a backward clock step. A raised timestamp only lengthens the round trip.
const LATEST_BACK: Span = Span::from_millis(500);

/// A step takes 5 ms, so if more than this passes between the ends of two steps, the program was suspended.
const PAUSE: Span = Span::from_secs(1);

/// After this much silence, the client opens a new socket for messages, as a link does.
const RENEW: Span = Span::from_secs(2);

/// Larger than any NetClock datagram, so that longer datagrams are detected instead of truncated.
const BUFFER: usize = 2 * DATAGRAM_MOST;

/// A server that states no authority within this time of its first reply has its own timescale.
const TOLD_WITHIN: Span = Span::from_secs(1);

impl SyncClient {
    pub(crate) fn step(&mut self) -> Result<()> {
        let mut buffer = [0; BUFFER];
        let frame = self.frames.as_mut().map(Frames::wait);
        let mut received = match frame {
            Some(_) => self.socket.receive(&mut buffer),
            None => self.socket.receive_within(&mut buffer, FRAME),
        };
        loop {
            match received {
                Received::Nothing => break,
                Received::Failed(Trouble::NobodyListens) => self.note_refusal(),
                Received::Failed(_) => {}
                Received::Datagram(come) => {
                    self.stamps = come.stamps;
                    self.take(&buffer[..come.length], frame.unwrap_or(clock::machine(come.at)));
                }
            }
            received = self.socket.receive(&mut buffer);
        }
        if let Some(frame) = frame {
            let polled = self.clock.at(frame);
            // This fails only if the local clock runs backward, which it never does.
            let _ = self.guest.run(|guest| guest.polled(polled));
        }
        self.poll_link();
        self.renew_socket();
        self.send_what_is_due()?;
        self.detect_pause();
        self.guest.check()
    }

    fn poll_link(&mut self) {
        match self.link.as_mut().map(GuestLink::poll) {
            Some(News::Answered) => {
                (self.seen.answered, self.seen.refused) = (Some(clock::now()), false);
            }
            Some(News::NobodyListens) if !self.seen.refused => self.note_refusal(),
            _ => {}
        }
    }

    /// Opens a new socket after silence, because the old one would not use a newly acquired address.
    fn renew_socket(&mut self) {
        let is_silent = self.seen.owed.is_some_and(|since| clock::now() - since > RENEW);
        if !is_silent && !self.seen.is_unsent {
            return;
        }
        // If there is no network, we try again with the next message.
        if let Ok(socket) = address::connect(self.server) {
            self.socket = socket;
            self.marking.try_again();
            self.guest.run(Guest::introduce);
        }
        (self.seen.owed, self.seen.is_unsent) = (None, false);
    }

    fn detect_pause(&mut self) {
        let now = clock::now();
        if let Some(since) = self.seen.stepped.replace(now).filter(|&since| now - since > PAUSE) {
            self.guest.announce(self.clock.at(now), &Announcement::Paused { since: self.clock.at(since) });
            self.pause = Some(now - since);
        }
    }

    fn take(&mut self, bytes: &[u8], at: MachineTime) {
        self.seen.traffic.received_bytes += bytes.len() as u64;
        self.seen.owed = None;
        if self.judge.as_mut().is_some_and(|judge| judge.receive(bytes)) {
            return;
        }
        let stamp = self.clock.at(at);
        let arrived = self.seen.latest.map_or(stamp, |latest| stamp.max(latest - LATEST_BACK));
        self.seen.latest = Some(self.seen.latest.map_or(arrived, |latest| latest.max(arrived)));
        let (heard, sample) = self.guest.run(|guest| {
            let before = guest.clock().last_sample().copied();
            let polled = if self.frames.is_some() { Ok(()) } else { guest.polled(arrived) };
            let heard = polled.map_err(SessionError::from);
            let heard = heard.and_then(|()| guest.receive(bytes, arrived));
            (heard, guest.clock().last_sample().copied().filter(|it| Some(*it) != before))
        });
        if let Err(error) = heard {
            self.seen.traffic.malformed += 1;
            if let (SessionError::Wire(error @ WireError::Version(_)), None) =
                (error, self.seen.other_version)
            {
                eprintln!("lab: {error}");
                self.seen.other_version = Some(error);
            }
        }
        match sample.map(|sample| (sample.id, sample.outcome)) {
            Some((id, Ok(()))) => {
                (self.seen.answered, self.seen.refused) = (Some(at), false);
                if let (None, Some(id)) = (&self.link, id) {
                    self.marking.answered(id, arrived);
                    self.seen.traffic.replies += 1;
                }
            }
            Some((_, Err(Refusal::UnknownRequest))) => self.seen.traffic.unknown += 1,
            _ => {}
        }
    }

    fn note_refusal(&mut self) {
        self.seen.traffic.refused += 1;
        self.seen.refused = true;
    }

    fn send_what_is_due(&mut self) -> Result<()> {
        let machine = clock::now();
        let now = self.clock.at(machine);
        self.seen.latest = Some(now);
        let mut out = [0; DATAGRAM_MOST];
        while let Some(length) = self.guest.run(|guest| self.next(guest, now, &mut out)) {
            self.send(&mut out[..length], now);
        }
        if self.link.is_none() && self.marking.next_due().is_some_and(|due| now >= due) {
            let request = self.guest.run(|guest| guest.clock_mut().make_request(now));
            if let Some(mut datagram) = request.ok().and_then(|it| wire::encode_request(&it).ok()) {
                self.send(&mut datagram, now);
            }
        }
        let reading = self.guest.run(|guest| guest.clock().read(now));
        let asked = self.judge.as_mut().map_or(Ok(None), |judge| judge.ask(machine, &reading))?;
        if let Some(mut request) = asked {
            self.send(&mut request, now);
        }
        Ok(())
    }

    fn next(&self, guest: &mut Guest, now: LocalTime, out: &mut [u8; DATAGRAM_MOST]) -> Option<usize> {
        if !self.only_time {
            let (datagram, _) = guest.next(now).ok()??;
            out[..datagram.len()].copy_from_slice(datagram);
            return Some(datagram.len());
        }
        let request = guest.clock_mut().tick(now).ok()?.filter(|_| self.link.is_none())?;
        out[..wire::SIZE].copy_from_slice(&wire::encode_request(&request).ok()?);
        Some(wire::SIZE)
    }

    /// Marks the datagram if it contains a request, unless the path drops marked datagrams. A datagram that
    /// the system cannot send is treated as lost, because the next one follows soon.
    fn send(&mut self, datagram: &mut [u8], now: LocalTime) {
        self.seen.owed.get_or_insert_with(clock::now);
        let request = exchange(datagram).filter(|_| self.link.is_none());
        let id = request.as_deref().and_then(|it| wire::decode_request(it).ok()).map(|request| request.id);
        let is_marked = id.is_some_and(|id| self.marking.request(id, now));
        if let Some(request) = request.filter(|_| is_marked) {
            wire::mark(request);
        }
        if !self.socket.set_marked(is_marked) {
            self.marking.give_up();
        }
        match self.socket.send(datagram) {
            Ok(_) => {
                self.seen.traffic.requests += u64::from(id.is_some());
                self.seen.traffic.sent_bytes += datagram.len() as u64;
            }
            // The error is about an earlier datagram, but this datagram was not sent either.
            Err(error) if is_refusal(&error) => self.note_refusal(),
            // The buffer is full or there is no network. The clock treats both as loss.
            Err(error) => self.seen.is_unsent |= error.kind() != io::ErrorKind::WouldBlock,
        }
    }

    pub(crate) fn view(&mut self) -> Result<(MachineTime, View)> {
        let machine = clock::now();
        let now = self.clock.at(machine);
        let (view, segment) = self.guest.run(|guest| {
            let view = guest.view(now)?;
            let segment = guest.world(0).and_then(Timeline::newest).copied();
            Ok::<_, TimeError>((view, segment))
        })?;
        if let Some(segment) = segment.filter(|_| self.has_world) {
            let name = (segment.server_epoch, segment.instance, segment.version);
            if self.seen.segment.replace(name) != Some(name) {
                self.guest.announce(now, &Announcement::Segment(segment));
            }
        }
        self.announce_authority(view.authority, now);
        Ok((machine, view))
    }

    /// A server that states no authority has its own timescale.
    fn announce_authority(&mut self, authority: Option<Authority>, now: LocalTime) {
        let Some(authority) = authority.filter(|it| self.seen.announced != Some(*it)) else { return };
        let is_told = authority != Authority::alone(authority.epoch);
        let since = self.seen.followed.filter(|(epoch, _)| *epoch == authority.epoch).map_or(now, |it| it.1);
        self.seen.followed = Some((authority.epoch, since));
        if is_told || now - since >= TOLD_WITHIN {
            self.seen.announced = Some(authority);
            self.guest.announce(now, &Announcement::Authority(authority));
        }
    }
}
