//! The server's half: who is ready, when to start, who did.

use super::error::StartError;
use super::message::{Downward, Upward};
use super::need;
use super::seat::{Fired, HoldUp, Participation, Seat};
use crate::config::{number, span};
use crate::error::ConfigError;
use crate::exchange::wire::Datagram;
use crate::time::{ServerTime, Span};

/// Settings of an [`Organiser`]. Checked once, when it is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrganiserConfig {
    /// Most participants at a time; memory for them is taken at creation. (count, 1..=1024, default 64)
    pub capacity: u32,
    /// The longest that participants can put off a start, from the first proposal on: half of it is for waiting until
    /// they are ready, half for announcing. (100 ms..=10 min, default 10 s)
    pub patience: Span,
    /// A participant whose clock is probably further off than this is not ready. (1 tick..=1 s, default 1 ms)
    pub max_expected_error: Span,
    /// Time between two copies of an announcement. (5 ms..=1 s, default 50 ms)
    pub interval: Span,
    /// The slowest frame of server and clients: messages leave, arrive and are handled at frames.
    /// (0..=1 s, default 1/30 s)
    pub frame: Span,
    /// Loss to be reckoned with at least, in the share of messages: losses come in bursts, and a copy that takes longer than the
    /// smallest round trip counts as lost. (0.01..=0.9, default 0.2)
    pub loss: f64,
}

impl Default for OrganiserConfig {
    fn default() -> Self {
        OrganiserConfig {
            capacity: 64,
            patience: Span::from_secs(10),
            max_expected_error: Span::from_millis(1),
            interval: Span::from_millis(50),
            frame: Span::from_ticks(333_334),
            loss: 0.2,
        }
    }
}

impl OrganiserConfig {
    fn validate(&self) -> Result<(), ConfigError> {
        const TICK: Span = Span::from_ticks(1);
        const SECOND: Span = Span::from_secs(1);
        number("capacity", f64::from(self.capacity), 1.0, 1024.0, "participants")?;
        span("patience", self.patience, Span::from_millis(100), Span::from_secs(600))?;
        span("max_expected_error", self.max_expected_error, TICK, SECOND)?;
        span("interval", self.interval, Span::from_millis(5), SECOND)?;
        span("frame", self.frame, Span::ZERO, SECOND)?;
        number("loss", self.loss, 0.01, 0.9, "of messages")
    }
}

/// What became of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// The start is scheduled and being announced.
    Scheduled {
        /// When, in server time.
        at: ServerTime,
        /// Of this announcement; each start and each cancellation has the next number.
        version: u32,
        /// Who needs the longest announcement.
        slowest: u64,
        /// Participants that were not waited for any longer. They are told, but nothing is promised of them.
        left_behind: u32,
    },
    /// Somebody is not ready. Propose again later: from `until` on nobody is waited for, except that somebody must be
    /// ready.
    HeldUp {
        /// The first of them; [`Organiser::participation`] tells of each.
        participant: u64,
        /// Why.
        reason: HoldUp,
        /// How many there are.
        count: u32,
        /// Until when they are waited for.
        until: ServerTime,
    },
}

/// What became of the newest start, as its participants say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// When the start was to be.
    pub at: ServerTime,
    /// Of the newest announcement.
    pub version: u32,
    /// Whether that was a cancellation.
    pub cancelled: bool,
    /// Participants that were ready when it was scheduled and are still there. All counts and the spread are of these.
    pub counted: u32,
    /// How many of them acknowledged the newest announcement.
    pub acknowledged: u32,
    /// How many of them say that they started.
    pub fired: u32,
    /// Lateness of the first and the last of them.
    pub earliest: Span,
    /// See [`earliest`](Self::earliest). The difference of the two is the spread.
    pub latest: Span,
    /// The largest error bound of these clocks then; [`Span::MAX`] if one had none.
    pub error_bound: Span,
}

#[derive(Clone, Copy, Debug)]
struct Scheduled {
    at: ServerTime,
    /// The announcement that said so. What is newer is its cancellation.
    version: u32,
}

/// Plans a start, announces it until everybody knows, and collects when they started. One owner; allocates when it is
/// created and never again.
///
/// Ids are the caller's: whatever names a connection. Admit whoever is to take part; leave out whoever has gone or is
/// not worth waiting for. All times are the server's clock's, as the one that answers requests for the time; a host
/// that plays on the server itself needs no participant: it starts when that clock reads the start.
#[derive(Debug)]
pub struct Organiser {
    config: OrganiserConfig,
    server_epoch: u64,
    seats: Vec<Seat>,
    version: u32,
    start: Option<Scheduled>,
    /// The first proposal in a row that was held up.
    asked: Option<ServerTime>,
    /// Probability with which each may miss the announcement: of the last proposal.
    missed: f64,
    /// Where the search for the next message goes on.
    turn: usize,
}

