//! A new server takes a timescale over from what its clients know of it.
//!
//! It asks at `s0` of its raw clock, and at `s3` an answer arrives: *the time is `O`, give or take `B`*. It was written at
//! some instant between, so that
//!
//! ```text
//!   O - B - s3  <=  timescale - raw  <=  O + B - s0
//! ```
//!
//! Those are the bounds of an exchange that received at `O + B` and sent at `O - B`; they age as those of a client. What
//! several participants say is combined by [`agreement`].

mod agreement;
mod error;

pub use error::AdoptionError;

use core::num::NonZeroU64;

use crate::estimate::{Interval, Limits};
use crate::exchange::authority::{Answer, Authority, MAX_DISPERSION, Question};
use crate::exchange::{Exchange, Unguessable};
use crate::range;
use crate::range::ConfigError;
use crate::time::{LocalTime, ServerTime, Span};

/// Participants whose answers are kept.
pub(crate) const PARTICIPANTS: usize = 64;

/// A participant is asked no sooner than this after the last time: a client that waits for replies may ask 25 times a
/// second, and each of its requests may be met with a question.
const PACE: Span = Span::from_millis(250);

/// Open questions for each participant: with [`PACE`], answers may take 750 ms.
const OPEN: usize = 3;

/// An answer that took longer is refused.
const PATIENCE: Span = Span::from_secs(5);

/// How a timescale is taken over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdoptionConfig {
    /// Name of the timescale.
    pub timescale: u64,
    /// Participants who may lie, together if they like: 0 to 31, default 1. It takes `2 liars + 1` answers, unless the
    /// new server was a client itself.
    pub liars: u32,
    /// Largest rate difference between the new server's clock and the timescale's (ppm, 1 to 10000, default 100).
    pub max_drift_ppm: f64,
    /// Step of the new server's clock (0 to 100 ms, default 0).
    pub resolution: Span,
}

impl AdoptionConfig {
    /// The defaults, for the timescale of this name.
    pub const fn of(timescale: u64) -> Self {
        AdoptionConfig { timescale, liars: 1, max_drift_ppm: 100.0, resolution: Span::ZERO }
    }

    /// Checks that all fields are within their ranges.
    ///
    /// # Errors
    /// Names the first field that is not.
    pub fn validate(&self) -> Result<(), ConfigError> {
        range::number("liars", f64::from(self.liars), 0.0, 31.0, "participants")?;
        range::number("max_drift_ppm", self.max_drift_ppm, 1.0, 10_000.0, "ppm")?;
        range::span("resolution", self.resolution, Span::ZERO, Span::from_millis(100))
    }
}

/// The timescale on the new server's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adopted {
    /// Name of the timescale.
    pub timescale: u64,
    /// Timescale minus raw clock: what to add to the raw clock from now on.
    pub offset: Span,
    /// How far that may be off.
    pub dispersion: Span,
    /// Participants who answered, the server itself included where it was a client.
    pub answers: u32,
    /// How many of them agree with the result.
    pub agreeing: u32,
}

impl Adopted {
    /// The time to stamp replies with, when the raw clock reads `raw`. Never goes backwards as long as that does not.
    pub fn server_time(&self, raw: LocalTime) -> ServerTime {
        ServerTime::from_ticks(raw.ticks()) + self.offset
    }

    /// What to state to clients; `epoch` is that of the new [`Responder`](crate::Responder), drawn at random.
    pub const fn authority(&self, epoch: u64) -> Authority {
        Authority { epoch, timescale: self.timescale, dispersion: self.dispersion }
    }
}

/// A question, open as long as its id is there.
#[derive(Clone, Copy, Debug)]
struct Asked {
    id: Option<NonZeroU64>,
    at: LocalTime,
}

/// One who is asked.
#[derive(Clone, Copy, Debug)]
struct Participant {
    name: u64,
    asked: [Asked; OPEN],
    /// The newest of them.
    newest: u8,
    known: Option<Interval>,
    /// His answers contradict each other.
    lies: bool,
}

impl Participant {
    fn new(name: u64, question: Asked) -> Self {
        let none = Asked { id: None, ..question };
        Participant { name, asked: [question, none, none], newest: 0, known: None, lies: false }
    }

    /// Keeps a question, if one is due, in the place of the oldest.
    fn ask(&mut self, question: Asked) -> bool {
        let newest = self.asked[usize::from(self.newest)];
        if self.lies || (question.at - newest.at).abs() < PACE {
            return false;
        }
        self.newest = (self.newest + 1) % OPEN as u8;
        self.asked[usize::from(self.newest)] = question;
        true
    }

    /// The open question of this id.
    fn open(&mut self, id: u64) -> Option<&mut Asked> {
        self.asked.iter_mut().find(|asked| asked.id.is_some_and(|open| open.get() == id))
    }
}

/// Takes a timescale over. Asks up to 64 participants, allocates nothing, forgets nobody until it is dropped.
#[derive(Clone, Debug)]
pub struct Adoption {
    timescale: u64,
    liars: usize,
    limits: Limits,
    random: Unguessable,
    participants: [Option<Participant>; PARTICIPANTS],
    /// What the new server knows itself.
    own: Option<Interval>,
}

