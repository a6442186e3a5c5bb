//! The server's half: who is ready, when to start, who did.

use super::config::OrganiserConfig;
use super::error::StartError;
use super::message::{Downward, Upward};
use super::need;
use super::proposal::{Outcome, Proposal};
use super::seat::{Fired, HoldUp, Participation, Seat};
use crate::exchange::wire::Datagram;
use crate::range::ConfigError;
use crate::time::{ServerTime, Span};

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
            return Err(StartError::Confidence(confidence));
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
            let (reason, lead) = self.assess(seat, missed, now);
            if let Some(reason) = reason {
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
            let (reason, _) = self.assess(&self.seats[place], self.missed, now);
            let seat = &mut self.seats[place];
            (seat.counted, seat.fired) = (reason.is_none(), None);
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
        let (hold_up, lead) = self.assess(seat, self.missed, now);
        let claim = seat.heard().map(|heard| heard.claim);
        let lateness = self.start.zip(seat.fired).map(|(start, fired)| fired.at - start.at);
        Ok(Participation {
            hold_up,
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

    /// Why a start has to wait for this participant, and how long before it has to be announced to it.
    #[inline(never)]
    fn assess(&self, seat: &Seat, missed: f64, now: ServerTime) -> (Option<HoldUp>, Span) {
        let lead = need::lead(seat, &self.config, missed);
        let heard = seat.heard().filter(|_| !seat.is_silent(now));
        let reason = match heard.map(|heard| heard.claim) {
            None => Some(HoldUp::Silent),
            Some(claim) if claim.error_bound == Span::MAX || claim.run != self.server_epoch as u32 => {
                Some(HoldUp::Unsynced)
            }
            Some(claim) if claim.expected_error > self.config.max_expected_error => Some(HoldUp::Inaccurate),
            Some(_) => (lead > self.longest_lead()).then_some(HoldUp::TooSlow),
        };
        (reason, lead)
    }

    fn seat(&self, id: u64) -> Result<usize, StartError> {
        self.seats.iter().position(|seat| seat.id == id).ok_or(StartError::UnknownParticipant)
    }
}

fn check(time: ServerTime) -> Result<(), StartError> {
    if time.is_valid() { Ok(()) } else { Err(StartError::TimeOutOfRange) }
}
