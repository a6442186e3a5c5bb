//! A client that follows a server over UDP, with counters.
//!
//! A guest talks to the server's host. If there is a key, its clock also follows the library's link, on
//! another thread.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use netclock::authority::Authority;
use netclock::keyed::SessionKey;
use netclock::link::sockets::{StampedSocket, Stamps, Trouble};
use netclock::link::{ClientLinkConfig, Mark, Marking};
use netclock::session::{Guest, GuestConfig};
use netclock::utc::UtcClaim;
use netclock::{Config, Event, LocalTime, Reading, Sample, Span, WireError};

use super::events::{Described, key_in_use, mark_dropped};
use super::judge::Judge;
use super::linked::GuestLink;
use super::noted::{NotedGuest, Notes};
pub(crate) use super::traffic::Traffic;
use crate::net::address;
use crate::net::clock::{self, MachineTime, SkewedClock};
use crate::net::key_file;
use crate::net::random_seed;
use crate::recording::Announcement;

mod step;

/// If a server has answered before and is then silent for this long, it is assumed to be gone. Requests are
/// sent every 4 s.
const SILENCE: Span = Span::from_secs(13);

pub(crate) struct SyncClient {
    server: SocketAddr,
    socket: StampedSocket,
    clock: SkewedClock,
    pub(super) guest: NotedGuest,
    link: Option<GuestLink>,
    /// The marking of messages. The link has its own marking, and begins without marks if this one has
    /// already given up.
    marking: Marking,
    /// Dropped marks were reported.
    told_of_mark: bool,
    /// Another client with the same key was reported.
    told_of_key: bool,
    traffic: Traffic,
    latest: Option<LocalTime>,
    /// Segments of the server's world are recorded.
    pub(crate) has_world: bool,
    /// The server's epoch, its world, and the version of the last recorded segment.
    segment: Option<(u64, u32, u32)>,
    /// Judges the clock's reads, once the server has stated how it reads its clock.
    pub(crate) judge: Option<Judge>,
    /// The end of the last step.
    stepped: Option<MachineTime>,
    /// How long the program stood still, until it is fetched.
    pub(crate) pause: Option<Span>,
    announced: Option<Authority>,
    /// The epoch of the followed server, and the time since which it has been followed.
    followed: Option<(u64, LocalTime)>,
    /// The client asks only for the time, and for nothing else that a session offers. Set it before there is
    /// a link.
    pub(crate) only_time: bool,
    /// Mean time between the requests of a link; zero: the default. Set it before there is a link.
    pub(crate) steady_interval: Span,
    /// Stamps messages outside the link.
    stamps: Stamps,
    /// The server's last claim about UTC, and how far the claim moved UTC, until it is fetched.
    claim: Option<UtcClaim>,
    pub(crate) utc_jump: Option<Span>,
    /// When the oldest unanswered message was sent, and whether the system failed to send a message.
    owed: Option<MachineTime>,
    is_unsent: bool,
    /// When the last used reply arrived.
    answered: Option<MachineTime>,
    /// Since then, the network has reported that no program listens at the server.
    refused: bool,
    /// Why the first message in a different version could not be read.
    other_version: Option<WireError>,
}

impl SyncClient {
    pub(crate) fn new(server: SocketAddr, clock: SkewedClock, config: Config) -> Result<Self> {
        Ok(SyncClient {
            server,
            socket: address::connect(server)?,
            clock,
            guest: NotedGuest::new(Guest::new(
                GuestConfig { clock: config, ..GuestConfig::default() },
                random_seed()?,
            )?),
            link: None,
            marking: Marking::new(true),
            told_of_mark: false,
            told_of_key: false,
            traffic: Traffic::default(),
            latest: None,
            has_world: false,
            segment: None,
            judge: None,
            stepped: None,
            pause: None,
            announced: None,
            followed: None,
            only_time: false,
            steady_interval: Span::ZERO,
            stamps: Stamps::None,
            claim: None,
            utc_jump: None,
            owed: None,
            is_unsent: false,
            answered: None,
            refused: false,
            other_version: None,
        })
    }

    /// Follows the clock over a link with this key, and seals the session. From then on, unsealed datagrams
    /// are ignored.
    pub(crate) fn use_key(&mut self, key: SessionKey) -> Result<()> {
        let (key, now) = (key_file::started(key), self.clock.at(clock::now()));
        self.guest.run(|guest| guest.connect(Some(&key), now))?;
        self.link(key)
    }

