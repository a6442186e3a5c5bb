//! Detects several servers behind one address. Following each of them in turn would cause a restart with
//! nearly every reply, so the client follows one as long as it replies, and rejects the replies of the
//! others. `docs/decisions.md` ("A restarted server is shown late") explains how the client distinguishes
//! them from a restart. Until it knows, it keeps the newcomer's exchanges.

use crate::clock::exchange::{Exchange, Path};
use crate::clock::ground::time::{LocalTime, Span};

/// The number of epochs that the client remembers after it has left or rejected them.
const REMEMBERED: usize = 8;

/// Number of requests that the newcomer has to answer to replace the followed server, while the followed
/// server answers none of them. If a load balancer picks one of two servers at random, one server receives
/// all of these requests with a probability of 1/128.
const ALONE: usize = 8;

/// A followed or rival server counts as gone after this time without a reply. While there are rivals, the
/// client sends a request every second, so even one of four servers rarely misses 60 requests in a row.
const QUIET: Span = Span::from_secs(60);

/// An overtaken reply answers a request sent at most this long before the reply that overtook it. If the
/// difference is larger, the local clock was set back.
const UNDER_WAY: Span = Span::from_secs(10);

/// A different epoch that has replied. The followed server may have restarted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Newcomer {
    pub(super) epoch: u64,
    /// The time at which its first reply arrived.
    pub(super) since: LocalTime,
    /// Only requests sent at this time or later count as answered by the newcomer alone.
    counts_from: LocalTime,
    /// The time at which its burst ends.
    until: LocalTime,
    answered: LocalTime,
    pub(super) count: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Rivals {
    pub(super) newcomer: Option<Newcomer>,
    /// The exchanges with the newcomer, in order of arrival. They are stored outside [`Newcomer`], because
    /// moving them would take stack.
    kept: [Option<(Exchange, Path)>; ALONE],
    left: [Option<u64>; REMEMBERED],
    next: usize,
    /// The time at which the followed epoch's first reply arrived.
    since: LocalTime,
    /// The time at which the followed server's last reply arrived.
    answered: LocalTime,
    /// The time at which the last reply from any other server arrived.
    pub(super) heard: Option<LocalTime>,
}

impl Rivals {
    pub(super) fn new() -> Self {
        let never = LocalTime::from_ticks(0);
        Rivals {
            newcomer: None,
            kept: [None; ALONE],
            left: [None; REMEMBERED],
            next: 0,
            since: never,
            answered: never,
            heard: None,
        }
    }

    /// Records that a reply from `epoch` to a request sent at `sent` arrived at `arrived`. If `epoch` is a
    /// rival and the followed server still replies, returns whether this is the first rival, which has to be
    /// reported.
    pub(super) fn meet(&mut self, epoch: u64, sent: LocalTime, arrived: LocalTime) -> Option<bool> {
        if !self.left.contains(&Some(epoch)) || (arrived - self.answered).abs() > QUIET {
            return None;
        }
        // A reply that was already in flight when the client left that server proves nothing.
        let is_new = sent >= self.since && self.heard.is_none();
        if sent >= self.since {
            self.heard = Some(arrived);
        }
        Some(is_new)
    }

    /// Returns whether a request sent at `sent` was sent before the followed epoch's first reply arrived. If
    /// a different epoch answers it, the reply may be a late one from the old run, overtaken by the first
    /// reply after the restart.
    pub(super) fn is_overtaken(&self, sent: LocalTime) -> bool {
        sent < self.since && self.since - sent < UNDER_WAY
    }

