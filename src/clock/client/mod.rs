//! The client: sends requests, learns from the replies, and shows the server's time.
//!
//! | file | purpose | uses |
//! |---|---|---|
//! | `conductor.rs` | coordinates the other parts, from a reply to the published snapshot | |
//! | `asking.rs` | creates requests and matches their replies | `probes.rs` `authority_requests.rs` |
//! | `schedule.rs` | decides when to send requests | `allowance.rs` |
//! | `local_clock.rs` | detects pauses and steps of the local clock | |
//! | `polls.rs` | records when the caller polled for messages | |
//! | `authorities.rs` | tracks which server's clock is followed | `rivals.rs` |
//! | `known.rs` | estimates offset and rate | `bounds.rs` `slews.rs` `estimators.rs` `quality.rs` `path.rs` |
//! | `linked.rs` | records on which paths exchanges arrive | |
//! | `saved.rs` | saves state for later sessions | |
//! | `shown.rs` | steers the shown clock and publishes it | `reset.rs` `reader.rs` |

mod allowance;
mod asking;
mod authorities;
mod authority_requests;
mod bounds;
mod conductor;
mod config;
mod estimators;
mod events;
mod known;
mod linked;
mod local_clock;
mod path;
mod polls;
mod probes;
mod quality;
mod reader;
mod reset;
mod rivals;
mod sample;
mod saved;
mod schedule;
mod shown;
mod slews;

#[cfg(feature = "link")]
pub(crate) use asking::Asking;
pub use config::{Config, RateHint};
pub use events::{Cause, Degradation, Event};
pub use reader::Reader;
pub use sample::Sample;
pub use saved::{Earlier, SAVED_SIZE, Saved};

use conductor::Conductor;

use crate::clock::discipline::Reading;
use crate::clock::exchange::{Exchange, Path, Refusal};
use crate::clock::ground::memory::{CreateError, check_seed};
use crate::clock::ground::time::{LocalTime, ServerTime, Span, TimeError};

/// Follows a server's clock. A single owner calls the `&mut` methods. Any number of [`Reader`]s can read the
/// clock from any thread.
///
/// The client allocates memory only when it is created. See the [crate documentation](crate) for the run
/// loop.
///
/// ```
/// use netclock::{Client, Config, LocalTime, Responder, ServerTime, Span};
///
/// let responder = Responder::new(42); // on the server; use a random epoch
/// let mut client = Client::new(Config::default(), 7)?;
/// let mut now = LocalTime::from_ticks(0);
/// while !client.is_time_synced() {
///     if let Some(request) = client.tick(now)? {
///         let there = ServerTime::from_ticks(now.ticks()) + Span::from_millis(20);
///         let reply = responder.respond(&request, there, there)?;
///         client.handle_reply(&reply, now + Span::from_millis(40))?;
///     }
///     now += Span::from_millis(50); // a frame
/// }
/// let reading = client.read(now);
/// assert!(reading.server_time - ServerTime::from_ticks(now.ticks()) <= reading.error_bound);
/// assert_eq!(client.local_time_at(reading.server_time), Some(now));
/// while let Some(event) = client.next_event() {
///     println!("{event:?}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Client {
    config: Config,
    conductor: Box<Conductor>,
    last_sample: Option<Sample>,
    /// Number of exchanges passed to this client.
    sample_count: u64,
}

impl Client {
    /// Creates a client without saved state.
    ///
    /// `seed` makes the request ids unguessable and randomises the request times. Draw 128 bits from the
    /// operating system. Equal seeds and equal calls produce bit-identical behaviour.
    ///
    /// # Errors
    /// Returns [`CreateError::Config`] if a field of `config` is out of range, [`CreateError::Seed`] if the
    /// seed is zero, or [`CreateError::OutOfMemory`] if an allocation fails.
    pub fn new(config: Config, seed: u128) -> Result<Self, CreateError> {
        Self::with_saved(config, seed, &Earlier::NONE)
    }

    /// Same as [`new`](Self::new), but starts from the [saved state](Self::save) of earlier sessions. The
    /// client then knows the rate from the start. If an earlier session measured an asymmetric route and the
    /// round trip is unchanged, it also knows the asymmetry.
    ///
    /// A damaged or invalid state is ignored; [`used_saved`](Self::used_saved) reports whether the state was
    /// used. Exchanges correct a wrong rate. They cannot detect a wrong asymmetry if the round trip is the
    /// same, so keep a separate state for each server. The error bound never depends on saved state.
    ///
    /// # Errors
    /// Same as [`new`](Self::new).
    pub fn with_saved(config: Config, seed: u128, earlier: &Earlier<'_>) -> Result<Self, CreateError> {
        config.validate()?;
        check_seed(seed)?;
        let conductor = Conductor::new(&config, seed, earlier)?;
        Ok(Client { config, conductor, last_sample: None, sample_count: 0 })
    }

    /// Returns whether the machine's and the server's saved states were used.
    pub fn used_saved(&self) -> (bool, bool) {
        self.conductor.memory.used()
    }

    /// Returns the settings that the client was created with.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Learns from the timestamps of an exchange that the caller carried out over a transport that matches
    /// replies to requests. `server_epoch` identifies the run of the server's clock, if the transport knows
    /// it.
    ///
    /// # Errors
    /// Same as [`handle_reply`](Self::handle_reply).
    pub fn handle_exchange(&mut self, exchange: &Exchange, server_epoch: Option<u64>) -> Result<(), Refusal> {
        let sample = self.conductor.handle_exchange(exchange, Path::Messages, server_epoch);
        self.keep(sample)
    }

