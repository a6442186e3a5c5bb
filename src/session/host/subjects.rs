//! The subjects that a host publishes.

use super::super::error::SessionError;
use super::{Host, Subject};
use crate::clock::authority::Authority;
use crate::clock::{ServerTime, Span, UtcTime, WorldTime};
use crate::game::start::{Participation, Proposal, StartError, StartResult};
use crate::game::timeline::{Rate, Segment};
use crate::game::utc::UtcClaim;

impl Host {
    /// Observes a world's clock in one frame. If a new segment is needed, publishes it to the guests and
    /// returns it. See [`Publisher::observe`](crate::timeline::Publisher::observe).
    ///
    /// # Errors
    /// Returns [`SessionError::UnknownWorld`] if there is no world with this number, or the errors of
    /// [`Publisher::observe`](crate::timeline::Publisher::observe).
    pub fn observe(
        &mut self,
        world: usize,
        real: ServerTime,
        time: WorldTime,
        rate: Rate,
    ) -> Result<Option<Segment>, SessionError> {
        let subject = self.worlds.get_mut(world).ok_or(SessionError::UnknownWorld)?;
        let segment = subject.value.observe(real, time, rate)?;
        if segment.is_some() {
            change(&mut self.revision, subject);
        }
        Ok(segment)
    }

    /// Starts a new world in the next observed frame. See
    /// [`Publisher::begin_world`](crate::timeline::Publisher::begin_world).
    ///
    /// # Errors
    /// Returns [`SessionError::UnknownWorld`] if there is no world with this number.
    pub fn begin_world(&mut self, world: usize) -> Result<(), SessionError> {
        self.worlds.get_mut(world).ok_or(SessionError::UnknownWorld)?.value.begin_world();
        Ok(())
    }

    /// Records that the machine's UTC was `utc` at server time `at`, within `bound` of true UTC. Pass `None`
    /// as `bound` if the time source does not report one. Call this about once per second.
    /// [`utc_now`](crate::utc_now) reads both clocks at the same time. Add the sample's uncertainty to the
    /// bound. If the last claim is no longer valid, this publishes a new one to the guests and returns it.
    ///
    /// # Errors
    /// Returns [`SessionError::Utc`], which names the argument that is out of range.
    pub fn observe_utc(
        &mut self,
        at: ServerTime,
        utc: UtcTime,
        bound: Option<Span>,
    ) -> Result<Option<UtcClaim>, SessionError> {
        let claim = self.utc.value.observe(at, utc, bound)?;
        if claim.is_some() {
            change(&mut self.revision, &mut self.utc);
        }
        Ok(claim)
    }

    /// Sets the authority of this server's clock. Guests receive it with their first reply.
    ///
    /// # Errors
    /// Fails if the dispersion is out of range.
    pub fn state_authority(&mut self, authority: Authority) -> Result<(), SessionError> {
        authority.encode()?;
        if self.authority.value != Some(authority) {
            self.authority.value = Some(authority);
            change(&mut self.revision, &mut self.authority);
        }
        Ok(())
    }

    /// Asks players to report the quality of their clocks in advance. The next start then need not wait for
    /// these reports. [`propose_start`](Self::propose_start) also asks for them.
    pub fn prepare_start(&mut self) {
        if self.round.value == 0 || self.is_scheduled {
            self.rounds = self.rounds.wrapping_add(1).max(1);
            self.set_round(self.rounds);
        }
        self.is_scheduled = false;
    }

    /// Schedules a start for all players at `earliest` or later, or reports which player is not ready. Call
    /// this repeatedly until a start is scheduled. If `earliest` is in the future and no player is admitted,
    /// the start is at `earliest`.
    ///
    /// The start is the earliest time by which, with probability `confidence`, the announcement will have
    /// reached all ready players. The time is estimated from the losses and outages of the players' reports
    /// so far. The estimate does not cover a player's first outages, or outages that are longer than before.
    /// Outages add at most a quarter of [`StartConfig::patience`](crate::start::StartConfig::patience). If
    /// outages are long, increase the patience rather than the confidence.
    ///
    /// Before the start, [`StartResult::acknowledged`] is the number of ready players that know about it.
    /// Until the start, the game may [cancel](Self::cancel_start) it and propose another.
    ///
    /// # Errors
    /// Returns [`StartError::Confidence`] if `confidence` is not above 0.5 and at most 0.99999,
    /// [`StartError::Pending`] if a start is already scheduled, [`StartError::UnknownParticipant`] if no
    /// player is admitted, or [`StartError::TimeOutOfRange`] if a time or the start is out of range.
    pub fn propose_start(
        &mut self,
        now: ServerTime,
        earliest: ServerTime,
        confidence: f64,
    ) -> Result<Proposal, SessionError> {
        let proposal = self.organiser.propose(now, earliest, confidence)?;
        self.prepare_start();
        self.is_scheduled = matches!(proposal, Proposal::Scheduled { .. });
        if self.is_scheduled {
            self.announce();
        }
        Ok(proposal)
    }

    /// Cancels the current start. A player who does not receive the cancellation in time still starts, and
    /// reports it.
    ///
    /// # Errors
    /// Returns [`StartError::NoStart`] if no start is scheduled or its time has passed, or
    /// [`StartError::TimeOutOfRange`] if `now` is out of range.
    pub fn cancel_start(&mut self, now: ServerTime) -> Result<(), SessionError> {
        self.organiser.cancel(now)?;
        self.announce();
        Ok(())
    }

    fn announce(&mut self) {
        self.start.value = self.organiser.announcement();
        change(&mut self.revision, &mut self.start);
    }

    /// Ends the most recent start, so that players who join later do not receive it. Call this if the game
    /// needs no further starts, or if the next start is for another world. The players must report the
    /// quality of their clocks again before the next start.
    pub fn end_starts(&mut self) {
        self.set_round(0);
        self.organiser.forget_readiness();
    }

    /// Returns the result of the most recent start.
    ///
    /// # Errors
    /// Returns [`StartError::NoStart`] if no start was scheduled yet.
    pub fn start_result(&self) -> Result<StartResult, StartError> {
        self.organiser.result()
    }

    /// Returns the player's state at `now` in the most recent start.
    ///
    /// # Errors
    /// Returns [`StartError::UnknownParticipant`] if the player does not take part in starts.
    pub fn participation(&self, player: u64, now: ServerTime) -> Result<Participation, StartError> {
        self.organiser.participation(player, now)
    }

    fn set_round(&mut self, round: u32) {
        if self.round.value != round {
            (self.round.value, self.start.value) = (round, None);
            change(&mut self.revision, &mut self.round);
        }
    }
}

fn change<T>(revision: &mut u32, subject: &mut Subject<T>) {
    // At 1,000 changes per second, the counter lasts for seven weeks.
    *revision = revision.saturating_add(1);
    subject.changed = *revision;
}
