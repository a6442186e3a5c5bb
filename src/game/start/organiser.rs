//! The server side of starts.

use super::config::OrganiserConfig;
use super::error::StartError;
use super::member::{Fired, Member};
use super::message::{ToOrganiser, ToParticipant};
use super::report::{HoldUp, Participation, Proposal, StartResult};
use crate::clock::for_parts::memory;
use crate::clock::wire::Datagram;
use crate::clock::{CreateError, ServerTime, Span};

#[derive(Clone, Copy, Debug)]
struct Scheduled {
    at: ServerTime,
    /// A start with a version other than the organiser's latest was cancelled.
    version: u32,
}

/// Schedules a start, announces it until all participants know about it, and collects their results. Use an
/// organiser from one thread at a time. Memory is allocated only on creation.
///
/// The caller chooses the participants' ids, which can be any numbers that identify connections. Admit all
/// players who take part, and remove those who have left or for whom the game should not wait. All times are
/// on the server clock that answers time requests. A player on the server itself needs no participant, and
/// starts when this clock reaches the start.
///
/// ```
/// use netclock::start::{HoldUp, Organiser, OrganiserConfig, Participant, Proposal};
/// use netclock::{Client, Config, LocalTime, ServerTime};
///
/// let mut organiser = Organiser::new(OrganiserConfig::default(), 42)?;
/// organiser.admit(1)?;
/// // Player 1, in each frame:
/// let (client, mut participant) = (Client::new(Config::default(), 7)?, Participant::default());
/// let now = LocalTime::from_ticks(0);
/// if participant.tick(now, &client.read(now))?.fires {
///     println!("go");
/// }
/// let server = ServerTime::from_ticks(0);
/// while let Some(message) = participant.next_message() {
///     organiser.receive(1, &message, server)?;
/// }
/// // The server, in each frame until the start is scheduled:
/// match organiser.propose(server, server, 0.999)? {
///     Proposal::Scheduled { at, .. } => println!("at {at:?}"),
///     Proposal::HeldUp { reason, .. } => assert_eq!(reason, HoldUp::Unsynced),
/// }
/// while let Some((id, message)) = organiser.next_message(server) {
///     println!("{} bytes to player {id}", message.len()); // the player: `participant.receive(&message)`
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Organiser {
    config: OrganiserConfig,
    server_epoch: u64,
    members: Vec<Member>,
    version: u32,
    start: Option<Scheduled>,
    asked: Option<ServerTime>,
    missed: f64,
    turn: usize,
}

impl Organiser {
    /// Creates an organiser for a server epoch.
    ///
    /// # Errors
    /// Fails if a field of `config` is out of range, or there is not enough memory.
    pub fn new(config: OrganiserConfig, server_epoch: u64) -> Result<Self, CreateError> {
        config.validate()?;
        Ok(Organiser {
            config,
            server_epoch,
            members: memory::list(config.capacity as usize)?,
            version: 0,
            start: None,
            asked: None,
            missed: 1e-3,
            turn: 0,
        })
    }

    /// Admits a participant, which is told about an existing start after its first readiness message.
    ///
    /// # Errors
    /// Returns [`StartError::Duplicate`] if it is already admitted, or [`StartError::Full`] if there is no
    /// room.
    pub fn admit(&mut self, id: u64) -> Result<(), StartError> {
        if self.find(id).is_ok() {
            return Err(StartError::Duplicate);
        }
        if self.members.len() >= self.config.capacity as usize {
            return Err(StartError::Full);
        }
        self.members.push(Member::new(id));
        Ok(())
    }

    /// Removes a participant. The organiser no longer waits for it or sends it messages. If a client
    /// reconnects, remove it and admit it again, because it then numbers its messages from one.
    ///
    /// # Errors
    /// Returns [`StartError::UnknownParticipant`] if `id` is not admitted.
    pub fn remove(&mut self, id: u64) -> Result<(), StartError> {
        let place = self.find(id)?;
        self.members.remove(place);
        Ok(())
    }

