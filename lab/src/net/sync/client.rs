//! Follows a server over UDP with a guest that receives the datagrams of the server's host. With a key, the
//! client also uses the library's link.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use netclock::authority::Authority;
use netclock::keyed::SessionKey;
use netclock::link::sockets::{StampedSocket, Stamps, Trouble};
use netclock::link::{ClientLinkConfig, Mark, Marking};
use netclock::session::{Guest, GuestConfig};
use netclock::{Config, Event, LocalTime, Reading, Sample, Span, WireError};

use super::events::{Described, key_in_use, mark_dropped};
use super::judge::Judge;
use super::linked::GuestLink;
use super::noted::{NotedGuest, Notes};
pub(crate) use super::traffic::Traffic;
use crate::net::address;
use crate::net::clock::{self, Frames, MachineTime, SkewedClock};
use crate::net::key_file;
use crate::net::random_seed;
use crate::recording::Announcement;

mod step;

/// A server that has answered before counts as gone after this much silence. The client sends a request every
/// 4 s.
const SILENCE: Span = Span::from_secs(13);

pub(crate) struct SyncClient {
    server: SocketAddr,
    socket: StampedSocket,
    clock: SkewedClock,
    pub(crate) frames: Option<Frames>,
    pub(super) guest: NotedGuest,
    link: Option<GuestLink>,
    /// A link decides for itself whether to mark messages, but starts without marks if the client has stopped
    /// marking.
    marking: Marking,
    pub(crate) has_world: bool,
    pub(crate) judge: Option<Judge>,
    pub(crate) pause: Option<Span>,
    /// If true, the client requests only the time. Set this before creating the link.
    pub(crate) only_time: bool,
    /// If zero, the link uses its default interval. Set this before creating the link.
    pub(crate) steady_interval: Span,
    stamps: Stamps,
    seen: Seen,
}

/// The client's messages and reports so far.
#[derive(Default)]
struct Seen {
    told_of_mark: bool,
    told_of_key: bool,
    traffic: Traffic,
    latest: Option<LocalTime>,
    segment: Option<(u64, u32, u32)>,
    stepped: Option<MachineTime>,
    announced: Option<Authority>,
    followed: Option<(u64, LocalTime)>,
    /// When the oldest unanswered message was sent, or `None` if all have been answered.
    owed: Option<MachineTime>,
    is_unsent: bool,
    answered: Option<MachineTime>,
    /// True if, since the last answer, the network has reported that no program listens on the server's port.
    refused: bool,
    other_version: Option<WireError>,
}

impl SyncClient {
    pub(crate) fn new(server: SocketAddr, clock: SkewedClock, config: Config) -> Result<Self> {
        Ok(SyncClient {
            server,
            socket: address::connect(server)?,
            clock,
            frames: None,
            guest: NotedGuest::new(Guest::new(
                GuestConfig { clock: config, ..GuestConfig::default() },
                random_seed()?,
            )?),
            link: None,
            marking: Marking::new(true),
            has_world: false,
            judge: None,
            pause: None,
            only_time: false,
            steady_interval: Span::ZERO,
            stamps: Stamps::None,
            seen: Seen::default(),
        })
    }

    /// Connects with a key. All later datagrams must be sealed.
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

    pub(crate) fn take_mark_dropped(&mut self) -> Option<Described> {
        let mark = self.link.as_ref().map_or(self.marking.mark(), |link| link.status().mark);
        let is_dropped = mark == Mark::Dropped;
        let was_told = std::mem::replace(&mut self.seen.told_of_mark, is_dropped);
        (is_dropped && !was_told).then(mark_dropped)
    }

    pub(crate) fn take_key_in_use(&mut self) -> Option<Described> {
        let is_in_use = self.link.as_ref().is_some_and(|link| link.status().trouble == Trouble::KeyInUse);
        let is_news = is_in_use && !self.seen.told_of_key;
        self.seen.told_of_key |= is_in_use;
        is_news.then(key_in_use)
    }

    pub(crate) fn stamps(&self) -> Stamps {
        self.link.as_ref().map_or(self.stamps, |link| link.status().stamps)
    }

    pub(crate) fn turn_to(&mut self, server: SocketAddr) -> Result<()> {
        self.socket = address::connect(server)?;
        self.marking.try_again();
        (self.server, self.seen.answered, self.seen.refused) = (server, None, false);
        // Save the previous link's counts before it ends.
        self.seen.traffic = self.traffic();
        if let Some(link) = self.link.take() {
            self.link(link.end())?;
        }
        self.guest.run(|guest| {
            guest.introduce();
            guest.clock_mut().begin_burst();
        });
        Ok(())
    }

    pub(crate) fn is_deserted(&self) -> bool {
        let is_blocked = || self.link.as_ref().is_some_and(GuestLink::is_blocked);
        let is_silent = |answered| clock::now() - answered > SILENCE;
        self.seen.answered.is_some_and(|answered| self.seen.refused || is_silent(answered) || is_blocked())
    }

    pub(crate) fn authority(&self) -> Option<Authority> {
        self.guest.run(|guest| guest.clock().authority(self.clock.at(clock::now())))
    }

    /// Returns the exchanges since the last call. The first call only starts the recording.
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

    pub(crate) fn read(&self) -> (MachineTime, Reading) {
        let machine = clock::now();
        (machine, self.guest.run(|guest| guest.clock().read(self.clock.at(machine))))
    }

    /// Stalls the client and the link's thread, as if the process were suspended.
    pub(crate) fn stall(&self, is_over: impl Fn() -> bool) {
        self.guest.run(|_| {
            while !is_over() {
                thread::sleep(Duration::from_millis(1));
            }
        });
    }

    pub(crate) fn is_synced(&self) -> bool {
        self.guest.run(|guest| guest.clock().is_time_synced())
    }

    pub(crate) fn next_event(&mut self) -> Option<Event> {
        self.guest.run(Guest::next_event)
    }

    pub(crate) fn traffic(&self) -> Traffic {
        let mut traffic = self.seen.traffic;
        if let Some(link) = &self.link {
            traffic.add_link(&link.status().counts);
        }
        traffic
    }
}
