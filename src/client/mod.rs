//! The client's half: asks, learns from the answers, shows the server's time.

mod config;
mod events;
mod inquiries;
mod path;
mod probes;
mod reader;
mod sample;
mod schedule;
mod session;
mod show;
mod succession;
mod watch;

pub use config::Config;
pub use events::{Cause, Degradation, Event};
pub use reader::Reader;
pub use sample::Sample;

use events::Events;
use path::RecentMinimum;
use probes::Probes;
use schedule::Schedule;
use show::Anew;
use succession::Succession;
use watch::Suspicion;

use crate::clock::{Discipline, Reading};
use crate::estimate::{Estimator, Interval, Limits};
use crate::exchange::Refusal;
use crate::exchange::{Exchange, Reply, Request, Unguessable};
use crate::range::ConfigError;
use crate::time::TimeError;
use crate::time::{LocalTime, ServerTime, Span};

/// Follows a server's clock. One owner calls the `&mut` methods; any number of [`Reader`]s on any threads read.
///
/// Allocates once, when it is created. See the [crate's documentation](crate) for the run loop.
#[derive(Debug)]
pub struct Client {
    config: Config,
    limits: Limits,
    random: Unguessable,
    probes: Probes,
    schedule: Schedule,
    estimator: Estimator,
    /// Where the offset certainly is; none until the first reply and after the local clock was set back.
    interval: Option<Interval>,
    /// A reply that contradicts `interval`, until another one decides.
    suspicion: Option<Suspicion>,
    /// The local clock may have missed time: the next reply is believed, whatever it says.
    doubted: bool,
    holdover: bool,
    above_target: bool,
    discipline: Discipline,
    /// The shown clock has to be set anew, as soon as the estimate is good for it.
    anew: Option<Anew>,
    events: Events,
    reader: Reader,
    /// A snapshot could not be published yet.
    unpublished: bool,
    round_trip: RecentMinimum,
    last_call: Option<LocalTime>,
    last_reply: Option<LocalTime>,
    last_sample: Option<Sample>,
    epoch: u32,
    /// The server epoch that the estimate is of; none while the transport named none.
    server_epoch: Option<u64>,
    /// The server epoch that is shown.
    shown_epoch: u64,
    succession: Succession,
}

impl Client {
    /// A client that knows nothing yet.
    ///
    /// `seed` makes the request ids unguessable and the request times random: draw 128 bits from the operating
    /// system. The same seed and the same calls give the same behaviour, bit for bit.
    ///
    /// # Errors
    /// A field of `config` is out of range.
    pub fn new(config: Config, seed: u128) -> Result<Self, ConfigError> {
        config.validate()?;
        Ok(Client {
            config,
            limits: Limits {
                drift: config.max_drift_ppm * 1e-6,
                client_step: config.client_resolution.ticks(),
                server_step: config.server_resolution.ticks(),
            },
            random: Unguessable::new(seed),
            probes: Probes::new(),
            schedule: Schedule::new(&config),
            estimator: Estimator::new(config.server_frame.as_secs_f64(), config.client_frame.as_secs_f64()),
            interval: None,
            suspicion: None,
            doubted: false,
            holdover: false,
            above_target: false,
            discipline: Discipline::new(config.max_slew, config.step_threshold),
            anew: None,
            events: Events::new(),
            reader: Reader::new(),
            unpublished: false,
            round_trip: RecentMinimum::new(),
            last_call: None,
            last_reply: None,
            last_sample: None,
            epoch: 0,
            server_epoch: None,
            shown_epoch: 0,
            succession: Succession::new(&config),
        })
    }

    /// The settings given at creation.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Does what is due at `now`; call it every frame. Returns the request to send at once, if one is due: at
    /// most one per call, at moments that the [schedule](Config::burst_count) chooses.
    ///
    /// # Errors
    /// `now` is out of range, or slightly before an earlier call's; nothing changed.
    pub fn tick(&mut self, now: LocalTime) -> Result<Option<Request>, TimeError> {
        self.advance(now)?;
        self.watch_quality(now);
        self.catch_up(now);
        Ok(self.schedule.is_due(now).then(|| self.request(now)))
    }

    /// Makes a request to be sent at once, whatever the schedule says. For callers with a timer of their own.
    ///
    /// # Errors
    /// `now` is out of range, or slightly before an earlier call's; nothing changed.
    pub fn make_request(&mut self, now: LocalTime) -> Result<Request, TimeError> {
        self.advance(now)?;
        self.catch_up(now);
        Ok(self.request(now))
    }

    /// Learns from a reply that arrived at `arrived` (t3): stamp it as close to the network as possible. It may
    /// be a little before the `now` of calls made since.
    ///
    /// # Errors
    /// Says why the reply was not used; apart from the suspicion that [`Refusal::Contradiction`] speaks of,
    /// nothing changed.
    pub fn handle_reply(&mut self, reply: &Reply, arrived: LocalTime) -> Result<(), Refusal> {
        self.learn_reply(reply, arrived).outcome
    }