    fn link(&mut self, key: SessionKey) -> Result<()> {
        let unmarked = self.marking.mark() == Mark::Off;
        let steady_interval = self.steady_interval;
        let config = ClientLinkConfig { unmarked, steady_interval, ..ClientLinkConfig::default() };
        self.link = Some(GuestLink::connect(self.server, key, config, &self.guest, self.clock)?);
        Ok(())
    }

    /// Reports once that marked datagrams were found to be dropped on the path.
    pub(crate) fn take_mark_dropped(&mut self) -> Option<Described> {
        let mark = self.link.as_ref().map_or(self.marking.mark(), |link| link.status().mark);
        let is_dropped = mark == Mark::Dropped;
        let was_told = std::mem::replace(&mut self.told_of_mark, is_dropped);
        (is_dropped && !was_told).then(mark_dropped)
    }

    /// Reports once that the server hears another client with the same key.
    pub(crate) fn take_key_in_use(&mut self) -> Option<Described> {
        let is_in_use = self.link.as_ref().is_some_and(|link| link.status().trouble == Trouble::KeyInUse);
        let is_news = is_in_use && !self.told_of_key;
        self.told_of_key |= is_in_use;
        is_news.then(key_in_use)
    }

    /// Where arrival stamps come from.
    pub(crate) fn stamps(&self) -> Stamps {
        self.link.as_ref().map_or(self.stamps, |link| link.status().stamps)
    }

    pub(crate) fn turn_to(&mut self, server: SocketAddr) -> Result<()> {
        self.socket = address::connect(server)?;
        self.marking.try_again();
        (self.server, self.answered, self.refused) = (server, None, false);
        // The counts of the link to the previous server are kept.
        self.traffic = self.traffic();
        if let Some(link) = self.link.take() {
            self.link(link.end())?;
        }
        self.guest.run(|guest| {
            guest.introduce();
            guest.clock_mut().begin_burst();
        });
        Ok(())
    }

    /// True if the server answered before and is now gone: no program listens there, or the server has been
    /// silent for long.
    pub(crate) fn is_deserted(&self) -> bool {
        let is_blocked = || self.link.as_ref().is_some_and(GuestLink::is_blocked);
        let is_silent = |answered| clock::now() - answered > SILENCE;
        self.answered.is_some_and(|answered| self.refused || is_silent(answered) || is_blocked())
    }

    pub(crate) fn authority(&self) -> Option<Authority> {
        self.guest.run(|guest| guest.clock().authority(self.clock.at(clock::now())))
    }

    /// Starts to keep every exchange. Returns those kept since the last call.
    pub(crate) fn take_samples(&mut self) -> Result<Vec<Sample>> {
        match self.guest.note(Notes::Kept(Vec::new()))? {
            Notes::Kept(samples) => Ok(samples),
            _ => Ok(Vec::new()),
        }
    }

    pub(crate) fn end_recording(&mut self) -> Result<()> {
        self.guest.announce(self.clock.at(clock::now()), &Announcement::Ended);
        match self.guest.note(Notes::Nowhere)? {
            Notes::File(recorder) => recorder.finish(),
            _ => Ok(()),
        }
    }

    /// Reads the clock. Also returns the machine time of the read.
    pub(crate) fn read(&self) -> (MachineTime, Reading) {
        let machine = clock::now();
        (machine, self.guest.run(|guest| guest.clock().read(self.clock.at(machine))))
    }

    /// Does nothing until `is_over`. The link's thread waits too, as if the process were suspended.
    pub(crate) fn stall(&self, is_over: impl Fn() -> bool) {
        self.guest.run(|_| {
            while !is_over() {
                thread::sleep(Duration::from_millis(1));
            }
        });
    }

    /// True if there is a server time to show.
    pub(crate) fn is_synced(&self) -> bool {
        self.guest.run(|guest| guest.clock().is_time_synced())
    }

    /// Takes the oldest event that has not been fetched yet.
    pub(crate) fn next_event(&mut self) -> Option<Event> {
        self.guest.run(Guest::next_event)
    }

    /// Datagrams so far, including the link's.
    pub(crate) fn traffic(&self) -> Traffic {
        let mut traffic = self.traffic;
        if let Some(link) = &self.link {
            traffic.add_link(&link.status().counts);
        }
        traffic
    }
}
