//! The client sends requests, learns from the replies, and shows the server's time. ARCHITECTURE.md lists the
//! parts of the client, which `conductor.rs` coordinates.

mod allowance;
mod asking;
mod authorities;
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

pub(super) use conductor::Conductor;

use saved::Rate;
use shown::Outlook;

use crate::clock::authority::{Authority, AuthorityError};
use crate::clock::discipline::Reading;
use crate::clock::exchange::{Exchange, Path, Refusal, Reply, Request};
use crate::clock::ground::memory::{CreateError, check_seed};
use crate::clock::ground::time::{LocalTime, ServerTime, Span, TimeError};

/// Follows a server's clock. A single owner calls the `&mut` methods, while any number of [`Reader`]s can
/// read the clock from any thread.
///
/// The client allocates only when it is created. See the [crate documentation](crate) for the run loop.
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
    pub(super) conductor: Box<Conductor>,
}

impl Client {
    /// Creates a client without saved state.
    ///
    /// `seed` makes the request ids unguessable and randomises the request times. Draw all 128 bits from the
    /// operating system's random number generator. The same seed and calls produce bit-identical behaviour.
    ///
    /// # Errors
    /// Returns [`CreateError::Config`] if a field of `config` is out of range, [`CreateError::Seed`] if the
    /// seed is zero, or [`CreateError::OutOfMemory`] if an allocation fails.
    pub fn new(config: Config, seed: u128) -> Result<Self, CreateError> {
        Self::with_saved(config, seed, &Earlier::NONE)
    }

    /// Like [`new`](Self::new), but starts from the [saved state](Self::save) of earlier sessions, so the
    /// client knows the rate from the start. If an earlier session measured an asymmetric route and the round
    /// trip is unchanged, the client also knows the asymmetry.
    ///
    /// A damaged or invalid state is ignored; [`used_saved`](Self::used_saved) reports whether it was used.
    /// Exchanges correct a wrong saved rate. They cannot detect a wrong asymmetry if the round trip is
    /// unchanged. Therefore, keep a separate state for each server. The error bound never depends on saved
    /// state. Fails like [`new`](Self::new).
    pub fn with_saved(config: Config, seed: u128, earlier: &Earlier<'_>) -> Result<Self, CreateError> {
        config.validate()?;
        check_seed(seed)?;
        let conductor = Conductor::new(&config, seed, earlier)?;
        Ok(Client { config, conductor })
    }

    /// Returns whether the machine's saved state and the server's saved state were used.
    pub fn used_saved(&self) -> (bool, bool) {
        self.conductor.memory.used()
    }

    /// Returns the settings with which the client was created.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Does the work that is due at `now`. Call this every frame. If it returns a request, send the request
    /// immediately. The [schedule](Config::burst_count) determines when requests are due.
    ///
    /// # Errors
    /// Returns [`TimeError::OutOfRange`] if `now` is outside the valid range, or [`TimeError::WentBackwards`]
    /// if it is less than a second before the `now` of an earlier call. A failed call changes nothing.
    pub fn tick(&mut self, now: LocalTime) -> Result<Option<Request>, TimeError> {
        let conductor = &mut self.conductor;
        conductor.attend(now)?;
        conductor.polls.tick(now);
        Ok(conductor.asking.schedule.is_due(now).then(|| conductor.request(now)))
    }

    /// Creates a request to be sent immediately, independently of the schedule, for callers with their own
    /// timer. Fails like [`tick`](Self::tick).
    pub fn make_request(&mut self, now: LocalTime) -> Result<Request, TimeError> {
        let conductor = &mut self.conductor;
        conductor.advance(now)?;
        conductor.catch_up(conductor.local.now(now));
        Ok(conductor.request(now))
    }

    /// Learns from a reply received at `arrived` (t3). Take this timestamp as close to the network as
    /// possible. The time of arrival may be slightly before the `now` of previous calls.
    ///
    /// # Errors
    /// Returns the reason why the reply was not used. A rejected reply changes nothing, except that a
    /// [contradiction](Refusal::Contradiction) is stored as a suspicion.
    ///
    /// The first replies from another server epoch are stored until it is clear whether the server restarted.
    pub fn handle_reply(&mut self, reply: &Reply, arrived: LocalTime) -> Result<(), Refusal> {
        self.conductor.handle_reply(reply, arrived)
    }

    /// Learns from an exchange that the caller carried out over its own transport, which must match replies
    /// to requests. `server_epoch` identifies the run of the server's clock, if known. Fails like
    /// [`handle_reply`](Self::handle_reply).
    pub fn handle_exchange(&mut self, exchange: &Exchange, server_epoch: Option<u64>) -> Result<(), Refusal> {
        self.conductor.handle_exchange(exchange, Path::Messages, server_epoch)
    }