    /// Schedules a start at `earliest` or later, or reports which participant is not ready. Call this
    /// repeatedly until a start is scheduled. If `earliest` is in the future and no participant is admitted,
    /// the start is at `earliest`.
    ///
    /// The start is scheduled as early as possible, but late enough for the announcement to reach all ready
    /// participants with probability `confidence`. This estimate uses the losses and outages of their
    /// readiness messages so far, so it does not cover a participant's first outages, or longer ones than
    /// before. Outages add at most a quarter of `patience`, so increase `patience` rather than `confidence`
    /// if they are long.
    ///
    /// Before the start, [`StartResult::acknowledged`] is the number of ready participants that know about
    /// the start, and the game may [cancel](Self::cancel) it and propose another.
    ///
    /// # Errors
    /// Returns [`StartError::Confidence`] if `confidence` is not above 0.5 and at most 0.99999,
    /// [`StartError::Pending`] if a start is already scheduled, [`StartError::UnknownParticipant`] if no
    /// participant is admitted, or [`StartError::TimeOutOfRange`] if a time or the start is out of range.
    pub fn propose(
        &mut self,
        now: ServerTime,
        earliest: ServerTime,
        confidence: f64,
    ) -> Result<Proposal, StartError> {
        let enough = confidence > 0.5 && confidence <= 0.99999;
        if !enough {
            return Err(StartError::Confidence(confidence));
        }
        check(now)?;
        check(earliest)?;
        if self.pending(now).is_some() {
            return Err(StartError::Pending);
        }
        // Wait for half of the patience until everyone is ready. A proposal after twice the patience begins a
        // new series.
        let patience = self.config.patience;
        let asked = self.asked.filter(|asked| (now - *asked).abs() < patience + patience).unwrap_or(now);
        let until = asked + self.longest_lead();
        let missed = (1.0 - confidence) / self.members.len() as f64;
        let mut first = None;
        let is_alone = self.members.is_empty() && earliest > now;
        let (mut held_up, mut slowest) = (0_u32, is_alone.then_some((Span::ZERO, 0)));
        for member in &self.members {
            let (reason, lead) = self.assess(member, missed, now);
            if let Some(reason) = reason {
                first = first.or(Some((member.id, reason)));
                held_up += 1;
            } else if slowest.is_none_or(|(longest, _)| lead > longest) {
                slowest = Some((lead, member.id));
            }
        }
        let Some((lead, slowest)) = slowest.filter(|_| held_up == 0 || now >= until) else {
            let (participant, reason) = first.ok_or(StartError::UnknownParticipant)?;
            self.asked = Some(asked);
            return Ok(Proposal::HeldUp { participant, reason, count: held_up, until });
        };
        let at = (now + lead).max(earliest);
        check(at)?;
        self.missed = missed;
        self.schedule(now, at);
        Ok(Proposal::Scheduled { at, version: self.version, slowest, left_behind: held_up })
    }

    fn schedule(&mut self, now: ServerTime, at: ServerTime) {
        for place in 0..self.members.len() {
            let (reason, _) = self.assess(&self.members[place], self.missed, now);
            let member = &mut self.members[place];
            (member.counted, member.fired) = (reason.is_none(), None);
        }
        self.announce();
        self.start = Some(Scheduled { at, version: self.version });
        self.asked = None;
    }

    fn announce(&mut self) {
        self.version = self.version.saturating_add(1);
        for member in &mut self.members {
            member.sent = None;
        }
    }

    /// Cancels the scheduled start. A participant that acknowledges the cancellation will not start. If the
    /// cancellation does not reach a participant in time, the participant starts and reports this.
    ///
    /// # Errors
    /// Returns [`StartError::NoStart`] if no start is scheduled or its time has passed, or
    /// [`StartError::TimeOutOfRange`] if `now` is out of range.
    pub fn cancel(&mut self, now: ServerTime) -> Result<(), StartError> {
        check(now)?;
        self.pending(now).ok_or(StartError::NoStart)?;
        self.announce();
        Ok(())
    }

    /// Discards the readiness messages of all participants, so that the next start waits for new ones.
    pub fn forget_readiness(&mut self) {
        self.members.iter_mut().for_each(|member| *member = Member::new(member.id));
    }

    /// Handles a datagram received from `id` at `now`.
    ///
    /// # Errors
    /// Returns the reason if the datagram was rejected. The state is then unchanged.
    /// [`StartError::Duplicate`] and [`StartError::Stale`] are normal on a network.
    pub fn receive(&mut self, id: u64, datagram: &[u8], now: ServerTime) -> Result<(), StartError> {
        check(now)?;
        let message = ToOrganiser::decode(datagram)?;
        let (version, start) = (self.version, self.start);
        let place = self.find(id)?;
        let member = &mut self.members[place];
        match message {
            ToOrganiser::Readiness { number, claim } => {
                return member.note_readiness(number, claim, now);
            }
            _ if member.readiness().is_none() => return Err(StartError::Stale),
            ToOrganiser::Acknowledgement { version: known } => {
                if known != version || version == 0 {
                    return Err(StartError::Stale);
                }
                if member.acknowledged == version {
                    return Err(StartError::Duplicate);
                }
            }
            ToOrganiser::Result { version: of, fired, error_bound, .. } => {
                let start = start.filter(|start| start.version == of).ok_or(StartError::Stale)?;
                if member.fired.is_some() {
                    return Err(StartError::Duplicate);
                }
                if fired < start.at || fired > now + error_bound {
                    return Err(StartError::Implausible);
                }
                member.fired = Some(Fired { at: fired, error_bound });
            }
        }
        member.acknowledged = version;
        Ok(())
    }

