//! A player's end of the conversation.

use super::WORLDS;
use super::error::SessionError;
use super::message::LinkOffer;
use super::talk::Talk;
use crate::clock::authority::Authority;
use crate::clock::keyed::SessionKey;
use crate::clock::{
    Client, Config, CreateError, Earlier, Event, LocalTime, Reader, Reading, ServerTime, TimeError,
};
use crate::game::latency::{LatencyChange, LatencyConfig, Speed};
use crate::game::order::LeadConfig;
use crate::game::start::Progress;
use crate::game::timeline::{Timeline, TimelineConfig, WorldReading};
use crate::game::utc::{ServerUtc, UtcReading};

/// Settings of a [`Guest`]. Checked once, when it is created.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GuestConfig {
    /// Settings of the clock.
    pub clock: Config,
    /// Settings of all worlds.
    pub world: TimelineConfig,
    /// Settings of the prediction lead.
    pub lead: LeadConfig,
    /// Settings of the watch over the latency.
    pub latency: LatencyConfig,
}

/// Everything that a guest shows in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The server's time.
    pub reading: Reading,
    /// The time of each world; none if the host has not published it, or the clock is not in sync.
    pub worlds: [Option<WorldReading>; WORLDS],
    /// The server's UTC; none if the host has not stated it, or the clock is not in sync.
    pub utc: Option<UtcReading>,
    /// The newest start, and whether to start in this frame.
    pub start: Progress,
    /// Whose clock the reading speaks of, and how far it may be off that clock's timescale.
    pub authority: Option<Authority>,
    /// The host handles a message that leaves now before its clock reads this, with the probability of
    /// [`LeadConfig::quantile`]: predict for this time. None before the second reply.
    pub handled_by: Option<ServerTime>,
    /// Others can be shown as they were at this time of the server: see
    /// [`Lead::showable`](crate::order::Lead::showable).
    pub showable: Option<ServerTime>,
    /// The speed at which the local avatar plays to hide a changed latency.
    pub speed: Speed,
}

/// A player's end: asks, learns what the host says, and shows it. One owner; [`reader`](Self::reader) is for
/// other threads. It allocates memory when it is created and never again. See [the module](super) for an
/// example.
#[derive(Debug)]
pub struct Guest {
    client: Client,
    talk: Box<Talk>,
}

impl Guest {
    /// A guest that is connected without a session key. `seed` makes its requests and sessions unguessable:
    /// draw 128 bits from the operating system.
    ///
    /// # Errors
    /// A setting is out of range, the seed is zero, or there is not enough memory.
    pub fn new(config: GuestConfig, seed: u128) -> Result<Self, CreateError> {
        Self::with_saved(config, seed, &Earlier::NONE)
    }

    /// As [`new`](Self::new), with what earlier sessions saved: see [`Client::with_saved`].
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_saved(config: GuestConfig, seed: u128, earlier: &Earlier<'_>) -> Result<Self, CreateError> {
        let client = Client::with_saved(config.clock, seed, earlier)?;
        Ok(Guest { client, talk: Talk::new(&config, seed)? })
    }

    /// Begins another connection, to this host or to another. With a `key`, all datagrams are sealed: each
    /// connection has a new key. The time goes on, but without a bound until the first reply, as after
    /// [`Client::may_have_missed_time`]: the new host's clock may be another.
    ///
    /// # Errors
    /// `now` is out of range, or slightly before an earlier call's; nothing changed.
    pub fn connect(&mut self, key: Option<&SessionKey>, now: LocalTime) -> Result<(), TimeError> {
        self.talk.connect(&mut self.client, key, now)
    }

    /// Tells the host of this connection again, because the transport sends from another address or to another
    /// server. The host may not know the guest there, and would send it no news. In contrast to
    /// [`connect`](Self::connect), the clock goes on as it is: another host must be of the same game.
    pub fn introduce(&mut self) {
        self.talk.introduce();
    }

    /// Notes that the caller polled its transport at `at`, and has handled all datagrams that were there: see
    /// [`Client::polled`]. Before a datagram that was stamped on arrival, pass its stamp.
    ///
    /// # Errors
    /// `at` is out of range; nothing changed.
    pub fn polled(&mut self, at: LocalTime) -> Result<(), TimeError> {
        self.client.polled(at)
    }

    /// Everything that is shown in the frame at `now`. Call it once a frame: world time does not go backwards
    /// from call to call, and a start fires in one of them.
    ///
    /// # Errors
    /// `now` is out of range; nothing changed.
    pub fn view(&mut self, now: LocalTime) -> Result<View, TimeError> {
        self.talk.view(&self.client, now)
    }

    /// Handles a datagram of the host that arrived at `arrived`.
    ///
    /// # Errors
    /// The reason for refusing the datagram; nothing changed, except that after
    /// [`SessionError::OtherSession`] the guest tells the host of this connection again. A reply that the
    /// clock refuses is not an error: see [`Client::last_sample`].
    pub fn receive(&mut self, datagram: &[u8], arrived: LocalTime) -> Result<(), SessionError> {
        self.talk.receive(&mut self.client, datagram, arrived)
    }

    /// The next datagram to send at `now`, and whether to send it reliably if the transport can. Call it in
    /// every frame until it returns none, right before datagrams leave.
    ///
    /// # Errors
    /// `now` is out of range, or slightly before an earlier call's; nothing changed.
    pub fn next(&mut self, now: LocalTime) -> Result<Option<(&[u8], bool)>, TimeError> {
        self.talk.next(&mut self.client, now)
    }

    /// A handle for reading the server's time from any thread.
    pub fn reader(&self) -> Reader {
        self.client.reader()
    }

    /// Removes and returns the oldest event of the clock. The 16 newest are kept.
    pub fn next_event(&mut self) -> Option<Event> {
        self.client.next_event()
    }

    /// Removes and returns the next change of the latency that was found.
    pub fn next_latency_change(&mut self) -> Option<LatencyChange> {
        self.talk.latency.next_change()
    }

    /// The link that the host offered in this connection: see [`Host::offer_link`](super::Host::offer_link).
    pub fn link_offer(&self) -> Option<&LinkOffer> {
        self.talk.offer.as_ref()
    }

    /// The clock: its samples are what a recorder writes.
    pub fn clock(&self) -> &Client {
        &self.client
    }

    /// The clock, for the calls that change it: [`Client::make_step`], for example. Do not pass it requests
    /// and replies.
    pub fn clock_mut(&mut self) -> &mut Client {
        &mut self.client
    }

    /// A world, for its time at other instants. None if there is no world of this number.
    pub fn world(&self, number: usize) -> Option<&Timeline> {
        self.talk.worlds.get(number)
    }

    /// The server's UTC, for other instants.
    pub fn utc(&self) -> &ServerUtc {
        &self.talk.utc
    }
}
