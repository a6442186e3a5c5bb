//! Coordinates the parts of a client, which do not depend on each other. The conductor calls the parts in
//! turn, and each result decides which part is called next.

#[cfg(feature = "link")]
mod link;
mod reply;

use super::asking::Asking;
use super::authorities::Authorities;
use super::config::Config;
use super::estimators::Estimators;
use super::events::{Cause, Degradation, Event, Events};
use super::known::Known;
use super::linked::Linked;
use super::local_clock::{LocalClock, Passage};
use super::polls::Polls;
use super::rivals::Rivals;
use super::sample::Sample;
use super::saved::{Earlier, Memory};
use super::schedule::Pace;
use super::shown::{Outlook, Shown};
use crate::clock::authority::{Authority, AuthorityError};
use crate::clock::exchange::{Refusal, Request, Tolerance};
use crate::clock::ground::memory::{self, OutOfMemory};
use crate::clock::ground::time::{LocalTime, Span, TimeError};

/// We only send the first few requests reliably. A stalled server does not acknowledge them, and engines
/// close a connection after a few hundred unacknowledged messages.
const RELIABLE: u32 = 3;

#[derive(Debug)]
pub(crate) struct Conductor {
    pub(crate) asking: Asking,
    tolerance: Tolerance,
    pub(super) local: LocalClock,
    pub(super) polls: Polls,
    pub(super) authorities: Authorities,
    pub(super) rivals: Rivals,
    pub(super) known: Box<Known>,
    /// Bursts are extended while the expected error (ticks) exceeds this.
    target_error: f64,
    pub(super) memory: Memory,
    pub(super) shown: Shown,
    pub(crate) events: Events,
    pub(crate) linked: Linked,
    #[cfg_attr(not(feature = "link"), expect(dead_code, reason = "only the link reads it"))]
    link_told: Option<Event>,
    reliable_left: u32,
    pub(super) last_sample: Option<Sample>,
    pub(crate) sample_count: u64,
}

impl Conductor {
    pub(super) fn new(config: &Config, seed: u128, earlier: &Earlier<'_>) -> Result<Box<Self>, OutOfMemory> {
        let memory = Memory::new(config, earlier);
        // This part is created first to keep the peak stack usage low.
        let estimators = Estimators::new(config, memory.prior(config), earlier.asymmetry())?;
        let known = Known::boxed(config, estimators)?;
        memory::boxed(|| Self::with(config, seed, memory, known))
    }

    fn with(config: &Config, seed: u128, memory: Memory, known: Box<Known>) -> Result<Self, OutOfMemory> {
        Ok(Conductor {
            asking: Asking::new(config, seed)?,
            tolerance: config.tolerance(),
            local: LocalClock::new(config.local_gap),
            polls: Polls::default(),
            authorities: Authorities::default(),
            rivals: Rivals::new(),
            known,
            target_error: config.target_error.ticks() as f64,
            memory,
            shown: Shown::new(config)?,
            events: Events::default(),
            linked: Linked::new(config.steady_interval, config.steady_interval),
            link_told: None,
            reliable_left: RELIABLE,
            last_sample: None,
            sample_count: 0,
        })
    }

    pub(super) fn set_authority(
        &mut self,
        authority: &Authority,
        now: LocalTime,
    ) -> Result<(), AuthorityError> {
        let newcomer = self.rivals.newcomer.as_ref().map(|newcomer| newcomer.epoch);
        if newcomer == Some(authority.epoch) {
            // The authority of a new server may have a different timescale.
            authority.check()?;
        } else {
            self.authorities.check(authority)?;
        }
        self.advance(now)?;
        self.rivals.expect(authority.epoch);
        let is_followed = self.authorities.state(authority, now);
        let newcomer = self.rivals.newcomer.as_ref().map(|newcomer| newcomer.epoch);
        if newcomer.is_some_and(|epoch| !self.authorities.is_surprised_by(epoch)) {
            self.replace(now);
        } else if is_followed && self.hand_over(now) {
            self.publish(now);
        }
        Ok(())
    }

    fn keep(&mut self, sample: Sample) -> Result<(), Refusal> {
        self.sample_count += 1;
        self.last_sample.insert(sample).outcome
    }

