//! The player's end of a session.

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
    /// Settings of the latency watch.
    pub latency: LatencyConfig,
}

/// The values that a guest shows in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The server's time.
    pub reading: Reading,
    /// The time of each world. `None` if the host has not published it, or the clock is not in sync.
    pub worlds: [Option<WorldReading>; WORLDS],
    /// The server's UTC. `None` if the host has not stated it, or the clock is not in sync.
    pub utc: Option<UtcReading>,
    /// The newest start, and whether to start in this frame.
    pub start: Progress,
    /// The authority of the clock that the reading refers to, with its dispersion.
    pub authority: Option<Authority>,
    /// The server time by which the host handles a message that leaves now, with the probability of
    /// [`LeadConfig::quantile`]. Predict for this time. `None` before the second reply.
    pub handled_by: Option<ServerTime>,
    /// The server time at which other players can be shown: see
    /// [`Lead::showable`](crate::order::Lead::showable).
    pub showable: Option<ServerTime>,
    /// The playback speed of the local avatar that hides a latency change.
    pub speed: Speed,
}

/// The player's end: sends requests, receives the host's news and provides it. It has one owner;
/// [`reader`](Self::reader) is for other threads. It allocates memory only when it is created. See [the
/// module](super) for an example.
#[derive(Debug)]
pub struct Guest {
    client: Client,
    talk: Box<Talk>,
}

impl Guest {
    /// Creates a guest that is connected without a session key. `seed` makes its requests and sessions
    /// unguessable; draw 128 bits from the operating system.
    ///
    /// # Errors
    /// A setting is out of range, the seed is zero, or there is not enough memory.
    pub fn new(config: GuestConfig, seed: u128) -> Result<Self, CreateError> {
        Self::with_saved(config, seed, &Earlier::NONE)
    }

    /// Like [`new`](Self::new), with the states that earlier sessions saved: see [`Client::with_saved`].
    ///
    /// # Errors
    /// Like [`new`](Self::new).
    pub fn with_saved(config: GuestConfig, seed: u128, earlier: &Earlier<'_>) -> Result<Self, CreateError> {
        let client = Client::with_saved(config.clock, seed, earlier)?;
        Ok(Guest { client, talk: Talk::new(&config, seed)? })
    }

    /// Begins another connection, to this host or another. With a `key`, all datagrams are sealed; each
    /// connection needs a new key. The clock continues, but without a bound until the first reply, as after
    /// [`Client::may_have_missed_time`], because the new host's clock may be another.
    ///
    /// # Errors
    /// `now` is out of range, or slightly before an earlier call's; nothing changed.
    pub fn connect(&mut self, key: Option<&SessionKey>, now: LocalTime) -> Result<(), TimeError> {
        self.talk.connect(&mut self.client, key, Some(now))
    }

    /// As [`connect`](Self::connect), to a host that is expected to continue the time of the one before, as
    /// when a game's host migrates. The error bound goes on, too. If the new host's clock turns out to be
    /// another, the clock starts over with its first reply.
    pub fn follow(&mut self, key: Option<&SessionKey>) {
        // Only an instant is refused.
        let _ = self.talk.connect(&mut self.client, key, None);
    }

    /// The server epoch of the host that answered in this connection. None before its first answer.
    pub fn host_epoch(&self) -> Option<u64> {
        self.talk.host_epoch()
    }

    /// Whether this player takes part in starts, as it does at first. Turn it off while the player loads
    /// another world: then starts wait for it, and it starts when it is turned on again.
    pub fn take_part(&mut self, takes_part: bool) {
        self.talk.is_present = takes_part;
    }

    /// Reads what [`Host::blob`](super::Host::blob) wrote, for example from a replay. Without a connection,
    /// [`world`](Self::world) then answers for the run of the server's clock that [`blob_epoch`]
    /// (Self::blob_epoch) names.
    ///
    /// # Errors
    /// The bytes are not a blob, or a mixture of several; nothing changed.
    pub fn read_blob(&mut self, bytes: &[u8]) -> Result<(), SessionError> {
        self.talk.read_blob(bytes)
    }

    /// The server epoch of the newest blob.
    pub fn blob_epoch(&self) -> Option<u64> {
        self.talk.blob_epoch
    }

    /// Introduces the guest to the host again, because the transport sends from another address or to another
    /// server, where the host may not know the guest and would not send it news. Unlike
    /// [`connect`](Self::connect), this leaves the clock unchanged, so another host must be of the same game.
    pub fn introduce(&mut self) {
        self.talk.introduce();
    }

    /// Notes that the caller polled its transport at `at` and has handled all datagrams that were there: see
    /// [`Client::polled`]. Before a datagram that was timestamped on arrival, pass its timestamp.
    ///
    /// # Errors
    /// `at` is out of range; nothing changed.
    pub fn polled(&mut self, at: LocalTime) -> Result<(), TimeError> {
        self.client.polled(at)
    }

    /// Returns the values to show in the frame at `now`. Call it once a frame. World time does not go
    /// backwards from call to call, and a start fires in one of them.
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
    /// [`SessionError::OtherSession`] the guest introduces itself to the host again. A reply that the clock
    /// refuses is not an error: see [`Client::last_sample`].
    pub fn receive(&mut self, datagram: &[u8], arrived: LocalTime) -> Result<(), SessionError> {
        self.talk.receive(&mut self.client, datagram, arrived)
    }

    /// Returns the next datagram to send at `now`, and whether to send it reliably if the transport can. Call
    /// it in every frame until it returns `None`, right before datagrams leave.
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

    /// Removes and returns the oldest detected latency change.
    pub fn next_latency_change(&mut self) -> Option<LatencyChange> {
        self.talk.latency.next_change()
    }

    /// The link that the host offered in this connection: see [`Host::offer_link`](super::Host::offer_link).
    pub fn link_offer(&self) -> Option<&LinkOffer> {
        self.talk.offer.as_ref()
    }

    /// The clock. A recorder writes its samples.
    pub fn clock(&self) -> &Client {
        &self.client
    }

    /// The clock, for calls that change it, such as [`Client::make_step`]. Do not pass it requests or
    /// replies.
    pub fn clock_mut(&mut self) -> &mut Client {
        &mut self.client
    }

    /// A world, for its time at other instants. `None` if there is no world with this number.
    pub fn world(&self, number: usize) -> Option<&Timeline> {
        self.talk.worlds.get(number)
    }

    /// The server's UTC, for other instants.
    pub fn utc(&self) -> &ServerUtc {
        &self.talk.utc
    }
}