impl Organiser {
    /// An organiser of starts in the run of the server's clock that `server_epoch` names.
    ///
    /// # Errors
    /// A field of `config` is out of range.
    pub fn new(config: OrganiserConfig, server_epoch: u64) -> Result<Self, ConfigError> {
        config.validate()?;
        Ok(Organiser {
            config,
            server_epoch,
            seats: Vec::with_capacity(config.capacity as usize),
            version: 0,
            start: None,
            asked: None,
            missed: 1e-3,
            turn: 0,
        })
    }

    /// Lets `id` take part from now on. Who comes after a start is told of it as soon as it is heard of.
    ///
    /// # Errors
    /// [`StartError::Duplicate`], [`StartError::Full`].
    pub fn admit(&mut self, id: u64) -> Result<(), StartError> {
        if self.seat(id).is_ok() {
            return Err(StartError::Duplicate);
        }
        if self.seats.len() >= self.config.capacity as usize {
            return Err(StartError::Full);
        }
        self.seats.push(Seat::new(id));
        Ok(())
    }

    /// Forgets `id`: nobody waits for it, and it is told nothing more. A client that connects anew, with a new key, is
    /// left out and admitted again.
    ///
    /// # Errors
    /// [`StartError::UnknownParticipant`].
    pub fn leave_out(&mut self, id: u64) -> Result<(), StartError> {
        let place = self.seat(id)?;
        self.seats.remove(place);
        Ok(())
    }

    /// Schedules a start as early as all who are ready know of it in time with probability `confidence`, or says who is
    /// not ready. Call it until it is scheduled.
    ///
    /// # Errors
    /// [`StartError::Confidence`] if it is not above 0.5 and at most 0.99999, [`StartError::Pending`] if a start is under
    /// way, [`StartError::UnknownParticipant`] if nobody was admitted, [`StartError::TimeOutOfRange`].
    pub fn propose(&mut self, now: ServerTime, confidence: f64) -> Result<Proposal, StartError> {
        let enough = confidence > 0.5 && confidence <= 0.99999;
        if !enough {
            return Err(StartError::Confidence);
        }
        check(now)?;
        if self.pending(now).is_some() {
            return Err(StartError::Pending);
        }
        // Half of the patience is for waiting. Who asks again after twice of it is asking anew.
        let patience = self.config.patience;
        let asked = self.asked.filter(|asked| (now - *asked).abs() < patience + patience).unwrap_or(now);
        let until = asked + self.longest_lead();
        let missed = (1.0 - confidence) / self.seats.len() as f64;
        let mut first = None;
        let (mut held_up, mut slowest) = (0_u32, None);
        for seat in &self.seats {
            let lead = need::lead(seat, &self.config, missed);
            if let Some(reason) = self.hold_up(seat, lead, now) {
                first = first.or(Some((seat.id, reason)));
                held_up += 1;
            } else if slowest.is_none_or(|(longest, _)| lead > longest) {
                slowest = Some((lead, seat.id));
            }
        }
        let Some((lead, slowest)) = slowest.filter(|_| held_up == 0 || now >= until) else {
            let (participant, reason) = first.ok_or(StartError::UnknownParticipant)?;
            self.asked = Some(asked);
            return Ok(Proposal::HeldUp { participant, reason, count: held_up, until });
        };
        let at = now + lead;
        check(at)?;
        self.missed = missed;
        self.schedule(now, at);
        Ok(Proposal::Scheduled { at, version: self.version, slowest, left_behind: held_up })
    }

    fn schedule(&mut self, now: ServerTime, at: ServerTime) {
        for place in 0..self.seats.len() {
            let lead = need::lead(&self.seats[place], &self.config, self.missed);
            self.seats[place].counted = self.hold_up(&self.seats[place], lead, now).is_none();
            self.seats[place].fired = None;
        }
        self.announce();
        self.start = Some(Scheduled { at, version: self.version });
        self.asked = None;
    }

    /// A new announcement, to be sent at once.
    fn announce(&mut self) {
        self.version = self.version.saturating_add(1);
        for seat in &mut self.seats {
            seat.sent = None;
        }
    }

    /// Cancels the start that is under way. Whoever acknowledges that will not start; who does not hear of it in time
    /// starts, and says so.
    ///
    /// # Errors
    /// [`StartError::NoStart`] if none is under way, or its time has come; [`StartError::TimeOutOfRange`].
    pub fn cancel(&mut self, now: ServerTime) -> Result<(), StartError> {
        check(now)?;
        self.pending(now).ok_or(StartError::NoStart)?;
        self.announce();
        Ok(())
    }

    /// Handles a datagram that came from `id` at `now`.
    ///
    /// # Errors
    /// Says why it was refused; nothing changed. [`StartError::Duplicate`] and [`StartError::Stale`] are normal events on a
    /// network.
    pub fn receive(&mut self, id: u64, datagram: &[u8], now: ServerTime) -> Result<(), StartError> {
        check(now)?;
        let (key, message) = Upward::decode(datagram)?;
        let (version, start) = (self.version, self.start);
        let place = self.seat(id)?;
        let seat = &mut self.seats[place];
        match message {
            Upward::Readiness { number, claim } => return seat.hear(key, number, claim, now),
            Upward::Acknowledgement { version: known } => {
                seat.check(key)?;
                if known != version || version == 0 {
                    return Err(StartError::Stale);
                }
                if seat.acknowledged == version {
                    return Err(StartError::Duplicate);
                }
            }
            Upward::Result { version: of, fired, error_bound, .. } => {
                seat.check(key)?;
                let start = start.filter(|start| start.version == of).ok_or(StartError::Stale)?;
                if seat.fired.is_some() {
                    return Err(StartError::Duplicate);
                }
                if fired < start.at || fired > now + error_bound {
                    return Err(StartError::Implausible);
                }
                seat.fired = Some(Fired { at: fired, error_bound });
            }
        }
        seat.acknowledged = version;
        Ok(())
    }