    /// Records that the caller polled its transport at `at` and has handled all messages available then.
    /// Replies passed to [`handle_reply`](Self::handle_reply) afterwards therefore arrived after `at`, and
    /// may have waited before they were timestamped. Call this once per poll, with the time of the poll. If a
    /// reply was timestamped on arrival, pass it to the client before this call.
    ///
    /// This is needed only if replies are handled outside the loop that calls [`tick`](Self::tick). Without
    /// it, the client assumes that a reply timestamped close to a tick was found by that loop.
    ///
    /// # Errors
    /// Returns [`TimeError::OutOfRange`] if `at` is outside the valid range. The client is then unchanged.
    pub fn polled(&mut self, at: LocalTime) -> Result<(), TimeError> {
        if !at.is_valid() {
            return Err(TimeError::OutOfRange);
        }
        self.conductor.polls.polled(at);
        Ok(())
    }

    fn keep(&mut self, sample: Sample) -> Result<(), Refusal> {
        self.sample_count += 1;
        self.last_sample.insert(sample).outcome
    }

    /// Learns from an exchange with a single server timestamp: a reply with `server_time` arrived at
    /// `current_time`, after a round trip of `round_trip`. Returns whether it was accepted. As in the other
    /// calls, `current_time` is the arrival time, which may be before the `now` of previous calls.
    pub fn update_server_time(
        &mut self,
        server_time: ServerTime,
        current_time: LocalTime,
        round_trip: Span,
    ) -> bool {
        let exchange = Exchange::from_two_stamps(server_time, current_time, round_trip);
        self.handle_exchange(&exchange, None).is_ok()
    }

    /// Returns the most recent exchange passed to this client by any method, whether accepted or rejected. To
    /// record a session, read it after each such call.
    pub fn last_sample(&self) -> Option<&Sample> {
        self.last_sample.as_ref()
    }

    /// Returns the number of exchanges passed to this client.
    pub(crate) fn sample_count(&self) -> u64 {
        self.sample_count
    }

    /// Returns the server's time at `now`, or `None` before the first sync or if `now` is out of range. The
    /// time never goes backwards within an [epoch](Reading::epoch); see [`Reader`].
    pub fn current_server_time(&self, now: LocalTime) -> Option<ServerTime> {
        self.conductor.shown.reader.current_server_time(now)
    }

    /// Returns whether a reply has been accepted, so that there is a server time to read.
    pub fn is_time_synced(&self) -> bool {
        self.conductor.shown.is_synced()
    }

    /// Reads the server's time at `now`, with its error bounds and the state of the clock.
    pub fn read(&self, now: LocalTime) -> Reading {
        self.conductor.shown.reader.read(now)
    }

    /// Returns the local time at which the shown clock will read `server`, according to the current estimate.
    /// `None` before the first sync.
    pub fn local_time_at(&self, server: ServerTime) -> Option<LocalTime> {
        self.conductor.shown.reader.local_time_at(server)
    }

    /// Returns a handle for reading the clock from any thread without blocking. This does not allocate.
    pub fn reader(&self) -> Reader {
        self.conductor.shown.reader.clone()
    }

    /// Removes and returns the oldest event. The queue keeps the 16 most recent events.
    pub fn next_event(&mut self) -> Option<Event> {
        self.conductor.events.pop()
    }

    /// Returns the total number of events so far.
    pub(crate) fn event_count(&self) -> u64 {
        self.conductor.events.total
    }

    /// Returns the events after the first `count` that are still queued, without removing them.
    pub(crate) fn events_since(&self, count: u64) -> impl Iterator<Item = Event> + '_ {
        self.conductor.events.since(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::exchange::Reply;

    const LATER: LocalTime = LocalTime::from_ticks(100_000);

    fn at(ticks: i64) -> ServerTime {
        ServerTime::from_ticks(ticks)
    }

    #[test]
    fn every_way_in_leaves_its_sample() -> Result<(), Box<dyn std::error::Error>> {
        let mut client = Client::new(Config::default(), 1)?;
        assert_eq!(client.last_sample(), None);

        let request = client.make_request(LocalTime::from_ticks(5))?;
        let reply = Reply { id: request.id, epoch: 7, received: at(10), sent: at(20), wait: None };
        client.handle_reply(&reply, LATER)?;
        let answered = Sample {
            id: Some(request.id),
            server_epoch: Some(7),
            client_sent: Some(LocalTime::from_ticks(5)),
            server_received: at(10),
            server_sent: at(20),
            client_received: LATER,
            server_wait: None,
            client_wait: None,
            by_link: false,
            outcome: Ok(()),
        };
        assert_eq!(client.last_sample(), Some(&answered));

        assert_eq!(client.handle_reply(&reply, LATER), Err(Refusal::UnknownRequest));
        let unknown = Sample { client_sent: None, outcome: Err(Refusal::UnknownRequest), ..answered };
        assert_eq!(client.last_sample(), Some(&unknown));
        assert_eq!(unknown.exchange(), None);

        let mut exchange = answered.exchange().ok_or("all stamps are known")?;
        exchange.server_sent = at(9);
        assert_eq!(client.handle_exchange(&exchange, None), Err(Refusal::SentBeforeReceived));
        let disorder = Err(Refusal::SentBeforeReceived);
        assert_eq!(client.last_sample(), Some(&Sample::of(&exchange, None, disorder)));

        assert!(!client.update_server_time(at(50), LATER, Span::from_secs(6)));
        let slow = Exchange::from_two_stamps(at(50), LATER, Span::from_secs(6));
        assert_eq!(client.last_sample(), Some(&Sample::of(&slow, None, Err(Refusal::TooSlow))));
        Ok(())
    }
}
