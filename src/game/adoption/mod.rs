//! Lets a new server adopt a timescale from its clients' readings.
//!
//! The server sends a request at `s0` on its raw clock and receives a reply at `s3` that says *the time is
//! `O`, give or take `B`*. The client wrote this reply between `s0` and `s3`, so
//!
//! ```text
//!   O - B - s3  <=  timescale - raw  <=  O + B - s0
//! ```
//!
//! These bounds equal those of an exchange received at `O + B` and sent at `O - B`, and they widen with age
//! as a client's bounds do. `agreement.rs` combines the replies of several participants.

mod agreement;
mod error;

pub use error::AdoptionError;

use core::num::NonZeroU64;

use crate::clock::authority::{AdoptionReply, AdoptionRequest, Authority, MAX_DISPERSION};
use crate::clock::for_parts::memory::{self, check_seed};
use crate::clock::for_parts::{Interval, Limits, Unguessable, range};
use crate::clock::{ConfigError, CreateError, Exchange, LocalTime, ServerTime, Span};

/// Maximum number of participants whose replies are stored.
pub(crate) const PARTICIPANTS: usize = 64;

/// Minimum time between two requests to a participant. A client that waits for replies may send 25 requests
/// per second, and the server may answer each of them with an adoption request.
const PACE: Span = Span::from_millis(250);

/// Maximum number of open requests per participant. With [`PACE`], replies may take up to 750 ms.
const OPEN: usize = 3;

/// Replies that took longer are rejected.
const PATIENCE: Span = Span::from_secs(5);

/// The settings for an [`Adoption`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdoptionConfig {
    /// Identifier of the timescale.
    pub timescale: u64,
    /// Number of participants who may lie, even in collusion. (0 to 31, default 1) The adoption needs `2
    /// liars + 1` replies, unless the new server was previously a client.
    pub liars: u32,
    /// Maximum rate difference between the new server's clock and the timescale. (ppm, 1 to 10000, default
    /// 100)
    pub max_drift_ppm: f64,
    /// Resolution of the new server's clock. (0 to 100 ms, default 0)
    pub resolution: Span,
}

impl AdoptionConfig {
    /// Returns the default settings for the timescale with this identifier.
    pub const fn of(timescale: u64) -> Self {
        AdoptionConfig { timescale, liars: 1, max_drift_ppm: 100.0, resolution: Span::ZERO }
    }

    /// Checks that all fields are within their ranges.
    ///
    /// # Errors
    /// Fails if a field is out of range or NaN. The error names the first such field.
    pub fn validate(&self) -> Result<(), ConfigError> {
        range::number("liars", f64::from(self.liars), 0.0, 31.0, "participants")?;
        range::number("max_drift_ppm", self.max_drift_ppm, 1.0, 10_000.0, "ppm")?;
        range::span("resolution", self.resolution, Span::ZERO, Span::from_millis(100))
    }
}

/// The adopted timescale, relative to the new server's clock. See [`Adoption`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adopted {
    /// Identifier of the timescale.
    pub timescale: u64,
    /// Timescale minus raw clock. Add this to the raw clock to obtain the time.
    pub offset: Span,
    /// Maximum error of `offset` in either direction.
    pub dispersion: Span,
    /// Number of participants who replied, including the server itself if it was previously a client.
    pub answers: u32,
    /// Number of these participants whose bounds agree with the result.
    pub agreeing: u32,
}

impl Adopted {
    /// Returns the time to write into replies when the raw clock reads `raw`. It never runs backwards unless
    /// the raw clock does.
    pub fn server_time(&self, raw: LocalTime) -> ServerTime {
        ServerTime::from_ticks(raw.ticks()) + self.offset
    }

    /// Returns the authority to announce to clients. `epoch` is the random epoch of the new
    /// [`Responder`](crate::Responder).
    pub const fn authority(&self, epoch: u64) -> Authority {
        Authority { epoch, timescale: self.timescale, dispersion: self.dispersion }
    }
}

/// A request, which is open while its id is set.
#[derive(Clone, Copy, Debug)]
struct Asked {
    id: Option<NonZeroU64>,
    at: LocalTime,
}

#[derive(Clone, Copy, Debug)]
struct Participant {
    name: u64,
    asked: [Asked; OPEN],
    newest: u8,
    known: Option<Interval>,
    /// Whether this participant's replies contradict each other.
    lies: bool,
}

impl Participant {
    fn new(name: u64, request: Asked) -> Self {
        let none = Asked { id: None, ..request };
        Participant { name, asked: [request, none, none], newest: 0, known: None, lies: false }
    }

    /// If a request is due, stores it in place of the oldest one and returns true.
    fn ask(&mut self, request: Asked) -> bool {
        let newest = self.asked[usize::from(self.newest)];
        if self.lies || (request.at - newest.at).abs() < PACE {
            return false;
        }
        self.newest = (self.newest + 1) % OPEN as u8;
        self.asked[usize::from(self.newest)] = request;
        true
    }