impl Adoption {
    /// An adoption that knows nothing yet. `seed` makes questions unguessable: draw 128 bits from the operating system.
    ///
    /// # Errors
    /// A setting is out of range.
    pub fn new(config: &AdoptionConfig, seed: u128) -> Result<Self, ConfigError> {
        config.validate()?;
        let drift = config.max_drift_ppm * 1e-6;
        Ok(Adoption {
            timescale: config.timescale,
            liars: config.liars as usize,
            limits: Limits { drift, client_step: config.resolution.ticks(), server_step: 0 },
            random: Unguessable::new(seed),
            participants: [None; PARTICIPANTS],
            own: None,
        })
    }

    /// What the new server knows itself, because it was a client: at `raw` of the clock that it will serve by, its client
    /// [showed](crate::Client::read) `time`, give or take `error_bound`, which includes the dispersion of its
    /// [authority](crate::Client::authority). It is believed, whoever contradicts it, and enough.
    ///
    /// # Errors
    /// Something is out of range, or contradicts what was said before.
    pub fn trust(
        &mut self,
        time: ServerTime,
        error_bound: Span,
        raw: LocalTime,
    ) -> Result<(), AdoptionError> {
        let answer = Answer { id: 0, timescale: self.timescale, time, error_bound };
        let proven = proven(&answer, self.timescale, (raw, raw), &self.limits)?;
        match &mut self.own {
            Some(own) if own.meets(&proven, &self.limits) => own.tighten(&proven, raw, &self.limits),
            Some(_) => return Err(AdoptionError::NoAgreement { needed: 1 }),
            none => *none = Some(proven),
        }
        Ok(())
    }

    /// The question to send to `participant` at once; none if the last one is younger than 250 ms, or if his answers
    /// contradict each other. Answer his requests with it until the timescale is taken over: they are as long.
    ///
    /// # Errors
    /// There are 64 others already, or `now` is out of range.
    pub fn question(&mut self, participant: u64, now: LocalTime) -> Result<Option<Question>, AdoptionError> {
        if !now.is_valid() {
            return Err(AdoptionError::OutOfRange);
        }
        let slot = self.slot(participant).ok_or(AdoptionError::Full)?;
        let id = NonZeroU64::new(self.random.next()).unwrap_or(NonZeroU64::MIN);
        let question = Asked { id: Some(id), at: now };
        let is_asked = match &mut self.participants[slot] {
            Some(known) => known.ask(question),
            none => none.insert(Participant::new(participant, question)).name == participant,
        };
        Ok(is_asked.then_some(Question { id: id.get(), timescale: self.timescale }))
    }

    /// What `participant` answered, arrived at `arrived`. Several answers of one tighten what he says; he counts once.
    ///
    /// # Errors
    /// Says why it was not used.
    pub fn answer(
        &mut self,
        participant: u64,
        answer: &Answer,
        arrived: LocalTime,
    ) -> Result<(), AdoptionError> {
        let (timescale, limits) = (self.timescale, self.limits);
        let known = self.participants.iter_mut().flatten().find(|known| known.name == participant);
        let known = known.ok_or(AdoptionError::UnknownParticipant(participant))?;
        let asked = known.open(answer.id).ok_or(AdoptionError::UnknownQuestion)?;
        let proven = proven(answer, timescale, (asked.at, arrived), &limits)?;
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

    /// Participants who answered and did not contradict themselves, the server itself included.
    pub fn answers(&self) -> u32 {
        (self.said().count() + usize::from(self.own.is_some())) as u32
    }

    /// The timescale on the new server's clock, as of `now`. The result holds from then on: take it once, when everybody
    /// answered or was waited for long enough, and state it.
    ///
    /// It is the middle of what is certain, so that it may be behind what some client shows: clients slew.
    ///
    /// # Errors
    /// Too few answers, or more lies than are tolerated.
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

    /// What is said by all who did not contradict themselves.
    fn said(&self) -> impl Iterator<Item = &Interval> {
        self.participants.iter().flatten().filter(|said| !said.lies).filter_map(|said| said.known.as_ref())
    }

    /// Where the participant is or can be.
    fn slot(&self, name: u64) -> Option<usize> {
        let known = |slot: &Option<Participant>| slot.is_some_and(|known| known.name == name);
        let found = self.participants.iter().position(known);
        found.or_else(|| self.participants.iter().position(Option::is_none))
    }
}

/// What an answer proves that was asked for and arrived at these times.
fn proven(
    answer: &Answer,
    timescale: u64,
    (asked, arrived): (LocalTime, LocalTime),
    limits: &Limits,
) -> Result<Interval, AdoptionError> {
    if answer.timescale != timescale {
        return Err(AdoptionError::OtherTimescale(answer.timescale));
    }
    let (latest, earliest) = (answer.time + answer.error_bound, answer.time - answer.error_bound);
    let bounded = Span::ZERO <= answer.error_bound && answer.error_bound <= MAX_DISPERSION;
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
    let exchange = Exchange {
        client_sent: asked,
        server_received: latest,
        server_sent: earliest,
        client_received: arrived,
    };
    Ok(Interval::of(&exchange, limits))
}
