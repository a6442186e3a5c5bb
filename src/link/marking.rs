//! Decides whether to mark datagrams as non-queue-building, and detects when the path drops marked ones.
//!
//! The mark is DSCP 45, which means "non-queue-building" (RFC 9956). Bottlenecks that support the mark put
//! such packets into a separate, short queue. Other networks ignore or remove the mark, and a few silently
//! drop marked packets. When a reply is overdue, every second request is therefore sent unmarked. Marking
//! stops if only unmarked requests are answered.

use crate::clock::{LocalTime, RequestId, Span};

/// The DSCP (six bits) of marked datagrams.
pub const NON_QUEUE_BUILDING: u8 = 45;

/// A reply is overdue after this time or twice the measured round trip, whichever is longer. On slow paths,
/// some requests before the first reply are therefore unmarked.
const OWED: Span = Span::from_millis(100);

const REPEAT: Span = Span::from_millis(500);
const SILENCE: Span = Span::from_secs(2);
const TRIAL: Span = Span::from_millis(250);

const FORGOTTEN: Span = Span::from_secs(5);

/// Marking stops after this many replies to unmarked requests, with no reply to a marked request in between.
/// If one exchange in five is lost, this happens by chance once per day.
const STRIKES: u32 = 6;
/// A trial takes at least this long, so that a single burst of requests does not decide it.
const SHORTEST: Span = Span::from_secs(1);

const TRIPS: i64 = 2;

const REMEMBERED: usize = 4;

/// Whether datagrams on a path are marked. See [`Marking`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Datagrams are not marked because of the settings, or because the system does not support marking.
    #[default]
    Off,
    /// Datagrams are marked.
    On,
    /// Marking has stopped, because the path dropped marked datagrams.
    Dropped,
}

impl Mark {
    /// Returns a description of the state.
    pub const fn words(self) -> &'static str {
        match self {
            Mark::Off => "not marked",
            Mark::On => "marked",
            Mark::Dropped => "marked datagrams are dropped on the path",
        }
    }
}

/// Decides which requests to mark. Replies are marked like their requests.
///
/// ```
/// # use netclock::{LocalTime, RequestId, link::Marking};
/// # let (mut now, id) = (LocalTime::from_ticks(0), RequestId(7));
/// let mut marking = Marking::new(true);
/// let is_marked = marking.request(id, now); // whether to send the request with `NON_QUEUE_BUILDING`
/// if marking.answered(id, now) {
///     println!("{}", marking.mark().words());
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Marking {
    mark: Mark,
    owed_since: Option<LocalTime>,
    last: Option<LocalTime>,
    last_is_marked: bool,
    timed: Option<(RequestId, LocalTime)>,
    trip: Span,
    bare: [Option<RequestId>; REMEMBERED],
    /// Number of replies to unmarked requests since the last reply to a marked one, and when the first of
    /// these replies arrived.
    strikes: u32,
    since: Option<LocalTime>,
}

impl Marking {
    /// Creates the state for a new path, on which requests are marked only if `is_wanted` is true.
    pub fn new(is_wanted: bool) -> Self {
        Marking {
            mark: if is_wanted { Mark::On } else { Mark::Off },
            owed_since: None,
            last: None,
            last_is_marked: false,
            timed: None,
            trip: Span::ZERO,
            bare: [None; REMEMBERED],
            strikes: 0,
            since: None,
        }
    }

    /// Returns whether datagrams are marked.
    pub fn mark(&self) -> Mark {
        self.mark
    }

    /// Records that request `id` is sent at `now`. Returns whether to mark it.
    pub fn request(&mut self, id: RequestId, now: LocalTime) -> bool {
        let owed = now - *self.owed_since.get_or_insert(now);
        if self.timed.is_none_or(|(_, sent)| (now - sent).abs() > FORGOTTEN) {
            self.timed = Some((id, now));
        }
        let takes_turns = owed >= self.patient(OWED) || self.strikes > 0;
        let is_marked = self.mark == Mark::On && !(takes_turns && self.last_is_marked);
        if !is_marked {
            self.bare.rotate_right(1);
            self.bare[0] = Some(id);
        }
        (self.last, self.last_is_marked) = (Some(now), is_marked);
        is_marked
    }

    /// Records that request `id` was answered at `now`. Returns true if marking stops as a result.
    pub fn answered(&mut self, id: RequestId, now: LocalTime) -> bool {
        self.owed_since = None;
        if let Some((_, sent)) = self.timed.take_if(|timed| timed.0 == id) {
            self.trip = (now - sent).clamp(Span::ZERO, FORGOTTEN);
        }
        if self.mark != Mark::On {
            return false;
        }
        if !self.bare.contains(&Some(id)) {
            (self.strikes, self.since, self.bare) = (0, None, [None; REMEMBERED]);
            return false;
        }
        self.strikes += 1;
        if self.strikes < STRIKES || now - *self.since.get_or_insert(now) < SHORTEST {
            return false;
        }
        self.mark = Mark::Dropped;
        true
    }