    /// Records that the caller polled its transport at `at` and has handled every message that had arrived by
    /// then. Replies passed to [`handle_reply`](Self::handle_reply) afterwards therefore arrived after `at`,
    /// and may have waited before they were timestamped. Call this once per poll, with the time of the poll.
    /// If a reply was timestamped on arrival, pass it to the client before this call.
    ///
    /// You only need this call if replies are handled outside the loop that calls [`tick`](Self::tick).
    /// Without this call, the client assumes that a reply timestamped close to a tick was found by that loop.
    ///
    /// # Errors
    /// Returns [`TimeError::OutOfRange`] and changes nothing if `at` is outside the valid range.
    pub fn polled(&mut self, at: LocalTime) -> Result<(), TimeError> {
        at.check()?;
        self.conductor.polls.polled(at);
        Ok(())
    }

    /// Learns from an exchange with a single server timestamp. A reply with `server_time` arrived at
    /// `current_time`, after a round trip of `round_trip`. Returns whether the exchange was accepted. The
    /// time of arrival may be before the `now` of previous calls, as in the other methods.
    pub fn update_server_time(
        &mut self,
        server_time: ServerTime,
        current_time: LocalTime,
        round_trip: Span,
    ) -> bool {
        let exchange = Exchange::from_two_stamps(server_time, current_time, round_trip);
        self.handle_exchange(&exchange, None).is_ok()
    }

    /// Returns the most recent accepted or rejected exchange that any method passed to this client. To record
    /// a session, call this after each such method.
    pub fn last_sample(&self) -> Option<&Sample> {
        self.conductor.last_sample.as_ref()
    }

    /// Returns the server's time at `now`, or `None` before the first sync or if `now` is out of range. The
    /// time never goes backwards within an [epoch](Reading::epoch); see [`Reader`].
    pub fn current_server_time(&self, now: LocalTime) -> Option<ServerTime> {
        self.conductor.shown.reader.current_server_time(now)
    }

    /// Returns whether a reply has been accepted, so that the server time can be read.
    pub fn is_time_synced(&self) -> bool {
        self.conductor.shown.is_synced()
    }

    /// Reads the server's time at `now`, with its error bounds and the state of the clock.
    pub fn read(&self, now: LocalTime) -> Reading {
        self.conductor.shown.reader.read(now)
    }

    /// Returns the local time at which the clock will show `server`, according to the current estimate, or
    /// `None` before the first sync.
    pub fn local_time_at(&self, server: ServerTime) -> Option<LocalTime> {
        self.conductor.shown.reader.local_time_at(server)
    }

    /// Returns a handle that can read the clock from any thread without blocking. Creating a handle does not
    /// allocate.
    pub fn reader(&self) -> Reader {
        self.conductor.shown.reader.clone()
    }

    /// Removes and returns the oldest event. The queue keeps the 16 most recent events.
    pub fn next_event(&mut self) -> Option<Event> {
        self.conductor.events.pop()
    }

    /// Steps the clock to the best estimate at `now` instead of continuing to slew. Call this when a jump
    /// does no harm, for example at the end of a loading screen. The clock may still be slewing at that
    /// point, because a queue drained during loading. A correction smaller than `least` is still slewed. If
    /// `least` is zero or negative, any correction is a step. Returns the size of the step (positive for a
    /// forward step), or zero if there was no step.
    ///
    /// The step is reported with [`Cause::Requested`](crate::Cause::Requested). A forward step stays within
    /// the epoch. A backward step begins a new [epoch](crate::Reading::epoch). So does a step that looks
    /// backward to a reader that has read ahead. There is no step before the first reply, or while the client
    /// waits for more replies from a restarted server. Fails like [`tick`](Self::tick).
    pub fn make_step(&mut self, now: LocalTime, least: Span) -> Result<Span, TimeError> {
        let conductor = &mut self.conductor;
        conductor.attend(now)?;
        let outlook = Outlook { is_present: true, ..conductor.outlook(conductor.local.now(now)) };
        let event = conductor.shown.step(&outlook, least, Cause::Requested);
        conductor.events.extend(event);
        let Some(Event::Discontinuity { jump, .. }) = event else { return Ok(Span::ZERO) };
        Ok(jump)
    }

    /// Reports that the local clock may have missed up to `most` of the time before `now`. Pass [`Span::MAX`]
    /// if the amount is unknown. Call this when the machine or the application resumes. Clocks that count
    /// suspended time, like [`monotonic_now`](crate::monotonic_now), do not need this. The client reports a
    /// discontinuity with [`Cause::LocalGap`] and starts a burst. Until the next reply, the clock is
    /// [`Doubtful`](crate::State::Doubtful) and has no bound. The shown time does not go back, and the next
    /// reply adds the missed time.
    ///
    /// # Errors
    /// Returns [`TimeError::OutOfRange`] if `most` is negative, and the errors of [`tick`](Self::tick). A
    /// failed call changes nothing.
    pub fn may_have_missed_time(&mut self, now: LocalTime, most: Span) -> Result<(), TimeError> {
        if most < Span::ZERO {
            return Err(TimeError::OutOfRange);
        }
        self.conductor.advance(now)?;
        self.conductor.miss(now, most);
        Ok(())
    }