    /// Keeps an exchange with `epoch`, which is neither followed nor a known rival. Returns true if it is a
    /// newcomer. The caller then starts a burst, which ends at `until`.
    pub(super) fn keep(&mut self, epoch: u64, exchange: &Exchange, path: Path, until: LocalTime) -> bool {
        let (sent, arrived) = (exchange.client_sent, exchange.client_received);
        // If there are two newcomers, only the first counts until its burst is over.
        let is_new = self.newcomer.as_ref().is_none_or(|it| it.epoch != epoch && arrived >= it.until);
        if is_new {
            let newcomer =
                Newcomer { epoch, since: arrived, counts_from: sent, until, answered: arrived, count: 0 };
            self.newcomer = Some(newcomer);
        }
        let counts = |it: &&mut Newcomer| it.epoch == epoch && sent >= it.counts_from;
        if let Some(newcomer) = self.newcomer.as_mut().filter(counts) {
            if let Some(free) = self.kept.get_mut(newcomer.count) {
                *free = Some((*exchange, path));
                newcomer.count += 1;
                newcomer.answered = arrived;
            }
        }
        is_new
    }

    pub(super) fn kept(&self, number: usize) -> Option<(Exchange, Path)> {
        *self.kept.get(number)?
    }

    /// Returns whether the newcomer has answered often enough while the followed server has not.
    pub(super) fn is_replaced(&self) -> bool {
        self.newcomer.as_ref().is_some_and(|newcomer| newcomer.count == ALONE)
    }

    /// Records that the followed server answered a request sent at `sent`. If the newcomer's first reply had
    /// arrived by then, the newcomer is a rival. Returns true if it is the first one.
    pub(super) fn outlasts(&mut self, sent: LocalTime) -> bool {
        if let Some(newcomer) = self.newcomer.as_mut().filter(|it| (it.counts_from..it.since).contains(&sent))
        {
            // Either the network reordered requests, or both servers are running, so counting starts again.
            (newcomer.counts_from, newcomer.count) = (newcomer.since, 0);
        }
        let rival = self.newcomer.take_if(|newcomer| sent >= newcomer.since);
        let Some(newcomer) = rival else { return false };
        self.leave(newcomer.epoch);
        self.heard.replace(newcomer.answered).is_none()
    }

    /// Records that the client left the epoch `left` to follow `to`, whose first reply arrived at `since`.
    pub(super) fn turn(&mut self, left: Option<u64>, to: u64, since: LocalTime) {
        self.expect(to);
        (self.since, self.newcomer) = (since, None);
        left.into_iter().for_each(|left| self.leave(left));
    }

    fn leave(&mut self, epoch: u64) {
        self.left[self.next] = Some(epoch);
        self.next = (self.next + 1) % REMEMBERED;
    }

    /// Records a reply from the followed server at `now`. Returns true once when the others have been silent
    /// for [`QUIET`].
    pub(super) fn are_gone(&mut self, now: LocalTime) -> bool {
        self.answered = now;
        self.heard.take_if(|heard| (now - *heard).abs() > QUIET).is_some()
    }

    /// Accepts `epoch` as the next one to follow, because the caller announced it.
    pub(super) fn expect(&mut self, epoch: u64) {
        self.left.iter_mut().filter(|left| **left == Some(epoch)).for_each(|left| *left = None);
    }

