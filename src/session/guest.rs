//! The player side of a session.

use super::WORLDS;
use super::error::SessionError;
use super::message::LinkOffer;
use super::protocol::GuestProtocol;
use crate::clock::authority::Authority;
use crate::clock::keyed::SessionKey;
use crate::clock::{
    Client, Config, CreateError, Earlier, Event, LocalTime, Reader, Reading, ServerTime, Span, TimeError,
};
use crate::game::latency::{LatencyChange, LatencyWatch, Speed};
use crate::game::order::LeadConfig;
use crate::game::start::Progress;
use crate::game::timeline::{Timeline, TimelineConfig, WorldReading};
use crate::game::utc::{UtcClaim, UtcReading};

/// The settings for a [`Guest`], which are validated when the guest is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuestConfig {
    /// Clock settings.
    pub clock: Config,
    /// Settings that apply to all worlds.
    pub world: TimelineConfig,
    /// Prediction lead settings.
    pub lead: LeadConfig,
    /// The guest does not report latency changes smaller than this. (1 ms to 1 s, default 10 ms)
    pub least_latency_change: Span,
}

impl Default for GuestConfig {
    fn default() -> Self {
        GuestConfig {
            clock: Config::default(),
            world: TimelineConfig::default(),
            lead: LeadConfig::default(),
            least_latency_change: LatencyWatch::LEAST_CHANGE,
        }
    }
}

/// Everything that the game shows in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The server time, its error bound and the state of the clock.
    pub reading: Reading,
    /// The time in each world, or `None` if the host has not published it or the clock is not in sync.
    pub worlds: [Option<WorldReading>; WORLDS],
    /// The server's UTC, or `None` if the host has not published it or the clock is not in sync.
    pub utc: Option<UtcReading>,
    /// The state of the most recent start, and whether to start in this frame.
    pub start: Progress,
    /// The clock's authority and its dispersion.
    pub authority: Option<Authority>,
    /// The server time for which to predict. With probability [`LeadConfig::quantile`], the host will by then
    /// have handled a message that is sent now. The value is `None` before the second reply.
    pub handled_by: Option<ServerTime>,
    /// The server time at which to show other players. See [`Lead::showable`](crate::order::Lead::showable).
    pub showable: Option<ServerTime>,
    /// The playback speed that hides latency changes in the local avatar's motion.
    pub speed: Speed,
}

/// The player side of a session. It sends requests, receives the host's updates and provides the results. Use
/// a guest from one thread at a time, and its [`reader`](Self::reader) in other threads. Memory is allocated
/// only on creation. See [the module](super) for an example.
#[derive(Debug)]
pub struct Guest {
    client: Client,
    protocol: Box<GuestProtocol>,
}

impl Guest {
    /// Creates a guest whose first connection has no session key. `seed` makes its requests and sessions
    /// unguessable. Draw all 128 bits from the operating system's random number generator.
    ///
    /// # Errors
    /// Fails if a setting is out of range, the seed is zero, or there is not enough memory.
    pub fn new(config: GuestConfig, seed: u128) -> Result<Self, CreateError> {
        Self::with_saved(config, seed, &Earlier::NONE)
    }

    /// Creates a guest with the state that earlier sessions saved. See [`new`](Self::new) and
    /// [`Client::with_saved`].
    ///
    /// # Errors
    /// Returns the same errors as [`new`](Self::new).
    pub fn with_saved(config: GuestConfig, seed: u128, earlier: &Earlier<'_>) -> Result<Self, CreateError> {
        let client = Client::with_saved(config.clock, seed, earlier)?;
        Ok(Guest { client, protocol: GuestProtocol::new(&config, seed)? })
    }

    /// Starts a new connection to the same host or a different one. With a `key`, all datagrams are sealed.
    /// Each connection needs a new key. The new host may have a different clock. As after
    /// [`Client::may_have_missed_time`], the guest's clock has no error bound until the first reply.
    ///
    /// # Errors
    /// Fails and changes nothing if `now` is out of range or slightly earlier than in a previous call.
    pub fn connect(&mut self, key: Option<&SessionKey>, now: LocalTime) -> Result<(), TimeError> {
        self.protocol.connect(&mut self.client, key, Some(now))
    }

    /// Starts a new connection to a host that continues the previous host's time, as after a host migration.
    /// Unlike [`connect`](Self::connect), this keeps the error bound. If the new host turns out to have a
    /// different clock, the guest's clock starts over with the first reply.
    pub fn follow(&mut self, key: Option<&SessionKey>) {
        let _ = self.protocol.connect(&mut self.client, key, None);
    }

    /// Returns the server epoch of the host in this connection, or `None` before the host's first reply.
    pub fn host_epoch(&self) -> Option<u64> {
        self.protocol.host_epoch()
    }

