//! Handles a reply and publishes the result.

use super::Conductor;
use crate::clock::client::authorities::{Left, Stated};
use crate::clock::client::bounds::Verdict;
use crate::clock::client::events::{Degradation, Event};
use crate::clock::client::reset::Wait;
use crate::clock::client::sample::Sample;
use crate::clock::exchange::{Exchange, Path, Refusal, Reply};
use crate::clock::ground::time::LocalTime;

impl Conductor {
    pub(in crate::clock::client) fn handle_reply(
        &mut self,
        reply: &Reply,
        arrived: LocalTime,
    ) -> Result<(), Refusal> {
        let (client_sent, exchange) = self.completed(reply, arrived);
        let outcome = self.checked(client_sent, &exchange).and_then(|checked| {
            self.asking.probes.remove(reply.id);
            self.follow(&checked, Some(reply.epoch), Path::Messages)
        });
        let sample = Sample::of(&exchange, Some(reply.epoch), outcome);
        self.keep(Sample { id: Some(reply.id), client_sent, ..sample })
    }

    /// Checks the id and the timestamps of a reply like [`handle_reply`](Self::handle_reply), but without
    /// using the reply.
    #[cfg(feature = "game")]
    pub(crate) fn check_reply(&self, reply: &Reply, arrived: LocalTime) -> Result<(), Refusal> {
        let (client_sent, exchange) = self.completed(reply, arrived);
        self.checked(client_sent, &exchange).map(|_| ())
    }

    fn checked(&self, client_sent: Option<LocalTime>, exchange: &Exchange) -> Result<Exchange, Refusal> {
        client_sent.ok_or(Refusal::UnknownRequest)?;
        exchange.check(&self.tolerance)
    }

    fn completed(&self, reply: &Reply, arrived: LocalTime) -> (Option<LocalTime>, Exchange) {
        let client_sent = self.asking.probes.sent(reply.id);
        let stamps =
            Exchange::from_stamps(client_sent.unwrap_or(arrived), reply.received, reply.sent, arrived);
        let client_wait = self.polls.wait(arrived);
        (client_sent, Exchange { server_wait: reply.wait, client_wait, ..stamps })
    }

    pub(crate) fn handle_exchange(
        &mut self,
        exchange: &Exchange,
        path: Path,
        server_epoch: Option<u64>,
    ) -> Result<(), Refusal> {
        let checked = exchange.check(&self.tolerance);
        let outcome = checked.and_then(|exchange| self.follow(&exchange, server_epoch, path));
        self.keep(Sample { by_link: path == Path::Link, ..Sample::of(exchange, server_epoch, outcome) })
    }

    fn follow(&mut self, exchange: &Exchange, named: Option<u64>, path: Path) -> Result<(), Refusal> {
        if path == Path::Messages {
            self.asking.note_message();
        }
        self.refuse_rivals(exchange, named)?;
        if !self.local.counted_during(exchange) {
            return Err(Refusal::UnknownRequest);
        }
        let now = self.arrive(exchange.client_received).map_err(|_| Refusal::StampOutOfRange)?;
        if let Some(newcomer) = named.filter(|named| self.authorities.is_surprised_by(*named)) {
            self.meet(newcomer, exchange, path, now);
            return Ok(());
        }
        if named.is_some() && self.rivals.outlasts(exchange.client_sent) {
            self.events.push(Event::Degraded(Degradation::SeveralServers));
        }
        let left = self.turn(named, exchange.client_received);
        if let Some(left) = left {
            self.asking.start_over();
            let wait = self.shown.wait_for_burst(now, exchange.round_trip());
            self.restart(left, exchange, wait, now);
        }
        self.learn(exchange, left.is_some(), path, now)?;
        self.show(self.outlook(now));
        Ok(())
    }

    /// Stores an exchange with a new server. Switches to that server once the old one has been silent for
    /// long enough. This is not inlined, so that other replies need less stack.
    #[inline(never)]
    fn meet(&mut self, newcomer: u64, exchange: &Exchange, path: Path, now: LocalTime) {
        let wait = self.shown.wait_for_burst(now, exchange.round_trip());
        if self.rivals.keep(newcomer, exchange, path, wait.until) {
            self.asking.burst();
            self.publish(now);
        }
        if self.rivals.is_replaced() {
            self.replace(now);
        }
    }

    /// Follows the epoch `named`, which was first seen at `since`. If the epoch is new, returns the statement
    /// about the old one.
    fn turn(&mut self, named: Option<u64>, since: LocalTime) -> Option<Stated> {
        let followed = self.authorities.followed;
        let left = self.authorities.follow(named);
        if let Some(named) = named.filter(|_| named != followed) {
            self.rivals.turn(followed, named, since);
            if let Some(prior) = self.memory.recognise(named) {
                self.known.estimators.expect(prior);
            }
        }
        left
    }

