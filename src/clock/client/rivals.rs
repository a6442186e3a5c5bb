//! Whether several servers answer at one address.
//!
//! Each run of a server's clock has an epoch of its own. When a server restarts, another epoch replies from
//! then on and the old one never again. If the old epoch still answers a request that was sent after the
//! new one was heard, then both run. A load balancer divides the requests between servers with different
//! clocks. To follow each in turn would be a restart with nearly every reply. So the client stays with the
//! one that it follows, as long as that one replies, and refuses the others.

use crate::clock::ground::time::{LocalTime, Span};

/// Epochs remembered after the client turned from them.
const REMEMBERED: usize = 4;

/// A server that has not replied for this long is taken to be gone, be it the one that is followed or a
/// rival. While there are rivals the client asks every second, so even one of four servers misses 60 requests
/// in a row hardly ever.
const QUIET: Span = Span::from_secs(60);

/// A reply can be under way for this long while a later one overtakes it. Beyond, the local clock was set
/// back.
const UNDER_WAY: Span = Span::from_secs(10);

/// Servers that are not followed any more, and what was heard of them since.
#[derive(Clone, Debug)]
pub(super) struct Rivals {
    left: [Option<u64>; REMEMBERED],
    next: usize,
    /// When the first request was sent that the followed epoch answered.
    since: LocalTime,
    /// When the one that is followed last answered.
    answered: LocalTime,
    /// When one of the others last answered.
    pub(super) heard: Option<LocalTime>,
}

/// A rival answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rivalry {
    /// This is news.
    pub(super) is_new: bool,
}

impl Rivals {
    pub(super) fn new() -> Self {
        let never = LocalTime::from_ticks(0);
        Rivals { left: [None; REMEMBERED], next: 0, since: never, answered: never, heard: None }
    }

    /// `epoch` answered at `arrived` a request that was sent at `sent`. `Some` if `epoch` is a rival and
    /// the followed server still answers.
    pub(super) fn meet(&mut self, epoch: u64, sent: LocalTime, arrived: LocalTime) -> Option<Rivalry> {
        if !self.left.contains(&Some(epoch)) || (arrived - self.answered).abs() > QUIET {
            return None;
        }
        // A reply that was under way when the client turned away proves nothing.
        let is_new = sent >= self.since && self.heard.is_none();
        if sent >= self.since {
            self.heard = Some(arrived);
        }
        Some(Rivalry { is_new })
    }

    /// Whether a request that was sent at `sent` is older than the first one that the followed epoch
    /// answered. If another epoch answers it, a restart was overtaken by the first reply after it, and what
    /// comes late is of the run that ended.
    pub(super) fn is_overtaken(&self, sent: LocalTime) -> bool {
        sent < self.since && self.since - sent < UNDER_WAY
    }

    /// The client turned from the epoch `left` to another one, which answered a request that was sent at
    /// `since`.
    pub(super) fn turn(&mut self, left: Option<u64>, to: u64, since: LocalTime) {
        self.expect(to);
        self.since = since;
        if left.is_some() {
            self.left[self.next] = left;
            self.next = (self.next + 1) % REMEMBERED;
        }
    }

    /// The server that is followed answered at `now`. True if the others have been quiet for long, for the
    /// first time.
    pub(super) fn are_gone(&mut self, now: LocalTime) -> bool {
        self.answered = now;
        self.heard.take_if(|heard| (now - *heard).abs() > QUIET).is_some()
    }

    /// The caller says that `epoch` will be followed next.
    pub(super) fn expect(&mut self, epoch: u64) {
        self.left.iter_mut().filter(|left| **left == Some(epoch)).for_each(|left| *left = None);
    }

    /// The caller turns to another server, which may be any.
    pub(super) fn forget(&mut self) {
        *self = Rivals { since: self.since, answered: self.answered, ..Self::new() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> LocalTime {
        LocalTime::from_ticks(seconds * 10_000_000)
    }

    /// A client that turned from epoch 1 to epoch 2 with a request of 10 s.
    fn turned() -> Rivals {
        let mut rivals = Rivals::new();
        rivals.turn(None, 1, at(0));
        rivals.turn(Some(1), 2, at(10));
        assert!(!rivals.are_gone(at(11)), "there was none");
        rivals
    }

    #[test]
    fn an_epoch_that_was_left_and_still_answers_is_a_rival() {
        let mut rivals = turned();
        assert_eq!(rivals.meet(2, at(11), at(12)), None);
        assert_eq!(rivals.meet(3, at(11), at(12)), None, "a restart");
        assert_eq!(rivals.meet(1, at(9), at(12)), Some(Rivalry { is_new: false }), "it was under way");
        assert_eq!(rivals.meet(1, at(11), at(12)), Some(Rivalry { is_new: true }));
        assert_eq!(rivals.meet(1, at(13), at(14)), Some(Rivalry { is_new: false }));
    }

    #[test]
    fn a_reply_of_the_run_before_that_is_overtaken_is_no_restart() {
        let mut rivals = Rivals::new();
        rivals.turn(None, 2, at(10));
        assert!(rivals.is_overtaken(at(9)) && !rivals.is_overtaken(at(10)));
        assert!(!rivals.is_overtaken(at(-1)), "the local clock was set back");
    }

    #[test]
    fn rivals_are_gone_after_a_minute_and_new_when_they_return() {
        let mut rivals = turned();
        rivals.meet(1, at(11), at(12));
        assert!(rivals.heard.is_some() && !rivals.are_gone(at(72)));
        assert!(rivals.are_gone(at(73)));
        assert!(rivals.heard.is_none());
        assert!(!rivals.are_gone(at(200)));
        assert_eq!(rivals.meet(1, at(201), at(202)), Some(Rivalry { is_new: true }));
    }

    #[test]
    fn the_followed_server_is_left_when_it_is_silent_for_a_minute() {
        let mut rivals = turned();
        assert!(rivals.meet(1, at(70), at(71)).is_some());
        assert_eq!(rivals.meet(1, at(71), at(72)), None);
    }

    #[test]
    fn the_caller_may_turn_back() {
        let mut rivals = turned();
        rivals.expect(1);
        assert_eq!(rivals.meet(1, at(11), at(12)), None);
        let mut rivals = turned();
        rivals.forget();
        assert_eq!(rivals.meet(1, at(11), at(12)), None);
        let mut rivals = turned();
        rivals.turn(Some(2), 1, at(20));
        assert_eq!(rivals.meet(1, at(21), at(22)), None, "it is followed now");
        assert_eq!(rivals.meet(2, at(21), at(22)), Some(Rivalry { is_new: true }));
    }
}
