//! Going on when another authority takes over: the old clock's evidence, widened by what may lie between the two clocks,
//! holds for the new one, and what is shown stays.

use super::Client;
use super::config::Config;
use super::events::Event;
use super::inquiries::Inquiries;
use crate::estimate::{Interval, Limits};
use crate::exchange::authority::AuthorityError;
use crate::exchange::authority::{Answer, Authority, Inquiry, MAX_DISPERSION, Question, Statement};
use crate::time::TimeError;
use crate::time::{LocalTime, Span};

/// What is stated holds for this long: clients ask anew every 4 s, and answers may be lost. After that the clock may have
/// drifted off its timescale.
const HOLDS: Span = Span::from_secs(20);

/// What was said of an authority, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stated {
    authority: Authority,
    at: LocalTime,
}

impl Stated {
    /// The dispersion at `now`.
    fn dispersion(&self, now: LocalTime, limits: &Limits) -> Span {
        if self.authority.is_alone() {
            return Span::ZERO;
        }
        let overdue = ((now - self.at).abs() - HOLDS).ticks().max(0);
        let drift = (overdue as f64 * limits.drift).ceil() as i64;
        self.authority.dispersion + Span::from_ticks(drift)
    }
}

/// What was known of the authority that is still shown, although another one answers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Left {
    stated: Stated,
    interval: Interval,
}

/// What a client knows about authorities.
#[derive(Clone, Debug)]
pub(super) struct Succession {
    /// Of the server epoch that is followed.
    current: Option<Stated>,
    /// Of one that is not followed yet.
    successor: Option<Stated>,
    left: Option<Left>,
    inquiries: Inquiries,
}

impl Succession {
    pub(super) fn new(config: &Config) -> Self {
        let inquiries = Inquiries::new(config.burst_interval, config.steady_interval);
        Succession { current: None, successor: None, left: None, inquiries }
    }

    /// What was known is not worth anything for the next authority: the local clock may have missed time.
    pub(super) fn forget_left(&mut self) {
        self.left = None;
    }
}

impl Client {
    /// Follows `authority` from its first reply on, or says anew how far the clock that is followed may be off its
    /// timescale. The caller vouches for it: it came over a connection that is trusted. [`handle_statement`] is for
    /// datagrams.
    ///
    /// If the authority is another one and its timescale that of the old one, the client **goes on**: what is known of
    /// the old clock holds for the new one, widened by both dispersions; shown time and [`Reading::epoch`] go on, and
    /// what is off is slewed. [`Event::HandedOver`] tells. It may be called before the first reply of the new authority,
    /// and after it for as long as the old run is still shown (until the burst is answered). Where the new replies
    /// contradict what was stated, the clock begins anew as after a [restart](crate::Cause::ServerRestart).
    ///
    /// [`handle_statement`]: Self::handle_statement
    /// [`Reading::epoch`]: crate::Reading::epoch
    ///
    /// # Errors
    /// The dispersion is out of range, the timescale is not the one that is followed, or `now` as in
    /// [`tick`](Self::tick); nothing changed.
    pub fn go_on_with(&mut self, authority: &Authority, now: LocalTime) -> Result<(), AuthorityError> {
        self.check_authority(authority)?;
        self.advance(now)?;
        self.take_authority(authority, now);
        Ok(())
    }

    /// What a server stated arrived at `arrived`: as [`go_on_with`](Self::go_on_with), if it answers an inquiry.
    ///
    /// # Errors
    /// As there, and if no open inquiry has this id. Nothing changed, but an inquiry is answered once.
    pub fn handle_statement(
        &mut self,
        statement: &Statement,
        arrived: LocalTime,
    ) -> Result<(), AuthorityError> {
        if !self.succession.inquiries.take(statement.id) {
            return Err(AuthorityError::UnknownInquiry);
        }
        self.check_authority(&statement.authority)?;
        // As with replies: what was stamped early and handled late is no news about the local clock.
        if self.last_call.is_none_or(|last| arrived >= last) {
            self.advance(arrived)?;
        }
        let now = self.last_call.map_or(arrived, |last| last.max(arrived));
        self.succession.inquiries.answered(now);
        self.take_authority(&statement.authority, now);
        Ok(())
    }

    /// An inquiry to be sent to the server at once, if one is due: call it every frame, after [`tick`](Self::tick), where
    /// servers make statements. Due at once when another authority answers, ever less often until it states something,
    /// then at the [steady interval](Config::steady_interval).
    ///
    /// # Errors
    /// As [`tick`](Self::tick).
    pub fn inquire(&mut self, now: LocalTime) -> Result<Option<Inquiry>, TimeError> {
        self.advance(now)?;
        if !self.succession.inquiries.is_due(now) {
            return Ok(None);
        }
        let id = self.random.next();
        self.succession.inquiries.sent(id, now);
        Ok(Some(Inquiry { id }))
    }

    /// Asks at once and in a burst, as after a restart: call it when turning to another server, which would else be asked
    /// only when the [steady interval](Config::steady_interval) is over.
    pub fn begin_burst(&mut self) {
        self.schedule.burst();
        self.succession.inquiries.begin();
    }