    /// The next message to be sent now, and to whom. Call it in every frame until there is none.
    pub fn next_message(&mut self, now: ServerTime) -> Option<(u64, Datagram)> {
        let start = self.start?;
        let cancelled = self.version != start.version;
        for _ in 0..self.seats.len() {
            self.turn = (self.turn + 1) % self.seats.len();
            let seat = &mut self.seats[self.turn];
            let unreported = !cancelled && now >= start.at && seat.fired.is_none();
            let wanted = seat.acknowledged != self.version || unreported;
            if wanted && seat.is_due(now, start.at, self.config.interval) {
                let heard = seat.heard()?;
                let message = Downward {
                    version: self.version,
                    at: (!cancelled).then_some(start.at),
                    server_epoch: self.server_epoch,
                };
                let datagram = message.encode(heard.key);
                seat.sent = Some(now);
                return Some((seat.id, datagram));
            }
        }
        None
    }

    /// What is known of `id` at `now`.
    ///
    /// # Errors
    /// [`StartError::UnknownParticipant`].
    pub fn participation(&self, id: u64, now: ServerTime) -> Result<Participation, StartError> {
        let seat = &self.seats[self.seat(id)?];
        let lead = need::lead(seat, &self.config, self.missed);
        let claim = seat.heard().map(|heard| heard.claim);
        let lateness = self.start.zip(seat.fired).map(|(start, fired)| fired.at - start.at);
        Ok(Participation {
            hold_up: self.hold_up(seat, lead, now),
            lead,
            error_bound: claim.map_or(Span::MAX, |claim| claim.error_bound),
            expected_error: claim.map_or(Span::MAX, |claim| claim.expected_error),
            round_trip: claim.map_or(Span::MAX, |claim| claim.round_trip),
            loss: seat.heard().map_or(0.9, |heard| heard.loss()),
            counted: seat.counted,
            acknowledged: self.version > 0 && seat.acknowledged == self.version,
            lateness,
            lateness_bound: seat.fired.map_or(Span::MAX, |fired| fired.error_bound),
        })
    }

    /// What became of the newest start.
    ///
    /// # Errors
    /// [`StartError::NoStart`] if there was none yet.
    pub fn outcome(&self) -> Result<Outcome, StartError> {
        let start = self.start.ok_or(StartError::NoStart)?;
        let mut outcome = Outcome {
            at: start.at,
            version: self.version,
            cancelled: self.version != start.version,
            counted: 0,
            acknowledged: 0,
            fired: 0,
            earliest: Span::ZERO,
            latest: Span::ZERO,
            error_bound: Span::ZERO,
        };
        for seat in self.seats.iter().filter(|seat| seat.counted) {
            outcome.counted += 1;
            outcome.acknowledged += u32::from(seat.acknowledged == self.version);
            if let Some(fired) = seat.fired {
                let late = fired.at - start.at;
                outcome.earliest = if outcome.fired == 0 { late } else { outcome.earliest.min(late) };
                outcome.latest = outcome.latest.max(late);
                outcome.error_bound = outcome.error_bound.max(fired.error_bound);
                outcome.fired += 1;
            }
        }
        Ok(outcome)
    }

    /// The start that is yet to come.
    fn pending(&self, now: ServerTime) -> Option<Scheduled> {
        self.start.filter(|start| start.version == self.version && now < start.at)
    }

    fn longest_lead(&self) -> Span {
        Span::from_ticks(self.config.patience.ticks() / 2)
    }

    /// Why a start has to wait for this participant, which needs so long an announcement.
    fn hold_up(&self, seat: &Seat, lead: Span, now: ServerTime) -> Option<HoldUp> {
        let heard = seat.heard().filter(|_| !seat.is_silent(now));
        let Some(claim) = heard.map(|heard| heard.claim) else { return Some(HoldUp::Silent) };
        if claim.error_bound == Span::MAX || claim.run != self.server_epoch as u32 {
            Some(HoldUp::Unsynced)
        } else if claim.expected_error > self.config.max_expected_error {
            Some(HoldUp::Inaccurate)
        } else {
            (lead > self.longest_lead()).then_some(HoldUp::TooSlow)
        }
    }

    fn seat(&self, id: u64) -> Result<usize, StartError> {
        self.seats.iter().position(|seat| seat.id == id).ok_or(StartError::UnknownParticipant)
    }
}

fn check(time: ServerTime) -> Result<(), StartError> {
    if time.is_valid() { Ok(()) } else { Err(StartError::TimeOutOfRange) }
}