    /// Forgets all rivals, because the caller switches to another server.
    pub(super) fn forget(&mut self) {
        (self.newcomer, self.heard) = (None, None);
        (self.left, self.next) = ([None; REMEMBERED], 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> LocalTime {
        LocalTime::from_ticks(seconds * 10_000_000)
    }

    /// Returns the rivals of a client that left epoch 1 for epoch 2 at 10 s.
    fn turned() -> Rivals {
        let mut rivals = Rivals::new();
        rivals.turn(None, 1, at(0));
        rivals.turn(Some(1), 2, at(10));
        assert!(!rivals.are_gone(at(11)), "there was no rival");
        rivals
    }

    #[test]
    fn a_previous_epoch_that_still_answers_is_a_rival() {
        let mut rivals = turned();
        assert_eq!(rivals.meet(2, at(11), at(12)), None);
        assert_eq!(rivals.meet(3, at(11), at(12)), None, "a restart");
        assert_eq!(rivals.meet(1, at(9), at(12)), Some(false), "it was in flight");
        assert_eq!(rivals.meet(1, at(11), at(12)), Some(true));
        assert_eq!(rivals.meet(1, at(13), at(14)), Some(false));
    }

    /// Sends a request at `sent` that `epoch` answers a second later. Returns true if `epoch` is a newcomer.
    fn keep(rivals: &mut Rivals, epoch: u64, sent: i64) -> bool {
        let exchange = Exchange::of_ticks([sent, 0, 0, sent + 1].map(|seconds| seconds * 10_000_000));
        rivals.keep(epoch, &exchange, Path::Messages, at(sent + 10))
    }

    #[test]
    fn a_newcomer_replaces_a_silent_server() {
        for (replies, is_replaced) in [(ALONE, true), (ALONE - 1, false)] {
            let mut rivals = turned();
            assert!(keep(&mut rivals, 3, 10));
            (1..replies).for_each(|_| assert!(!keep(&mut rivals, 3, 11)));
            assert!(!rivals.outlasts(at(9)), "the server answered before its restart");
            assert_eq!(rivals.is_replaced(), is_replaced);
            assert_eq!(rivals.newcomer.map(|it| it.count), Some(replies));
        }
        let mut rivals = turned();
        keep(&mut rivals, 3, 10);
        assert!(!keep(&mut rivals, 4, 11) && keep(&mut rivals, 4, 20), "the newest run after that burst");
        assert!(rivals.outlasts(at(21)) && rivals.newcomer.is_none());
        assert_eq!(rivals.meet(4, at(21), at(22)), Some(false), "already reported");
    }

    /// The old run answered a request that was sent after the first one that reached the new run.
    #[test]
    fn reordered_requests_do_not_rule_out_a_restart() {
        let mut rivals = turned();
        assert!(keep(&mut rivals, 3, 10) && !keep(&mut rivals, 3, 10));
        assert!(!rivals.outlasts(at(10)), "its first reply arrived at 11 s");
        assert_eq!(rivals.newcomer.map(|it| it.count), Some(0), "both answered requests sent at this time");
        keep(&mut rivals, 3, 10);
        (1..ALONE).for_each(|_| assert!(!keep(&mut rivals, 3, 11)));
        assert!(!rivals.is_replaced(), "requests sent before the first reply do not count");
        keep(&mut rivals, 3, 11);
        assert!(rivals.is_replaced());
        assert!(rivals.outlasts(at(11)), "both are running");
    }

    #[test]
    fn an_overtaken_reply_from_the_previous_run_is_not_a_restart() {
        let mut rivals = Rivals::new();
        rivals.turn(None, 2, at(10));
        assert!(rivals.is_overtaken(at(9)) && !rivals.is_overtaken(at(10)));
        assert!(!rivals.is_overtaken(at(-1)), "the local clock was set back");
    }

    #[test]
    fn rivals_expire_after_a_minute_of_silence() {
        let mut rivals = turned();
        rivals.meet(1, at(11), at(12));
        assert!(rivals.heard.is_some() && !rivals.are_gone(at(72)));
        assert!(rivals.are_gone(at(73)));
        assert!(rivals.heard.is_none());
        assert!(!rivals.are_gone(at(200)));
        assert_eq!(rivals.meet(1, at(201), at(202)), Some(true));
    }

    #[test]
    fn the_client_leaves_a_server_after_a_minute_of_silence() {
        let mut rivals = turned();
        assert!(rivals.meet(1, at(70), at(71)).is_some());
        assert_eq!(rivals.meet(1, at(71), at(72)), None);
    }

    #[test]
    fn the_caller_may_switch_back() {
        let mut rivals = turned();
        rivals.expect(1);
        assert_eq!(rivals.meet(1, at(11), at(12)), None);
        let mut rivals = turned();
        rivals.forget();
        assert_eq!(rivals.meet(1, at(11), at(12)), None);
        let mut rivals = turned();
        rivals.turn(Some(2), 1, at(20));
        assert_eq!(rivals.meet(1, at(21), at(22)), None, "it is followed now");
        assert_eq!(rivals.meet(2, at(21), at(22)), Some(true));
    }
}