    /// Sets whether this player takes part in starts (default true). Pass `false` while the player loads
    /// another world. Starts wait for this player until you pass `true` again.
    pub fn take_part(&mut self, takes_part: bool) {
        self.protocol.is_present = takes_part;
    }

    /// Reads a blob written by [`Host::blob`](super::Host::blob), for example from a replay. Without a
    /// connection, [`world`](Self::world) then returns times for the server epoch
    /// [`blob_epoch`](Self::blob_epoch).
    ///
    /// # Errors
    /// Fails and changes nothing if the bytes are not a blob, or are a mixture of several blobs.
    pub fn read_blob(&mut self, bytes: &[u8]) -> Result<(), SessionError> {
        self.protocol.read_blob(bytes)
    }

    /// Returns the server epoch of the most recent blob.
    pub fn blob_epoch(&self) -> Option<u64> {
        self.protocol.blob_epoch
    }

    /// Introduces the guest to the host again. Call this when the transport's local address changes or the
    /// transport connects to a different server. A host that does not know the guest sends no updates. Unlike
    /// [`connect`](Self::connect), this leaves the clock unchanged, so the host must belong to the same game.
    pub fn introduce(&mut self) {
        self.protocol.introduce();
    }

    /// Records that the caller polled its transport at `at` and has handled all available datagrams. If a
    /// datagram was timestamped on arrival, pass its timestamp to this function before you pass the datagram
    /// to [`receive`](Self::receive). See [`Client::polled`].
    ///
    /// # Errors
    /// Fails and changes nothing if `at` is out of range.
    pub fn polled(&mut self, at: LocalTime) -> Result<(), TimeError> {
        self.client.polled(at)
    }

    /// Returns the values to show in the frame at `now`. Call this once per frame. World time never runs
    /// backwards from one call to the next, and each start fires in exactly one call.
    ///
    /// # Errors
    /// Fails and changes nothing if `now` is out of range.
    pub fn view(&mut self, now: LocalTime) -> Result<View, TimeError> {
        self.protocol.view(&self.client, now)
    }

    /// Handles a datagram from the host, received at `arrived`.
    ///
    /// # Errors
    /// Returns the reason if the datagram was rejected. The state is then unchanged, but after
    /// [`SessionError::OtherSession`], the guest introduces itself again. A reply that the clock rejects is
    /// not an error. See [`Client::last_sample`]. [`WireError::Version`](crate::WireError::Version) means
    /// that the host uses a different version of the format. The text of the error states which side is
    /// older. Without a key, the error may be forged, so ignore it once the host has replied.
    pub fn receive(&mut self, datagram: &[u8], arrived: LocalTime) -> Result<(), SessionError> {
        self.protocol.receive(&mut self.client, datagram, arrived)
    }

    /// Returns the next datagram to send at `now`, and whether to send it reliably if the transport can. In
    /// every frame, call this until it returns `None`, immediately before the transport sends its datagrams.
    ///
    /// # Errors
    /// Fails and changes nothing if `now` is out of range or slightly earlier than in a previous call.
    pub fn next(&mut self, now: LocalTime) -> Result<Option<(&[u8], bool)>, TimeError> {
        self.protocol.next(&mut self.client, now)
    }

    /// Returns a handle that reads the server's time in any thread.
    pub fn reader(&self) -> Reader {
        self.client.reader()
    }

    /// Removes and returns the oldest event of the clock. At most the 16 most recent events are kept.
    pub fn next_event(&mut self) -> Option<Event> {
        self.client.next_event()
    }

    /// Removes and returns a detected latency change.
    pub fn next_latency_change(&mut self) -> Option<LatencyChange> {
        self.protocol.latency.next_change()
    }

    /// Returns the link that the host has offered in this connection. See
    /// [`Host::offer_link`](super::Host::offer_link).
    pub fn link_offer(&self) -> Option<&LinkOffer> {
        self.protocol.offer.as_ref()
    }

    /// Returns the clock, for example to record its samples.
    pub fn clock(&self) -> &Client {
        &self.client
    }

    /// Returns the clock for calls that modify it, such as [`Client::make_step`]. Do not use it to create
    /// requests or to handle replies.
    pub fn clock_mut(&mut self) -> &mut Client {
        &mut self.client
    }

    /// Returns the world with this number, if there is one, for example to read its time at other instants.
    pub fn world(&self, number: usize) -> Option<&Timeline> {
        self.protocol.worlds.get(number)
    }

    /// Returns the host's newest claim about UTC, for example to read UTC at other instants.
    pub fn utc(&self) -> Option<&UtcClaim> {
        self.protocol.utc[0].as_ref()
    }
}