    /// As [`handle_reply`](Self::handle_reply), and says all about it; the other `learn_` likewise.
    pub(crate) fn learn_reply(&mut self, reply: &Reply, arrived: LocalTime) -> Sample {
        let client_sent = self.probes.sent(reply.id);
        let outcome = match client_sent {
            Some(client_sent) => self.handle_answer(reply, client_sent, arrived),
            None => Err(Refusal::UnknownRequest),
        };
        self.keep(Sample {
            id: Some(reply.id),
            server_epoch: Some(reply.epoch),
            client_sent,
            server_received: reply.received,
            server_sent: reply.sent,
            client_received: arrived,
            outcome,
        })
    }

    fn handle_answer(
        &mut self,
        reply: &Reply,
        client_sent: LocalTime,
        arrived: LocalTime,
    ) -> Result<(), Refusal> {
        let exchange = Exchange {
            client_sent,
            server_received: reply.received,
            server_sent: reply.sent,
            client_received: arrived,
        };
        exchange.check(&self.config.tolerance())?;
        self.probes.remove(reply.id);
        self.use_exchange(&exchange, Some(reply.epoch))
    }

    /// Learns from the stamps of an exchange that the caller conducted himself, in a transport that matches
    /// replies to requests. `server_epoch` names the run of the server's clock, where the transport knows it.
    ///
    /// # Errors
    /// As [`handle_reply`](Self::handle_reply).
    pub fn handle_exchange(&mut self, exchange: &Exchange, server_epoch: Option<u64>) -> Result<(), Refusal> {
        self.learn_exchange(exchange, server_epoch).outcome
    }

    pub(crate) fn learn_exchange(&mut self, exchange: &Exchange, server_epoch: Option<u64>) -> Sample {
        let checked = exchange.check(&self.config.tolerance());
        let outcome = checked.and_then(|()| self.use_exchange(exchange, server_epoch));
        self.keep(Sample::of(exchange, server_epoch, outcome))
    }

    /// The two-stamp form: at `current_time` a reply came that says `server_time` and took `round_trip` there
    /// and back. True if it was accepted.
    pub fn update_server_time(
        &mut self,
        server_time: ServerTime,
        current_time: LocalTime,
        round_trip: Span,
    ) -> bool {
        let exchange = Exchange::from_two_stamps(server_time, current_time, round_trip);
        self.learn_two_stamps(&exchange).outcome.is_ok()
    }

    pub(crate) fn learn_two_stamps(&mut self, exchange: &Exchange) -> Sample {
        let outcome = exchange.check(&self.config.tolerance()).and_then(|()| {
            // Here the arrival is the present, so that it may show that the local clock was set back.
            let _refused_if_slightly_early = self.advance(exchange.client_received);
            self.use_exchange(exchange, None)
        });
        self.keep(Sample::of(exchange, None, outcome))
    }

    fn keep(&mut self, sample: Sample) -> Sample {
        self.last_sample = Some(sample);
        sample
    }

    /// The newest exchange that this client was told of, accepted or refused, by whichever call. Look at it after
    /// each such call to record a session.
    pub fn last_sample(&self) -> Option<&Sample> {
        self.last_sample.as_ref()
    }

    /// The server's time at `now`; none until synced. Never goes backwards within an [epoch](Reading::epoch).
    pub fn current_server_time(&self, now: LocalTime) -> Option<ServerTime> {
        self.reader.current_server_time(now)
    }

    /// Whether a reply was ever accepted, so that there is a server time to show.
    pub fn is_time_synced(&self) -> bool {
        self.epoch > 0
    }

    /// Everything the clock says at `now`.
    pub fn read(&self, now: LocalTime) -> Reading {
        self.reader.read(now)
    }

    /// The local time at which the shown clock reads `server`, as far as is known now; none until synced.
    pub fn local_time_at(&self, server: ServerTime) -> Option<LocalTime> {
        self.reader.local_time_at(server)
    }

    /// A handle for reading the clock from any thread, without waiting. Creating it allocates nothing.
    pub fn reader(&self) -> Reader {
        self.reader.clone()
    }

    /// The oldest event not yet fetched. The 16 newest are kept.
    pub fn next_event(&mut self) -> Option<Event> {
        self.events.pop()
    }

    /// How many events there were so far.
    pub(crate) fn event_count(&self) -> u64 {
        self.events.total()
    }

    /// The events after the first `count` that are still kept. They stay.
    pub(crate) fn events_since(&self, count: u64) -> impl Iterator<Item = Event> + '_ {
        self.events.since(count)
    }
}