    fn open(&mut self, id: u64) -> Option<&mut Asked> {
        self.asked.iter_mut().find(|asked| asked.id.is_some_and(|open| open.get() == id))
    }
}

/// Adopts a timescale from up to 64 participants, which it remembers until it is dropped. Memory is allocated
/// only on creation.
///
/// ```
/// use netclock::adoption::{Adoption, AdoptionConfig};
/// use netclock::authority::AdoptionReply;
/// use netclock::{LocalTime, ServerTime, Span};
///
/// const TIMESCALE: u64 = 5; // the name of the game's time, which outlives its servers
/// let mut adoption = Adoption::new(&AdoptionConfig::of(TIMESCALE), 7)?;
/// let now = LocalTime::from_ticks(0);
/// for player in 1..=3 {
///     if let Some(request) = adoption.request(player, now)? {
///         // The player's client makes the reply, in `respond_to_adoption`.
///         let (time, error_bound) = (ServerTime::from_ticks(900), Span::from_millis(1));
///         let reply = AdoptionReply { id: request.id, timescale: request.timescale, time, error_bound };
///         adoption.handle_reply(player, &reply, now + Span::from_millis(2))?;
///     }
/// }
/// let adopted = adoption.settle(now + Span::from_millis(2))?;
/// println!("the time goes on at {:?}, within {}", adopted.server_time(now), adopted.dispersion);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Adoption {
    timescale: u64,
    liars: usize,
    limits: Limits,
    random: Unguessable,
    participants: Box<[Option<Participant>]>,
    /// The new server's own interval, if it was previously a client.
    own: Option<Interval>,
}

impl Adoption {
    /// Creates an adoption without any replies. `seed` makes request ids unguessable; draw 128 bits from the
    /// operating system.
    ///
    /// # Errors
    /// Fails if a setting is out of range, the seed is zero, or there is not enough memory.
    pub fn new(config: &AdoptionConfig, seed: u128) -> Result<Self, CreateError> {
        config.validate()?;
        check_seed(seed)?;
        let drift = config.max_drift_ppm * 1e-6;
        Ok(Adoption {
            timescale: config.timescale,
            liars: config.liars as usize,
            limits: Limits { drift, client_step: config.resolution.ticks(), server_step: 0 },
            random: Unguessable::new(seed),
            participants: memory::filled(None, PARTICIPANTS)?,
            own: None,
        })
    }

    /// Adds the new server's own reading, if it was previously a client. When the clock that the server will
    /// use read `raw`, its client [showed](crate::Client::read) `time`, give or take `error_bound`. The bound
    /// includes the dispersion of the client's [authority](crate::Client::authority). This reading takes
    /// precedence over contradicting replies and is sufficient on its own.
    ///
    /// # Errors
    /// Fails if an argument is out of range or contradicts an earlier reading.
    pub fn add_own_reading(
        &mut self,
        time: ServerTime,
        error_bound: Span,
        raw: LocalTime,
    ) -> Result<(), AdoptionError> {
        let reply = AdoptionReply { id: 0, timescale: self.timescale, time, error_bound };
        let proven = proven(&reply, self.timescale, (raw, raw), &self.limits)?;
        match &mut self.own {
            Some(own) if own.meets(&proven, &self.limits) => own.tighten(&proven, raw, &self.limits),
            Some(_) => return Err(AdoptionError::NoAgreement { needed: 1 }),
            none => *none = Some(proven),
        }
        Ok(())
    }

    /// Returns the request to send to `participant` immediately, or `None` if the previous request is less
    /// than 250 ms old or the participant's replies contradict each other. Until the timescale is adopted,
    /// send it as the answer to the participant's own requests, which have the same length.
    ///
    /// # Errors
    /// Fails if there are already 64 other participants, or if `now` is out of range.
    pub fn request(
        &mut self,
        participant: u64,
        now: LocalTime,
    ) -> Result<Option<AdoptionRequest>, AdoptionError> {
        if !now.is_valid() {
            return Err(AdoptionError::OutOfRange);
        }
        let slot = self.slot(participant).ok_or(AdoptionError::Full)?;
        let id = NonZeroU64::new(self.random.next()).unwrap_or(NonZeroU64::MIN);
        let request = Asked { id: Some(id), at: now };
        let is_asked = match &mut self.participants[slot] {
            Some(known) => known.ask(request),
            none => none.insert(Participant::new(participant, request)).name == participant,
        };
        Ok(is_asked.then_some(AdoptionRequest { id: id.get(), timescale: self.timescale }))
    }

