//! The client's half: asks, learns from the replies, and shows the server's time.
//!
//! | part | does | with |
//! |---|---|---|
//! | `conductor.rs` | leads the others: the way of a reply to the published snapshot | |
//! | `asking.rs` | requests, and replies to expect | `probes.rs` `authority_requests.rs` |
//! | `schedule.rs` | when to ask | `allowance.rs` |
//! | `local_clock.rs` | whether the local clock runs on | |
//! | `polls.rs` | when the caller looked for messages | |
//! | `authorities.rs` | whose clock replies come from | `rivals.rs` |
//! | `known.rs` | what exchanges say | `bounds.rs` `slews.rs` `estimators.rs` `quality.rs` `path.rs` |
//! | `linked.rs` | whether exchanges come by the link | |
//! | `saved.rs` | what outlives the session | |
//! | `shown.rs` | what readers see of it | `reset.rs` `reader.rs` |

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

/// Follows a server's clock. One owner calls the `&mut` methods; any number of [`Reader`]s on any threads
/// read.
///
/// It allocates only when it is created. See the [crate's documentation](crate) for the run loop.
///
/// ```
/// use netclock::{Client, Config, LocalTime, Responder, ServerTime, Span};
///
/// let responder = Responder::new(42); // the server's; draw such numbers from the system
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
    /// A client that knows nothing yet.
    ///
    /// `seed` makes the request ids unguessable and the request times random: draw 128 bits from the
    /// operating system. The same seed and the same calls give the same behaviour, bit for bit.
    ///
    /// # Errors
    /// A field of `config` is out of range, the seed is zero, or there is not enough memory.
    pub fn new(config: Config, seed: u128) -> Result<Self, CreateError> {
        Self::with_saved(config, seed, &Earlier::NONE)
    }

    /// Like [`new`](Self::new), with the [saved state](Self::save) of earlier sessions. The rate is then
    /// known from the start, and so is how unequal the route is, if an earlier session measured it and the
    /// round trip is still the same.
    ///
    /// A damaged or wrong state is ignored; [`used_saved`](Self::used_saved) tells. Exchanges overrule a
    /// wrong rate, but they cannot refute a wrong route with the right round trip, so keep a state for each
    /// server. No bound depends on a state.
    ///
    /// # Errors
    /// Like [`new`](Self::new).
    pub fn with_saved(config: Config, seed: u128, earlier: &Earlier<'_>) -> Result<Self, CreateError> {
        config.validate()?;
        check_seed(seed)?;
        let conductor = Conductor::new(&config, seed, earlier)?;
        Ok(Client { config, conductor, last_sample: None, sample_count: 0 })
    }

    /// Whether the machine's and the server's saved state were used.
    pub fn used_saved(&self) -> (bool, bool) {
        self.conductor.memory.used()
    }

    /// The settings given at creation.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Learns from the stamps of an exchange conducted by the caller, with a transport that matches replies
    /// to requests. `server_epoch` identifies the run of the server's clock, if the transport knows it.
    ///
    /// # Errors
    /// Like [`handle_reply`](Self::handle_reply).
    pub fn handle_exchange(&mut self, exchange: &Exchange, server_epoch: Option<u64>) -> Result<(), Refusal> {
        let sample = self.conductor.handle_exchange(exchange, Path::Messages, server_epoch);
        self.keep(sample)
    }

    /// Notes that the caller polled its transport at `at` and has handled all messages that were there.
    /// Replies passed to [`handle_reply`](Self::handle_reply) afterwards therefore arrived after `at`, and
    /// may have waited for their stamps. Call this once per poll, with the time of the poll. For a reply that
    /// was stamped on arrival, pass its stamp first.
    ///
    /// You need this only if replies are handled outside the loop that calls [`tick`](Self::tick). Without
    /// it, a reply that arrives close to a tick is taken to be found by that loop.
    ///
    /// # Errors
    /// `at` is out of range; nothing changed.
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

    /// The two-stamp form: a reply with `server_time` arrived at `current_time`, after a round trip of
    /// `round_trip`. True if it was accepted. As in the other calls, `current_time` is when the reply
    /// arrived, which may be before the `now` of calls made since.
    pub fn update_server_time(
        &mut self,
        server_time: ServerTime,
        current_time: LocalTime,
        round_trip: Span,
    ) -> bool {
        let exchange = Exchange::from_two_stamps(server_time, current_time, round_trip);
        self.handle_exchange(&exchange, None).is_ok()
    }

    /// The newest exchange passed to this client, by whichever call, accepted or refused. Look at it after
    /// each such call to record a session.
    pub fn last_sample(&self) -> Option<&Sample> {
        self.last_sample.as_ref()
    }

    /// The number of exchanges passed to it.
    pub(crate) fn sample_count(&self) -> u64 {
        self.sample_count
    }

    /// The server's time at `now`; `None` until synced, and for a `now` out of range. It never goes backwards
    /// within an [epoch](Reading::epoch), as described at [`Reader`].
    pub fn current_server_time(&self, now: LocalTime) -> Option<ServerTime> {
        self.conductor.shown.reader.current_server_time(now)
    }

    /// Whether a reply has been accepted, so that there is a server time to show.
    pub fn is_time_synced(&self) -> bool {
        self.conductor.shown.is_synced()
    }

    /// Everything the clock says at `now`.
    pub fn read(&self, now: LocalTime) -> Reading {
        self.conductor.shown.reader.read(now)
    }

    /// The local time at which the shown clock will read `server`, as far as is known now; `None` until
    /// synced.
    pub fn local_time_at(&self, server: ServerTime) -> Option<LocalTime> {
        self.conductor.shown.reader.local_time_at(server)
    }

    /// A handle for reading the clock from any thread, without waiting. Creating it allocates nothing.
    pub fn reader(&self) -> Reader {
        self.conductor.shown.reader.clone()
    }

    /// The oldest event not yet fetched. The 16 newest are kept.
    pub fn next_event(&mut self) -> Option<Event> {
        self.conductor.events.pop()
    }

    /// The number of events so far.
    pub(crate) fn event_count(&self) -> u64 {
        self.conductor.events.total
    }

    /// The events after the first `count` that are still kept. They are not removed.
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