    /// Whose clock readings speak of: [`Reading::error_bound`](crate::Reading::error_bound) is about this clock, and the
    /// timescale is within `dispersion` of it at `now`, which grows by what clocks may drift if the authority has not
    /// stated it anew for 20 s. None until synced, and where replies name no epoch.
    pub fn authority(&self, now: LocalTime) -> Option<Authority> {
        let stated = self.stated()?;
        Some(Authority { dispersion: stated.dispersion(now, &self.limits), ..stated.authority })
    }

    /// Says what time it is at `now`, to a server that takes the timescale over. The bound includes the dispersion.
    ///
    /// # Errors
    /// Nothing certain is known, or the question is about another timescale.
    pub fn answer(&self, question: &Question, now: LocalTime) -> Result<Answer, AuthorityError> {
        let stated = self.stated().ok_or(AuthorityError::NothingCertain)?;
        if stated.authority.timescale != question.timescale {
            return Err(AuthorityError::OtherTimescale(stated.authority.timescale));
        }
        if !now.is_valid() {
            return Err(TimeError::OutOfRange.into());
        }
        let reading = self.read(now);
        let error_bound = reading.error_bound + stated.dispersion(now, &self.limits);
        if error_bound > MAX_DISPERSION || !reading.server_time.is_valid() {
            return Err(AuthorityError::NothingCertain);
        }
        Ok(Answer { id: question.id, timescale: question.timescale, time: reading.server_time, error_bound })
    }

    /// Of the authority that is shown.
    fn stated(&self) -> Option<Stated> {
        if !self.is_time_synced() {
            return None;
        }
        match self.succession.left {
            Some(left) if self.is_restarting() => Some(left.stated),
            _ if self.is_restarting() => Some(self.unstated(self.shown_epoch)),
            _ => self.succession.current.or(self.server_epoch.map(|epoch| self.unstated(epoch))),
        }
    }

    fn unstated(&self, epoch: u64) -> Stated {
        let at = self.last_call.unwrap_or(LocalTime::from_ticks(0));
        Stated { authority: Authority::alone(epoch), at }
    }

    fn check_authority(&self, authority: &Authority) -> Result<(), AuthorityError> {
        authority.check()?;
        let followed = match (self.succession.current, self.server_epoch) {
            (Some(current), _) => current.authority.timescale,
            // Nobody said anything of the clock that is followed, so whatever is said first is believed.
            (None, Some(epoch)) if epoch != authority.epoch => epoch,
            _ => return Ok(()),
        };
        if authority.timescale == followed { Ok(()) } else { Err(AuthorityError::OtherTimescale(followed)) }
    }

    fn take_authority(&mut self, authority: &Authority, now: LocalTime) {
        let stated = Some(Stated { authority: *authority, at: now });
        if self.server_epoch == Some(authority.epoch) {
            self.succession.current = stated;
            self.go_on(now);
        } else {
            self.succession.successor = stated;
        }
    }

    /// The first reply names `epoch`: what was said of it before holds.
    pub(super) fn begin_with(&mut self, epoch: u64) {
        self.succession.current = self.succession.successor.take_if(|next| next.authority.epoch == epoch);
    }

    /// A reply names `epoch` in place of the one that is followed: keeps what is known, in case the two belong together.
    pub(super) fn leave_for(&mut self, epoch: u64) {
        if !self.is_restarting() {
            let is_certain = !self.doubted && self.suspicion.is_none();
            let (stated, interval) = (self.stated(), self.interval.filter(|_| is_certain));
            self.succession.left = stated.zip(interval).map(|(stated, interval)| Left { stated, interval });
        }
        self.succession.current = self.succession.successor.take_if(|next| next.authority.epoch == epoch);
        self.succession.inquiries.begin();
    }

    /// Goes on with the authority that answers now, if it shows the timescale of the one before, which is still shown.
    pub(super) fn go_on(&mut self, now: LocalTime) {
        let (Some(left), Some(current)) = (self.succession.left, self.succession.current) else { return };
        let (true, None, Some(interval)) = (self.is_restarting(), &self.suspicion, &mut self.interval) else {
            return;
        };
        if left.stated.authority.timescale != current.authority.timescale {
            return;
        }
        let between = left.stated.dispersion(now, &self.limits) + current.dispersion(now, &self.limits);
        let known = left.interval.widened(between);
        if !known.meets(interval, &self.limits) {
            return; // Nobody knows yet whether a stamp or the statement is wrong; the burst will tell.
        }
        interval.tighten(&known, now, &self.limits);
        self.succession.left = None;
        self.turn_into_handover();
        self.events.push(Event::HandedOver);
        self.publish(now);
    }

    /// Whether a statement may still turn the restart into a handover.
    pub(super) fn awaits_statement(&self) -> bool {
        let Succession { left, current, inquiries, .. } = &self.succession;
        left.is_some() && current.is_none() && inquiries.are_used()
    }

    /// Whether replies come from another run of a clock than the one that is shown.
    fn is_restarting(&self) -> bool {
        self.anew.is_some_and(|anew| anew.is_restart())
    }
}
