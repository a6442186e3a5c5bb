//! Detects several servers behind one address. If the client followed each server in turn, almost every reply
//! would look like a restart. The client therefore follows one server for as long as that server replies, and
//! rejects the others. `docs/decisions.md` ("A restarted server is shown late") explains how the client tells
//! a rival from a restarted server. Until the client can tell, it stores a new server's exchanges without
//! using them.

use crate::clock::exchange::{Exchange, Path};
use crate::clock::ground::time::{LocalTime, Span};

/// The client remembers this many epochs that it has left or rejected.
const REMEMBERED: usize = 8;

/// A new server replaces the followed one after answering this many requests that the followed one did not
/// answer. With a load balancer that picks one of two servers at random, this happens with a probability of
/// 1/128.
const ALONE: usize = 8;

/// A server counts as gone after this time without a reply. While there are rivals, the client sends a
/// request every second. Even with four servers, each rarely misses 60 requests in a row.
const QUIET: Span = Span::from_secs(60);

/// Replies are never reordered by this much. If a reply seems to be this late, the local clock was set back.
const UNDER_WAY: Span = Span::from_secs(10);

/// A server with a different epoch, which may be the followed server after a restart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Newcomer {
    pub(super) epoch: u64,
    pub(super) since: LocalTime,
    /// Replies to requests sent before this time do not count.
    counts_from: LocalTime,
    until: LocalTime,
    answered: LocalTime,
    pub(super) count: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Rivals {
    pub(super) newcomer: Option<Newcomer>,
    /// The newcomer's exchanges, in order of arrival. They are not part of [`Newcomer`], because moving them
    /// would need stack space.
    kept: [Option<(Exchange, Path)>; ALONE],
    left: [Option<u64>; REMEMBERED],
    next: usize,
    /// The arrival time of the first reply from the followed epoch.
    since: LocalTime,
    answered: LocalTime,
    /// The arrival time of the last reply from a rival.
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

    /// Records a reply from `epoch` to a request sent at `sent`. If `epoch` is a rival and the followed
    /// server still replies, returns whether it is the first rival. That rival must be reported.
    pub(super) fn meet(&mut self, epoch: u64, sent: LocalTime, arrived: LocalTime) -> Option<bool> {
        if !self.left.contains(&Some(epoch)) || (arrived - self.answered).abs() > QUIET {
            return None;
        }
        // Replies that were in flight when the client left that server prove nothing.
        let is_new = sent >= self.since && self.heard.is_none();
        if sent >= self.since {
            self.heard = Some(arrived);
        }
        Some(is_new)
    }

    /// Returns whether a request was sent before the followed epoch's first reply arrived. A reply from a
    /// different epoch may then predate a restart.
    pub(super) fn is_overtaken(&self, sent: LocalTime) -> bool {
        sent < self.since && self.since - sent < UNDER_WAY
    }

    /// Stores an exchange with an unknown epoch. Returns true for a newcomer, in which case the caller must
    /// start a burst that ends at `until`.
    pub(super) fn keep(&mut self, epoch: u64, exchange: &Exchange, path: Path, until: LocalTime) -> bool {
        let (sent, arrived) = (exchange.client_sent, exchange.client_received);
        // While one newcomer's burst lasts, ignore other newcomers.
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

    pub(super) fn is_replaced(&self) -> bool {
        self.newcomer.as_ref().is_some_and(|newcomer| newcomer.count == ALONE)
    }

    /// Records that the followed server answered a request sent at `sent`. If the newcomer had replied by
    /// then, both servers are running, so the newcomer is a rival. Returns true only for the first rival.
    pub(super) fn outlasts(&mut self, sent: LocalTime) -> bool {
        if let Some(newcomer) = self.newcomer.as_mut().filter(|it| (it.counts_from..it.since).contains(&sent))
        {
            // Start counting again, because requests were reordered or both servers are running.
            (newcomer.counts_from, newcomer.count) = (newcomer.since, 0);
        }
        let rival = self.newcomer.take_if(|newcomer| sent >= newcomer.since);
        let Some(newcomer) = rival else { return false };
        self.leave(newcomer.epoch);
        self.heard.replace(newcomer.answered).is_none()
    }

    pub(super) fn turn(&mut self, left: Option<u64>, to: u64, since: LocalTime) {
        self.expect(to);
        (self.since, self.newcomer) = (since, None);
        left.into_iter().for_each(|left| self.leave(left));
    }

    fn leave(&mut self, epoch: u64) {
        self.left[self.next] = Some(epoch);
        self.next = (self.next + 1) % REMEMBERED;
    }

    /// Records a reply from the followed server. Returns true once all rivals have been silent for [`QUIET`].
    pub(super) fn are_gone(&mut self, now: LocalTime) -> bool {
        self.answered = now;
        self.heard.take_if(|heard| (now - *heard).abs() > QUIET).is_some()
    }

    pub(super) fn expect(&mut self, epoch: u64) {
        self.left.iter_mut().filter(|left| **left == Some(epoch)).for_each(|left| *left = None);
    }

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

    /// Returns true if `epoch` is treated as a newcomer when it answers the request after a second.
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

    /// A request is answered before the server restarts, although an earlier request arrives after the
    /// restart.
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