    /// Returns when to send an additional request outside the clock's schedule, or `None` if none is needed.
    pub fn next_due(&self) -> Option<LocalTime> {
        let last = self.last.filter(|_| self.mark == Mark::On)?;
        if self.strikes > 0 {
            return Some(last + self.patient(TRIAL));
        }
        let repeat = self.patient(REPEAT);
        self.owed_since.filter(|&since| last - since < SILENCE).map(|_| last + repeat)
    }

    fn patient(&self, wait: Span) -> Span {
        wait.max(Span::from_ticks(TRIPS * self.trip.ticks()))
    }

    /// Stops marking because the system does not support it.
    pub fn give_up(&mut self) {
        self.mark = Mark::Off;
    }

    /// Starts marking again after marked datagrams were dropped, because the path has changed.
    pub fn try_again(&mut self) {
        *self = Marking::new(self.mark != Mark::Off);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;

    /// Sends requests over a 50 ms path every `every_ms`, and whenever the marking asks for one. `is_lost`
    /// takes the time (ms) and whether the request is marked. Returns when marking stopped (ms).
    fn removed(every_ms: i64, end_ms: i64, mut is_lost: impl FnMut(i64, bool) -> bool) -> Option<i64> {
        let (mut marking, mut under_way, mut next) = (Marking::new(true), VecDeque::new(), 0);
        for ms in 0..end_ms {
            let (now, id) = (LocalTime::from_ticks(ms * 10_000), RequestId(ms as u64));
            if under_way.front().is_some_and(|&(at, _)| at == ms) {
                let (_, id) = under_way.pop_front().expect("it is there");
                if marking.answered(id, now) {
                    return Some(ms);
                }
            }
            if ms >= next || marking.next_due().is_some_and(|due| due <= now) {
                next = ms + every_ms;
                if !is_lost(ms, marking.request(id, now)) {
                    under_way.push_back((ms + 50, id));
                }
            }
        }
        None
    }

    fn lossy() -> impl FnMut() -> bool {
        let mut state = 7_u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % 5 == 0
        }
    }

    #[test]
    fn loss_and_blocked_paths_do_not_stop_marking() {
        for (every_ms, hours) in [(5_000, 12), (350, 1), (20, 1)] {
            let mut loses = lossy();
            assert_eq!(removed(every_ms, hours * 3_600_000, |_, _| loses()), None, "{every_ms}");
        }
        let is_blocked = |ms: i64| (30_000..90_000).contains(&ms);
        assert_eq!(removed(5_000, 200_000, |ms, _| is_blocked(ms)), None);
    }

    #[test]
    fn long_round_trips_add_few_requests() {
        for trip_ms in [300, 1_800, 4_000] {
            let (mut marking, mut under_way) = (Marking::new(true), VecDeque::new());
            let (mut next, mut own) = (0, 0);
            for ms in 0..120_000 {
                let (now, id) = (LocalTime::from_ticks(ms * 10_000), RequestId(ms as u64));
                while under_way.front().is_some_and(|&(at, _): &(i64, RequestId)| at == ms) {
                    let (_, id) = under_way.pop_front().expect("it is there");
                    assert!(!marking.answered(id, now), "all are answered");
                }
                let is_scheduled = ms >= next;
                if is_scheduled || marking.next_due().is_some_and(|due| due <= now) {
                    next = if is_scheduled { ms + 4_000 } else { next };
                    own += i32::from(!is_scheduled);
                    marking.request(id, now);
                    under_way.push_back((ms + trip_ms, id));
                }
            }
            assert!(own <= 16, "{own} requests over a path of {trip_ms} ms");
        }
    }

    #[test]
    fn a_new_path_is_marked_again_unless_disabled() {
        let mut marking = Marking { mark: Mark::Dropped, ..Marking::new(true) };
        marking.try_again();
        assert_eq!((marking.mark(), Mark::Dropped.words().len() > 9), (Mark::On, true));
        marking.give_up();
        marking.try_again();
        let now = LocalTime::from_ticks(0);
        assert!(!marking.request(RequestId(1), now), "marked");
        assert!(!marking.answered(RequestId(1), now), "removed");
        assert_eq!((marking.mark(), marking.next_due()), (Mark::Off, None));
    }
}