    /// Returns the next message to send and its recipient. In every frame, call this until it returns `None`.
    pub fn next_message(&mut self, now: ServerTime) -> Option<(u64, Datagram)> {
        let start = self.start?;
        let cancelled = self.version != start.version;
        for _ in 0..self.members.len() {
            self.turn = (self.turn + 1) % self.members.len();
            let member = &mut self.members[self.turn];
            let unreported = !cancelled && now >= start.at && member.fired.is_none();
            let wanted = member.acknowledged != self.version || unreported;
            if wanted && member.is_due(now, start.at, self.config.interval) {
                let message = ToParticipant {
                    version: self.version,
                    at: (!cancelled).then_some(start.at),
                    server_epoch: self.server_epoch,
                };
                member.sent = Some(now);
                return Some((member.id, message.encode()));
            }
        }
        None
    }

    /// Returns the state of participant `id` at `now`.
    ///
    /// # Errors
    /// Returns [`StartError::UnknownParticipant`] if `id` is not admitted.
    pub fn participation(&self, id: u64, now: ServerTime) -> Result<Participation, StartError> {
        let member = &self.members[self.find(id)?];
        let (hold_up, lead) = self.assess(member, self.missed, now);
        let claim = member.readiness().map(|readiness| readiness.claim);
        let lateness = self.start.zip(member.fired).map(|(start, fired)| fired.at - start.at);
        Ok(Participation {
            hold_up,
            lead,
            error_bound: claim.map_or(Span::MAX, |claim| claim.error_bound),
            expected_error: claim.map_or(Span::MAX, |claim| claim.expected_error),
            round_trip: claim.map_or(Span::MAX, |claim| claim.round_trip),
            loss: member.readiness().map_or(0.9, |readiness| readiness.loss()),
            counted: member.counted,
            acknowledged: self.version > 0 && member.acknowledged == self.version,
            lateness,
            lateness_bound: member.fired.map_or(Span::MAX, |fired| fired.error_bound),
        })
    }

    /// Returns the result of the most recent start.
    ///
    /// # Errors
    /// Returns [`StartError::NoStart`] if no start was scheduled yet.
    pub fn result(&self) -> Result<StartResult, StartError> {
        let start = self.start.ok_or(StartError::NoStart)?;
        let mut result = StartResult {
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
        for member in self.members.iter().filter(|member| member.counted) {
            result.counted += 1;
            result.acknowledged += u32::from(member.acknowledged == self.version);
            if let Some(fired) = member.fired {
                let late = fired.at - start.at;
                result.earliest = if result.fired == 0 { late } else { result.earliest.min(late) };
                result.latest = result.latest.max(late);
                result.error_bound = result.error_bound.max(fired.error_bound);
                result.fired += 1;
            }
        }
        Ok(result)
    }

    fn pending(&self, now: ServerTime) -> Option<Scheduled> {
        self.start.filter(|start| start.version == self.version && now < start.at)
    }

    fn longest_lead(&self) -> Span {
        Span::from_ticks(self.config.patience.ticks() / 2)
    }

    fn assess(&self, member: &Member, missed: f64, now: ServerTime) -> (Option<HoldUp>, Span) {
        let lead = member.lead_time(&self.config, missed);
        let readiness = member.readiness().filter(|_| !member.is_silent(now));
        let reason = match readiness.map(|readiness| readiness.claim) {
            None => Some(HoldUp::Silent),
            Some(claim) if claim.error_bound == Span::MAX || claim.run != self.server_epoch as u32 => {
                Some(HoldUp::Unsynced)
            }
            Some(claim) if claim.expected_error > self.config.max_expected_error => Some(HoldUp::Inaccurate),
            Some(_) => (lead > self.longest_lead()).then_some(HoldUp::TooSlow),
        };
        (reason, lead)
    }

    fn find(&self, id: u64) -> Result<usize, StartError> {
        self.members.iter().position(|member| member.id == id).ok_or(StartError::UnknownParticipant)
    }
}

fn check(time: ServerTime) -> Result<(), StartError> {
    if time.is_valid() { Ok(()) } else { Err(StartError::TimeOutOfRange) }
}
