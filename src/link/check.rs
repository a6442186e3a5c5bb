//! Checks whether any datagrams get through between client and server.
//!
//! A firewall may drop datagrams silently, so only a reply proves that they get through. The check sends
//! three requests 100 ms apart, then two per second. After two seconds without a reply, the path counts as
//! blocked. If the path worked before, the check keeps sending two requests per second until a reply arrives.
//! A path that never worked is checked again 30 s later. If the game's messages are not answered either, this
//! takes only 5 s.

use crate::clock::{LocalTime, Span};

const AT_ONCE: u32 = 3;
const APART: Span = Span::from_millis(100);

const REPEAT: Span = Span::from_millis(500);

const SILENCE: Span = Span::from_secs(2);

/// `RETRY_ALONE` applies if the game's messages are not answered either.
const RETRY: Span = Span::from_secs(30);
const RETRY_ALONE: Span = Span::from_secs(5);

/// The state of a link. See [`LinkStatus`](super::sockets::LinkStatus).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkState {
    /// The client is sending requests but has not received a reply yet.
    #[default]
    Checking,
    /// The link works. The client is receiving replies.
    Linked,
    /// The client has received no reply for 2 s, so only the game's messages are left. If the link ever
    /// worked, the client keeps sending two requests per second. If the link never worked, the client starts
    /// another check 30 s later. If no message was answered for 15 s either, it does so 5 s later.
    Blocked,
    /// Datagrams cannot be sent because the address is unknown or there is no network.
    NotPossible,
}

impl LinkState {
    /// Returns a description of the state.
    pub const fn words(self) -> &'static str {
        match self {
            LinkState::Checking => "checking",
            LinkState::Linked => "linked",
            LinkState::Blocked => "blocked",
            LinkState::NotPossible => "not possible here",
        }
    }
}

/// Decides when a path needs requests beyond the clock's schedule.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    state: LinkState,
    silent_since: Option<LocalTime>,
    asked: u32,
    was_good: bool,
    due: Option<LocalTime>,
    latest: Option<LocalTime>,
}

impl Check {
    pub(super) fn state(&self) -> LinkState {
        self.state
    }

    pub(super) fn begin(&mut self) {
        *self = Check { latest: self.latest, was_good: self.was_good, ..Check::default() };
    }

    pub(super) fn set_possible(&mut self, is_possible: bool) {
        match (is_possible, self.state) {
            (false, _) => self.state = LinkState::NotPossible,
            (true, LinkState::NotPossible) => self.begin(),
            (true, _) => {}
        }
    }

    /// `is_alone` means that no other path works. Returns true if a working path has just been lost.
    pub(super) fn attend(&mut self, now: LocalTime, is_alone: bool) -> bool {
        // Missing replies prove nothing after a long pause or a backward step of the local clock, because no
        // requests were sent.
        if self.latest.is_some_and(|latest| (now - latest).abs() > SILENCE) {
            self.resume();
        }
        self.latest = Some(now);
        let was = self.state;
        let is_silent = self.silent_since.is_some_and(|since| now - since >= SILENCE);
        if is_silent && matches!(was, LinkState::Checking | LinkState::Linked) {
            self.begin();
            let retry = if self.was_good { REPEAT } else { RETRY };
            (self.state, self.due) = (LinkState::Blocked, Some(now + retry));
        }
        if is_alone && self.state == LinkState::Blocked {
            self.due = self.due.map(|due| due.min(now + RETRY_ALONE));
        }
        was == LinkState::Linked && self.state == LinkState::Blocked
    }

    /// A working link stays linked unless another 2 s pass without a reply.
    fn resume(&mut self) {
        match self.state {
            LinkState::Linked => (self.silent_since, self.due) = (None, None),
            LinkState::Checking | LinkState::Blocked => self.begin(),
            LinkState::NotPossible => {}
        }
    }

    pub(super) fn is_due(&self, now: LocalTime, is_scheduled: bool) -> bool {
        let by_check = self.due.is_none_or(|due| now >= due);
        match self.state {
            LinkState::Linked => is_scheduled || (self.silent_since.is_some() && by_check),
            LinkState::Checking | LinkState::Blocked => by_check,
            LinkState::NotPossible => false,
        }
    }

    pub(super) fn sent(&mut self, now: LocalTime) {
        self.due = Some(now + REPEAT);
        if self.state == LinkState::Blocked {
            if self.was_good {
                return;
            }
            self.state = LinkState::Checking;
        }
        self.silent_since.get_or_insert(now);
        if self.state == LinkState::Checking {
            self.asked += 1;
            if self.asked < AT_ONCE {
                self.due = Some(now + APART);
            }
        }
    }