    pub(crate) fn attend(&mut self, now: LocalTime) -> Result<(), TimeError> {
        self.advance(now)?;
        let present = self.local.now(now);
        if self.known.quality.turns_to_holdover(present) {
            self.events.push(Event::Degraded(Degradation::NoReplies));
            self.publish(present);
        }
        if self.known.quality.exceeds_target(self.known.bounds.width(present)) {
            self.events.push(Event::Degraded(Degradation::BoundAboveTarget));
            self.asking.burst();
        }
        self.catch_up(present);
        Ok(())
    }

    pub(super) fn request(&mut self, now: LocalTime) -> Request {
        let is_synced = self.shown.is_synced();
        // If several servers share the address, send more requests until the followed server replies.
        let is_alone = self.rivals.heard.is_none() && self.rivals.newcomer.is_none();
        let answered = is_synced && !self.known.quality.is_holdover && is_alone;
        let second = self.linked.messages(now);
        let may_go_on = self.asking.schedule.may_go_on();
        let above_target = may_go_on && self.known.at(now).position.sigma > self.target_error;
        let round_trip = self.known.round_trip();
        let sigma_rate = self.known.estimators.sigma_rate();
        let pace = Pace { answered, round_trip, sigma_rate, second, above_target };
        self.known.quality.asked(now, round_trip);
        let id = self.asking.request(now, pace);
        let reliable = !is_synced && self.reliable_left > 0;
        self.reliable_left -= u32::from(reliable);
        Request { id, client_time: self.asking.stamp(now), reliable }
    }

    pub(super) fn catch_up(&mut self, now: LocalTime) {
        if self.shown.is_due(now) {
            self.show(Outlook { is_present: true, ..self.outlook(now) });
        } else if self.shown.is_unpublished {
            self.publish(now);
        }
    }

    #[inline(never)]
    fn show(&mut self, outlook: Outlook) {
        let event = self.shown.show(&outlook);
        self.events.extend(event);
    }

    #[inline(never)]
    fn publish(&mut self, now: LocalTime) {
        let outlook = self.outlook(now);
        self.shown.publish(&outlook);
    }

    pub(super) fn outlook(&self, now: LocalTime) -> Outlook {
        let server_epoch = self.authorities.followed;
        let mut known = self.known.at(now);
        known.is_doubtful |= self.rivals.newcomer.is_some();
        Outlook { now, is_present: false, known, server_epoch }
    }

    pub(super) fn advance(&mut self, now: LocalTime) -> Result<(), TimeError> {
        let passage = self.local.advance(now)?;
        self.pass(passage, now);
        Ok(())
    }

    /// Returns the latest known local time, which may be later than `arrived`.
    fn arrive(&mut self, arrived: LocalTime) -> Result<LocalTime, TimeError> {
        let passage = self.local.arrive(arrived)?;
        self.pass(passage, arrived);
        Ok(self.local.now(arrived))
    }

    fn pass(&mut self, passage: Passage, now: LocalTime) {
        match passage {
            Passage::Normal => {}
            Passage::Paused => self.pause(now),
            Passage::SetBack { last } => self.set_back(last, now),
        }
    }

    /// The local clock may have stopped during a pause, so exchanges that span the pause prove nothing.
    fn pause(&mut self, now: LocalTime) {
        self.rivals.newcomer = None;
        self.polls.forget();
        self.asking.schedule.allow_burst();
        self.asking.start_over();
        if self.shown.is_synced() {
            self.known.bounds.doubt();
            self.events.push(self.shown.discontinuity(Cause::LocalGap, Span::ZERO));
            let outlook = self.outlook(now);
            self.shown.doubt(&outlook);
        }
    }

    pub(super) fn miss(&mut self, now: LocalTime, most: Span) {
        self.local.miss(now);
        self.memory.expire();
        self.known.miss(most);
        self.shown.begin_anew();
        self.pause(now);
    }

    fn set_back(&mut self, last: LocalTime, now: LocalTime) {
        self.rivals.newcomer = None;
        self.polls.forget();
        self.asking.schedule.allow_burst();
        self.asking.start_over();
        self.memory.expire();
        self.known.forget_offset();
        if let Some(event) = self.shown.set_back(last, now, self.known.estimators.rate()) {
            self.known.bounds.doubt();
            self.events.push(event);
            self.publish(now);
        }
    }
}