    pub(super) fn replace(&mut self, now: LocalTime) {
        let Some(newcomer) = self.rivals.newcomer.take() else { return };
        let mut left = self.turn(Some(newcomer.epoch), newcomer.since);
        for number in 0..newcomer.count {
            let Some((exchange, path)) = self.rivals.kept(number) else { return };
            let left = left.take();
            if let Some(left) = left {
                self.restart(left, &exchange, Wait { replies: 0, until: now }, now);
            }
            // If the exchange contradicts the bounds, treat it as newly arrived.
            let _ = self.learn(&exchange, left.is_some(), path, now);
        }
        self.show(self.outlook(now));
    }

    fn learn(
        &mut self,
        exchange: &Exchange,
        is_first: bool,
        path: Path,
        now: LocalTime,
    ) -> Result<(), Refusal> {
        if !is_first {
            match self.known.bounds.judge(exchange, now) {
                Verdict::Agrees => {
                    if self.known.bounds.tighten(exchange, now) {
                        self.declare_slew();
                    }
                }
                Verdict::Slewed(rung) => {
                    // The widened interval contains the offset whether a clock was slewed or stepped.
                    self.known.bounds.widen(rung, exchange, now);
                    self.declare_slew();
                    self.publish(now);
                    return Err(Refusal::Contradiction);
                }
                Verdict::Stepped => self.step(exchange),
                Verdict::Undecided => {
                    self.publish(now);
                    return Err(Refusal::Contradiction);
                }
                Verdict::Suspicious => {
                    self.suspect(exchange, now);
                    return Err(Refusal::Contradiction);
                }
            }
        }
        let rivals_are_gone = self.rivals.are_gone(now);
        let settles = self.known.bounds.settles(now);
        if self.known.learn(exchange, path, now, self.shown.is_synced()) || settles || rivals_are_gone {
            self.events.push(Event::Recovered);
        }
        self.linked.note_exchange(path, now);
        self.hand_over(now);
        Ok(())
    }

    /// Rejects late replies from before a restart. While the followed server replies, rejects exchanges with
    /// others. The first rival is reported as an event.
    fn refuse_rivals(&mut self, exchange: &Exchange, named: Option<u64>) -> Result<(), Refusal> {
        let Some(epoch) = named else { return Ok(()) };
        let is_another = self.authorities.followed.is_some_and(|followed| followed != epoch);
        if is_another && self.rivals.is_overtaken(exchange.client_sent) {
            return Err(Refusal::SeveralServers);
        }
        let met = self.rivals.meet(epoch, exchange.client_sent, exchange.client_received);
        if met == Some(true) {
            self.events.push(Event::Degraded(Degradation::SeveralServers));
        }
        met.map_or(Ok(()), |_| Err(Refusal::SeveralServers))
    }

    #[inline(never)]
    fn restart(&mut self, left: Stated, exchange: &Exchange, wait: Wait, now: LocalTime) {
        let left = self.known.bounds.certain().map(|interval| Left { stated: left, interval });
        let before = self.outlook(now);
        self.shown.plan_restart(left, wait, &before);
        self.memory.expire();
        self.known.start_over_with_other_clock(exchange);
    }

    #[inline(never)]
    fn step(&mut self, exchange: &Exchange) {
        self.shown.plan_step();
        self.asking.start_over();
        self.memory.expire();
        self.known.start_over(exchange);
    }

    fn declare_slew(&mut self) {
        self.events.push(Event::Degraded(Degradation::Slewed));
        self.asking.burst();
    }

    #[inline(never)]
    fn suspect(&mut self, exchange: &Exchange, now: LocalTime) {
        if self.known.bounds.suspect(exchange, now) {
            self.events.push(Event::Degraded(Degradation::Contradiction));
            self.asking.burst();
        }
        self.publish(now);
    }

    /// If the server has the same timescale as before the restart and the bounds agree, treats the restart as
    /// a handover and returns true. Otherwise, a timestamp or a statement is wrong, and the replies to the
    /// burst will show which.
    #[inline(never)]
    pub(super) fn hand_over(&mut self, now: LocalTime) -> bool {
        let Some(left) = self.shown.left() else { return false };
        let inherited = self.authorities.inherit(&left, now, self.known.bounds.drift());
        let hands_over = inherited.is_some_and(|inherited| self.known.bounds.combine(&inherited, now));
        if hands_over {
            self.events.push(self.shown.hand_over());
        }
        hands_over
    }
}
