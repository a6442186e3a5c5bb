//! The server side of synchronised starts.

use super::config::StartConfig;
use super::error::StartError;
use super::member::{INTERVAL, Member};
use super::message::{Announcement, Report};
use super::report::{HoldUp, Participation, Proposal, StartResult};
use crate::clock::for_parts::memory;
use crate::clock::{CreateError, ServerTime, Span};

#[derive(Clone, Copy, Debug)]
struct Scheduled {
    at: ServerTime,
    /// If the organiser's latest version differs from this one, the start was cancelled.
    version: u32,
}

/// Schedules starts and collects their results. A session announces every start until the participants know
/// about it. Memory is allocated only on creation.
#[derive(Debug)]
pub(crate) struct Organiser {
    config: StartConfig,
    server_epoch: u64,
    members: Vec<Member>,
    version: u32,
    start: Option<Scheduled>,
    asked: Option<ServerTime>,
    missed: f64,
}

impl Organiser {
    pub(crate) fn new(config: StartConfig, server_epoch: u64) -> Result<Self, CreateError> {
        config.validate()?;
        Ok(Organiser {
            config,
            server_epoch,
            members: memory::list(config.capacity as usize)?,
            version: 0,
            start: None,
            asked: None,
            missed: 1e-3,
        })
    }

    /// If there is no room, the participant does not take part in starts.
    pub(crate) fn admit(&mut self, id: u64) {
        if self.members.len() < self.config.capacity as usize {
            self.members.push(Member::new(id));
        }
    }

    pub(crate) fn remove(&mut self, id: u64) {
        self.members.retain(|member| member.id != id);
    }

    /// See [`Host::propose_start`](crate::session::Host::propose_start).
    pub(crate) fn propose(
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
        // Wait for up to half of the patience until everyone is ready. A proposal more than twice the
        // patience after the first one begins a new series.
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
        self.version = self.version.saturating_add(1);
        self.start = Some(Scheduled { at, version: self.version });
        self.asked = None;
    }

    /// See [`Host::cancel_start`](crate::session::Host::cancel_start).
    pub(crate) fn cancel(&mut self, now: ServerTime) -> Result<(), StartError> {
        check(now)?;
        self.pending(now).ok_or(StartError::NoStart)?;
        self.version = self.version.saturating_add(1);
        Ok(())
    }

    pub(crate) fn announcement(&self) -> Option<Announcement> {
        let start = self.start?;
        let is_cancelled = self.version != start.version;
        Some(Announcement { version: self.version, at: (!is_cancelled).then_some(start.at) })
    }

    /// Returns the interval at which to repeat the announcement, or `None` if no start is in the future.
    pub(crate) fn urgent(&self, now: ServerTime) -> Option<Span> {
        self.start.filter(|start| now < start.at).map(|_| INTERVAL)
    }

    pub(crate) fn forget_readiness(&mut self) {
        self.members.iter_mut().for_each(|member| *member = Member::new(member.id));
    }

    pub(crate) fn note_known(&mut self, id: u64) {
        if let Ok(place) = self.find(id) {
            self.members[place].acknowledged = self.version;
        }
    }

    /// Handles a report from `id`. Ignores an old or repeated report and returns false. The same applies if
    /// the client claims to have started too early or in the future.
    pub(crate) fn receive(&mut self, id: u64, report: &Report, now: ServerTime) -> bool {
        let Ok(place) = self.find(id) else { return false };
        let start = self.start;
        let of_start = report.fired.zip(start).filter(|(fired, start)| fired.version == start.version);
        if of_start.is_some_and(|(fired, start)| fired.at < start.at || fired.at > now + fired.error_bound) {
            return false;
        }
        let member = &mut self.members[place];
        let is_newer = member.note_readiness(report.number, report.claim, now);
        if is_newer && member.fired.is_none() {
            member.fired = of_start.map(|(fired, _)| fired);
        }
        is_newer
    }

    /// See [`Host::participation`](crate::session::Host::participation).
    pub(crate) fn participation(&self, id: u64, now: ServerTime) -> Result<Participation, StartError> {
        let member = &self.members[self.find(id)?];
        let (hold_up, lead) = self.assess(member, self.missed, now);
        let claim = member.readiness.map(|readiness| readiness.claim);
        let lateness = self.start.zip(member.fired).map(|(start, fired)| fired.at - start.at);
        Ok(Participation {
            hold_up,
            lead,
            error_bound: claim.map_or(Span::MAX, |claim| claim.error_bound),
            expected_error: claim.map_or(Span::MAX, |claim| claim.expected_error),
            round_trip: claim.map_or(Span::MAX, |claim| claim.round_trip),
            loss: member.readiness.map_or(0.9, |readiness| readiness.loss()),
            counted: member.counted,
            acknowledged: self.version > 0 && member.acknowledged == self.version,
            lateness,
            lateness_bound: member.fired.map_or(Span::MAX, |fired| fired.error_bound),
        })
    }

    /// See [`Host::start_result`](crate::session::Host::start_result).
    pub(crate) fn result(&self) -> Result<StartResult, StartError> {
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
        let readiness = member.readiness.filter(|_| !member.is_silent(now));
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
