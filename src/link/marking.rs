//! Whether datagrams leave marked as such that build no queue, and whether marked ones arrive.
//!
//! The mark is the DSCP 45, "non-queue-building" (RFC 9956). A bottleneck that knows it has a second queue
//! for such packets, which is short. Elsewhere the mark changes nothing, and some networks remove it. A few
//! drop what is marked, and nobody says so. So as soon as an answer is owed, every second request leaves
//! without the mark. If only those are answered, the mark is removed.

use crate::clock::{LocalTime, RequestId, Span};

/// The DSCP of the mark: six bits.
pub const NON_QUEUE_BUILDING: u8 = 45;

/// An answer that takes longer is owed, unless round trips took longer so far. Paths that take longer by
/// nature get some requests without a mark until their first answer.
const OWED: Span = Span::from_millis(100);

/// While an answer is owed, another request leaves after this time ...
const REPEAT: Span = Span::from_millis(500);
/// ... unless nothing was answered for this long: then neither kind passes.
const SILENCE: Span = Span::from_secs(2);
/// While only requests without a mark are answered, another one leaves after this time.
const TRIAL: Span = Span::from_millis(250);

/// A request that is not answered within this time does not show how long round trips take.
const FORGOTTEN: Span = Span::from_secs(5);

/// As many without a mark are answered in turns with as many marked ones that are not: then the mark is
/// removed. Where one exchange in five is lost, chance does that once in a day.
const STRIKES: u32 = 6;
/// The trial takes at least this time, so that a burst alone decides nothing.
const SHORTEST: Span = Span::from_secs(1);

/// An answer is waited for as long as this many of the latest round trip.
const TRIPS: i64 = 2;

/// Requests without a mark whose answers are recognised.
const REMEMBERED: usize = 4;

/// What becomes of the mark. See [`Marking`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Datagrams leave without it: the settings say so, or the system does not allow it.
    #[default]
    Off,
    /// Datagrams leave with it.
    On,
    /// Marked datagrams were dropped on the path, so they leave without it now.
    Dropped,
}

impl Mark {
    /// The state in words.
    pub const fn words(self) -> &'static str {
        match self {
            Mark::Off => "not marked",
            Mark::On => "marked",
            Mark::Dropped => "marked datagrams are dropped on the path",
        }
    }
}

/// Decides for each request whether it leaves marked. Its reply is marked as it is.
///
/// ```
/// # use netclock::{LocalTime, RequestId, link::Marking};
/// # let (mut now, id) = (LocalTime::from_ticks(0), RequestId(7));
/// let mut marking = Marking::new(true);
/// let is_marked = marking.request(id, now); // the request leaves with `NON_QUEUE_BUILDING`
/// if marking.answered(id, now) {
///     println!("{}", marking.mark().words());
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Marking {
    mark: Mark,
    /// When the first request left that is owed an answer, and the newest of all.
    owed_since: Option<LocalTime>,
    last: Option<LocalTime>,
    last_is_marked: bool,
    /// A request whose round trip is measured, and the latest round trip.
    timed: Option<(RequestId, LocalTime)>,
    trip: Span,
    /// The newest requests without a mark.
    bare: [Option<RequestId>; REMEMBERED],
    /// Answers to requests without a mark since the last to a marked one, and when the first of them came.
    strikes: u32,
    since: Option<LocalTime>,
}

impl Marking {
    /// Marks requests if `is_wanted`.
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

    /// What becomes of the mark.
    pub fn mark(&self) -> Mark {
        self.mark
    }

    /// Request `id` leaves at `now`. True if it is to be marked.
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

    /// Request `id` was answered at `now`. True if the mark is removed for it.
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

    /// When another request has to leave, besides those of the clock's schedule. None: no such.
    pub fn next_due(&self) -> Option<LocalTime> {
        let last = self.last.filter(|_| self.mark == Mark::On)?;
        if self.strikes > 0 {
            return Some(last + self.patient(TRIAL));
        }
        let repeat = self.patient(REPEAT);
        self.owed_since.filter(|&since| last - since < SILENCE).map(|_| last + repeat)
    }

    /// A time to wait, or as long as round trips take if that is longer.
    fn patient(&self, wait: Span) -> Span {
        wait.max(Span::from_ticks(TRIPS * self.trip.ticks()))
    }

    /// The system does not mark: nothing is marked from now on.
    pub fn give_up(&mut self) {
        self.mark = Mark::Off;
    }

    /// The path is another one: a mark that was dropped on the old one is tried again.
    pub fn try_again(&mut self) {
        *self = Marking::new(self.mark != Mark::Off);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;

    /// Asks once in `every_ms`, and when the marking wants it, over a path of 50 ms. Of a time (ms) and the
    /// mark, `is_lost` says whether a request is lost. When the mark was removed (ms).
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

    /// Loses one exchange in five, always the same.
    fn lossy() -> impl FnMut() -> bool {
        let mut state = 7_u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % 5 == 0
        }
    }

    #[test]
    fn marks_that_are_dropped_are_removed_within_seconds() {
        for every_ms in [20, 350, 4_000, 5_000] {
            let from_begin = removed(every_ms, 60_000, |_, is_marked| is_marked);
            assert!(from_begin.is_some_and(|ms| ms < 5_000), "{from_begin:?} at one in {every_ms} ms");
            let later = removed(every_ms, 60_000, |ms, is_marked| is_marked && ms >= 30_000);
            assert!(later.is_some_and(|ms| ms < 34_000 + every_ms), "{later:?} at one in {every_ms} ms");
        }
    }

    #[test]
    fn neither_loss_nor_a_block_removes_the_mark() {
        for (every_ms, hours) in [(5_000, 12), (350, 1), (20, 1)] {
            let mut loses = lossy();
            assert_eq!(removed(every_ms, hours * 3_600_000, |_, _| loses()), None, "{every_ms}");
        }
        let is_blocked = |ms: i64| (30_000..90_000).contains(&ms);
        assert_eq!(removed(5_000, 200_000, |ms, _| is_blocked(ms)), None);
    }

    #[test]
    fn on_a_long_path_what_is_owed_makes_no_more_requests() {
        for trip_ms in [300, 1_800, 4_000] {
            let (mut marking, mut under_way, mut asked) = (Marking::new(true), VecDeque::new(), 0);
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
                    asked += 1;
                    marking.request(id, now);
                    under_way.push_back((ms + trip_ms, id));
                }
            }
            println!("{trip_ms} ms: {asked} requests, {own} of them of the marking");
            assert!(own <= 16, "{own} requests over a path of {trip_ms} ms");
        }
    }

    #[test]
    fn another_path_gets_the_mark_again_unless_it_is_not_wanted() {
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
