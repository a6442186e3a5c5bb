//! Records when the caller polled for messages. A message found by one poll arrived after the previous poll.
//!
//! Unless the caller reports each poll, the client infers the polls from the calls to `tick`. A frame loop
//! calls `tick` once per frame, and polls shortly after that or shortly before the next call. The wait of a
//! message timestamped midway between two ticks is unknown, because it may have been timestamped on arrival.

use crate::clock::ground::time::{LocalTime, Span};

/// Ticks at longer intervals than this do not come from a frame loop.
const LONGEST_FRAME: Span = Span::from_secs(1);

/// A poll and a tick count as close if they are at most 1/`NEAR` of a frame apart.
const NEAR: i64 = 4;

#[derive(Clone, Debug, Default)]
pub(super) struct Polls {
    stated: Option<LocalTime>,
    /// The last two ticks, newest first.
    ticks: [Option<LocalTime>; 2],
}

impl Polls {
    pub(super) fn polled(&mut self, at: LocalTime) {
        self.stated = Some(at);
    }

    pub(super) fn tick(&mut self, now: LocalTime) {
        if self.ticks[0] != Some(now) {
            self.ticks = [Some(now), self.ticks[0]];
        }
    }

    pub(super) fn forget(&mut self) {
        *self = Polls::default();
    }

    /// Returns the longest time that a message timestamped at `arrived` may have waited, if known.
    pub(super) fn wait(&self, arrived: LocalTime) -> Option<Span> {
        if let Some(polled) = self.stated {
            return Some((arrived - polled).max(Span::ZERO));
        }
        let [Some(last), Some(before)] = self.ticks else { return None };
        let (frame, since) = (last - before, arrived - last);
        let near = Span::from_ticks(frame.ticks() / NEAR);
        if frame <= Span::ZERO || frame > LONGEST_FRAME || since < Span::ZERO {
            None
        } else if since <= near {
            // The previous poll came after the previous tick.
            Some(arrived - before)
        } else if since >= frame - near {
            // The previous poll came at most `near` before the last tick.
            Some(since + near)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: i64 = 160_000;

    fn at(ticks: i64) -> LocalTime {
        LocalTime::from_ticks(ticks)
    }

    fn ticked(ticks: &[i64]) -> Polls {
        let mut polls = Polls::default();
        ticks.iter().for_each(|&tick| polls.tick(at(tick)));
        polls
    }

    #[test]
    fn the_wait_starts_at_the_previous_poll() {
        // Some frames are late, and one has a hitch of half a second.
        let starts = [0, FRAME, 2 * FRAME + 9_000, 3 * FRAME, 3 * FRAME + 5_000_000, 4 * FRAME + 5_000_000];
        for poll in [0, 100, FRAME / 8, 7 * FRAME / 8] {
            for known in 2..starts.len() {
                // The tick comes at the start of the frame, before or after the poll.
                let polls = ticked(if poll == 0 { &starts[..=known] } else { &starts[..known] });
                let (found, before) = (starts[known] + poll, starts[known - 1] + poll);
                let polls = if poll > 0 && poll < FRAME / 2 { ticked(&starts[..=known]) } else { polls };
                let Some(wait) = polls.wait(at(found)) else { continue };
                assert!(wait >= at(found) - at(before), "poll {poll}, frame {known}: {wait}");
            }
        }
        assert_eq!(ticked(&[0, FRAME]).wait(at(FRAME)), Some(Span::from_ticks(FRAME)));
        assert_eq!(ticked(&[0, FRAME]).wait(at(2 * FRAME - 10)), Some(Span::from_ticks(5 * FRAME / 4 - 10)));
    }

    #[test]
    fn messages_not_timestamped_by_a_loop_have_an_unknown_wait() {
        let polls = ticked(&[0, FRAME, FRAME]);
        assert_eq!(polls.wait(at(FRAME + FRAME / 2)), None, "between two ticks");
        assert_eq!(polls.wait(at(FRAME - 1)), None, "timestamped before the tick and handled after it");
        assert_eq!(ticked(&[0]).wait(at(0)), None);
        assert_eq!(ticked(&[0, 10_000_001]).wait(at(10_000_001)), None, "no frames");
        assert_eq!(ticked(&[FRAME, 0]).wait(at(0)), None, "backwards");
        assert_eq!(Polls::default().wait(at(i64::MAX)), None);
    }

    #[test]
    fn reported_polls_replace_ticks_until_the_clock_misses_time() {
        let mut polls = ticked(&[0, FRAME]);
        polls.polled(at(FRAME + 100));
        assert_eq!(polls.wait(at(FRAME + 70_100)), Some(Span::from_ticks(70_000)));
        assert_eq!(polls.wait(at(FRAME)), Some(Span::ZERO), "timestamped outside the loop");
        polls.forget();
        assert_eq!(polls.wait(at(FRAME + 70_100)), None);
    }
}