    /// Handles a reply from `participant` that arrived at `arrived`. Additional replies from a participant
    /// tighten its bounds, but the participant counts only once.
    ///
    /// # Errors
    /// Returns the reason if the reply was not used.
    pub fn handle_reply(
        &mut self,
        participant: u64,
        reply: &AdoptionReply,
        arrived: LocalTime,
    ) -> Result<(), AdoptionError> {
        let (timescale, limits) = (self.timescale, self.limits);
        let known = self.participants.iter_mut().flatten().find(|known| known.name == participant);
        let known = known.ok_or(AdoptionError::UnknownParticipant(participant))?;
        let asked = known.open(reply.id).ok_or(AdoptionError::UnknownRequest)?;
        let proven = proven(reply, timescale, (asked.at, arrived), &limits)?;
        asked.id = None;
        match &mut known.known {
            Some(known) if known.meets(&proven, &limits) => known.tighten(&proven, arrived, &limits),
            Some(_) => {
                known.lies = true;
                return Err(AdoptionError::Liar(participant));
            }
            none => *none = Some(proven),
        }
        Ok(())
    }

    /// Returns the number of participants who replied without contradicting themselves, including the server
    /// itself if it was previously a client.
    pub fn answers(&self) -> u32 {
        (self.said().count() + usize::from(self.own.is_some())) as u32
    }

    /// Returns the timescale as of `now`, relative to the new server's clock. The result remains valid
    /// afterwards. Call this once, when everyone has replied or after a timeout, and announce the result to
    /// clients.
    ///
    /// The result is the middle of the interval that must contain the true time, so it may be behind the time
    /// that some clients show. These clients slew to it.
    ///
    /// # Errors
    /// Fails if there are too few replies, or more liars than are tolerated.
    pub fn settle(&self, now: LocalTime) -> Result<Adopted, AdoptionError> {
        if !now.is_valid() {
            return Err(AdoptionError::OutOfRange);
        }
        let lied = self.participants.iter().flatten().filter(|known| known.lies).count();
        let (answers, liars) = (self.answers() as usize, self.liars.saturating_sub(lied));
        let enough = if self.own.is_some() { 1 } else { 2 * liars + 1 };
        if answers < enough {
            return Err(AdoptionError::TooFew { answers: answers as u32, needed: enough as u32 });
        }
        let limits = &self.limits;
        let (highest, lowest) = self.own.map_or((i64::MAX, i64::MIN), |own| own.at(now, limits));
        let all = || self.said().chain(&self.own).map(|said| said.at(now, limits));
        let within = all().map(|(upper, lower)| (lower.max(lowest), upper.min(highest)));
        let needed = answers.saturating_sub(liars).max(1);
        let (lower, upper) =
            agreement::covered(within, needed).ok_or(AdoptionError::NoAgreement { needed: needed as u32 })?;
        let width = upper.saturating_sub(lower);
        let offset = lower + width / 2;
        let dispersion = Span::from_ticks(width - width / 2);
        if dispersion > MAX_DISPERSION {
            return Err(AdoptionError::OutOfRange);
        }
        let agreeing = all().filter(|said| said.0 >= lower && said.1 <= upper).count() as u32;
        let (offset, answers) = (Span::from_ticks(offset), answers as u32);
        Ok(Adopted { timescale: self.timescale, offset, dispersion, answers, agreeing })
    }

    /// Returns the intervals of all participants that did not contradict themselves.
    fn said(&self) -> impl Iterator<Item = &Interval> {
        self.participants.iter().flatten().filter(|said| !said.lies).filter_map(|said| said.known.as_ref())
    }

    fn slot(&self, name: u64) -> Option<usize> {
        let known = |slot: &Option<Participant>| slot.is_some_and(|known| known.name == name);
        let found = self.participants.iter().position(known);
        found.or_else(|| self.participants.iter().position(Option::is_none))
    }
}

/// Returns the interval that a reply proves, given when its request was sent and when the reply arrived.
fn proven(
    reply: &AdoptionReply,
    timescale: u64,
    (asked, arrived): (LocalTime, LocalTime),
    limits: &Limits,
) -> Result<Interval, AdoptionError> {
    if reply.timescale != timescale {
        return Err(AdoptionError::OtherTimescale(reply.timescale));
    }
    let (latest, earliest) = (reply.time + reply.error_bound, reply.time - reply.error_bound);
    let bounded = Span::ZERO <= reply.error_bound && reply.error_bound <= MAX_DISPERSION;
    if !(arrived.is_valid() && latest.is_valid() && earliest.is_valid() && bounded) {
        return Err(AdoptionError::OutOfRange);
    }
    let took = arrived - asked;
    if took < Span::ZERO {
        return Err(AdoptionError::ArrivedBeforeSent);
    }
    if took > PATIENCE {
        return Err(AdoptionError::TooSlow(took));
    }
    let exchange = Exchange::from_stamps(asked, latest, earliest, arrived);
    Ok(Interval::of(&exchange, limits))
}