    /// Starts a burst immediately, as after a restart. Call this when switching to another server. Otherwise,
    /// that server receives no request until the [steady interval](crate::Config::steady_interval) has
    /// elapsed. Also call this after a known route change, because the next reply starts a new measurement of
    /// the [round trip](crate::Reading::round_trip).
    pub fn begin_burst(&mut self) {
        let conductor = &mut self.conductor;
        conductor.known.forget_round_trip();
        conductor.rivals.forget();
        conductor.asking.schedule.allow_burst();
        conductor.asking.burst();
    }

    /// Sets the boot id of the server's machine. The server calls [`boot_id`](crate::boot_id), and the game
    /// sends the result to the client. A rate saved before the server booted is less reliable. Call this as
    /// soon as the id is known, and again after switching to another server. Otherwise, an unchanged server
    /// epoch is taken to mean that the server's saved state is from the same boot. Pass zero if the id is
    /// unknown.
    pub fn set_server_boot(&mut self, boot: u64) {
        if let Some(prior) = self.conductor.memory.set_server_boot(boot) {
            self.conductor.known.estimators.expect(prior);
        }
    }

    /// Returns the state to pass to [`with_saved`](Self::with_saved) in later sessions. For some seconds
    /// after the first reply, the rate is no better known than for any two crystals, and the result is
    /// `None`. Save again at the end of the session, or every few minutes.
    ///
    /// `seconds` is the current time, for example Unix time. Later sessions must use the same calendar to
    /// compute the age of the state.
    pub fn save(&self, seconds: i64) -> Option<Saved> {
        let Conductor { known, memory, authorities, shown, .. } = &*self.conductor;
        let known = &known.estimators;
        let rate = Rate { mean: known.rate(), sigma: known.sigma_rate(), of_this_boot: true };
        let save = || memory.leave(rate, known.asymmetry(), seconds, authorities.followed);
        shown.is_synced().then(save).flatten()
    }

    // Authorities and handovers.

    /// Sets the followed authority or its successor. Call this method again when the dispersion changes. A
    /// [guest](crate::session::Guest) passes its host's statements to this method. Other callers must only
    /// pass statements from a trusted connection.
    ///
    /// If `authority` is a successor with the same timescale, the client **hands over** at its first reply.
    /// The interval of the old clock then applies to the new one, widened by both dispersions. The shown time
    /// and [`Reading::epoch`] continue, and any difference is slewed. The client reports
    /// [`Event::HandedOver`]. Call this before the new authority's first reply arrives. A later call works
    /// until the burst is answered, as long as the old clock is still shown. If the new replies contradict
    /// the statement, the clock is reset as after a [restart].
    ///
    /// [`Reading::epoch`]: crate::Reading::epoch
    /// [`Event::HandedOver`]: crate::Event::HandedOver
    /// [restart]: crate::Cause::ServerRestart
    ///
    /// # Errors
    /// Returns [`AuthorityError::Dispersion`] if the dispersion is out of range,
    /// [`AuthorityError::OtherTimescale`] if the timescale is not the followed one, or
    /// [`AuthorityError::Time`] for the errors of [`tick`](Self::tick). A failed call changes nothing.
    pub fn set_authority(&mut self, authority: &Authority, now: LocalTime) -> Result<(), AuthorityError> {
        self.conductor.set_authority(authority, now)
    }

    /// Returns the authority to which readings refer. The [error bound](crate::Reading::error_bound) applies
    /// to its clock, which is within `dispersion` of the timescale at `now`. If the authority has not been
    /// stated again for 20 s, the dispersion grows at the maximum drift of the clocks. Returns `None` before
    /// the first sync, or if replies contain no epoch.
    ///
    /// A client that becomes the server continues the timescale by serving its local time plus the difference
    /// between a [reading](Self::read) and `now`. The new server's dispersion is the reading's error bound
    /// plus `dispersion`.
    ///
    /// ```
    /// # use netclock::{Client, Config, LocalTime, ServerTime, authority::Authority};
    /// # fn become_server(client: &Client, now: LocalTime, epoch: u64) -> Option<()> {
    /// let (reading, known) = (client.read(now), client.authority(now)?);
    /// let offset = reading.server_time - ServerTime::from_ticks(now.ticks());
    /// let dispersion = reading.error_bound + known.dispersion;
    /// let served = Authority { epoch, timescale: known.timescale, dispersion };
    /// # Some(())
    /// # }
    /// ```
    pub fn authority(&self, now: LocalTime) -> Option<Authority> {
        let Conductor { known, authorities, shown, .. } = &*self.conductor;
        let stated = shown.replaced().or_else(|| authorities.stated());
        stated.map(|stated| stated.at(now, known.bounds.drift()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATER: LocalTime = LocalTime::from_ticks(100_000);

    fn at(ticks: i64) -> ServerTime {
        ServerTime::from_ticks(ticks)
    }

    #[test]
    fn every_method_that_handles_an_exchange_records_a_sample() -> Result<(), Box<dyn std::error::Error>> {
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