    pub(super) fn answered(&mut self) -> bool {
        let is_news = self.state != LinkState::Linked;
        (self.state, self.silent_since, self.due) = (LinkState::Linked, None, None);
        self.was_good = true;
        is_news
    }

    pub(super) fn next(&self, now: LocalTime) -> Option<LocalTime> {
        let ends = self.silent_since.map(|since| since + SILENCE);
        match self.state {
            LinkState::Linked => self.silent_since.and(self.due.into_iter().chain(ends).min()),
            LinkState::Checking => Some(self.due.into_iter().chain(ends).min().unwrap_or(now)),
            LinkState::Blocked => Some(self.due.unwrap_or(now)),
            LinkState::NotPossible => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> LocalTime {
        LocalTime::from_ticks(millis * 10_000)
    }

    fn asked(check: &mut Check, from: i64, end: i64) -> Vec<i64> {
        let is_asked = |&millis: &i64| {
            check.attend(at(millis), false);
            let is_due = check.is_due(at(millis), false);
            if is_due {
                check.sent(at(millis));
            }
            is_due
        };
        (from..end).filter(is_asked).collect()
    }

    #[test]
    fn unanswered_checks_follow_the_schedule() {
        let mut check = Check::default();
        assert_eq!(asked(&mut check, 0, 2_000), [0, 100, 200, 700, 1_200, 1_700]);
        assert_eq!(asked(&mut check, 2_000, 31_999), [0; 0]);
        assert_eq!(check.state(), LinkState::Blocked);
        assert_eq!(asked(&mut check, 31_999, 33_999), [32_000, 32_100, 32_200, 32_700, 33_200, 33_700]);
        assert_eq!(check.state(), LinkState::Checking);
        assert!(check.answered(), "news");
        assert!(!check.answered(), "no news");
        assert_eq!(check.state(), LinkState::Linked);
    }

    #[test]
    fn a_path_without_an_alternative_is_checked_every_five_seconds() {
        let mut check = Check::default();
        asked(&mut check, 0, 10_000);
        assert_eq!((check.state(), check.next(at(10_000))), (LinkState::Blocked, Some(at(32_000))));
        check.attend(at(10_001), true);
        assert_eq!(check.next(at(10_001)), Some(at(15_001)));
        check.attend(at(11_000), true);
        check.attend(at(12_000), false);
        assert_eq!(check.next(at(12_000)), Some(at(15_001)));
    }

    #[test]
    fn a_working_link_is_lost_after_two_silent_seconds() {
        let mut check = Check::default();
        check.attend(at(0), false);
        check.sent(at(0));
        check.answered();
        assert_eq!(check.next(at(0)), None, "no reply is outstanding");
        assert!(!check.attend(at(1_000), false));
        assert_eq!([true, false].map(|wanted| check.is_due(at(1_000), wanted)), [true, false]);
        check.sent(at(1_000));
        assert_eq!(check.next(at(1_001)), Some(at(1_500)));
        let lost: Vec<i64> = (1_001..4_000).filter(|&millis| check.attend(at(millis), false)).collect();
        assert_eq!(lost, [3_000], "once");
        assert_eq!((check.state(), check.next(at(3_100))), (LinkState::Blocked, Some(at(3_500))));
        let asked = asked(&mut check, 4_000, 64_000);
        assert_eq!((asked.len(), asked[100] - asked[98], check.state()), (120, 1_000, LinkState::Blocked));
        assert!(check.answered());
        assert_eq!(check.state(), LinkState::Linked);
    }

    #[test]
    fn a_suspension_restarts_the_silence() {
        let mut check = Check::default();
        check.attend(at(0), false);
        check.answered();
        check.sent(at(0));
        assert!(!check.attend(at(60_000), false), "a suspended client cannot receive replies");
        assert_eq!(check.state(), LinkState::Linked);
        check.sent(at(60_000));
        assert_eq!([61_000, 62_000, 70_000].map(|ms| check.attend(at(ms), false)), [false, true, false]);
        assert!(check.is_due(at(70_000), false), "check again at once");
        check.sent(at(70_000));
        check.attend(at(10_000), false);
        assert!(check.is_due(at(10_000), false), "the local clock was set back");
    }

    #[test]
    fn no_requests_are_sent_without_a_network() {
        let mut check = Check::default();
        check.set_possible(false);
        assert!(!check.attend(at(0), false));
        assert!(!check.is_due(at(0), true));
        assert_eq!((check.next(at(0)), check.state()), (None, LinkState::NotPossible));
        check.set_possible(true);
        assert!(check.is_due(at(0), false));
        assert_eq!(check.state(), LinkState::Checking);
        assert_eq!(LinkState::NotPossible.words(), "not possible here");
    }
}
