//! Measures the actual rate of a world. The stated rate is only a hint. An overloaded server may advance its
//! world by fixed steps in longer frames and still state a rate of 1.

use super::rate::Rate;
use crate::clock::Span;

/// Number of recent frames to compare, about half a second.
const WINDOW: usize = 32;
const FEWEST: usize = 4;

#[derive(Clone, Copy, Debug, Default)]
struct Passage {
    /// `stated` and `progress` are world times in ticks.
    stated: i64,
    progress: i64,
}

impl Passage {
    fn gain(self) -> i64 {
        self.progress - self.stated
    }

    fn scale(self) -> f64 {
        self.progress as f64 / self.stated as f64
    }
}

#[derive(Debug, Default)]
pub(crate) struct Speed {
    frames: [Passage; WINDOW],
    count: usize,
}

impl Speed {
    pub(crate) fn add(&mut self, stated: Rate, elapsed: Span, progress: Span) {
        if stated.is_paused() {
            self.count = 0;
            return;
        }
        let frame = Passage { stated: stated.passed(elapsed.ticks()), progress: progress.ticks() };
        self.frames.rotate_right(1);
        self.frames[0] = frame;
        self.count = (self.count + 1).min(WINDOW);
    }

    /// Returns the actual rate divided by the stated rate, or 1 if the world keeps up. `noise` is the maximum
    /// error of a reading, and `tolerance` is the maximum error of a line.
    pub(crate) fn scale(&self, noise: Span, tolerance: Span) -> f64 {
        let allowed = (noise + tolerance).ticks();
        let mut length = WINDOW;
        while length > FEWEST {
            let (whole, half) = (self.over(length), self.over(length / 2));
            let expected = (half.stated as f64 * whole.scale()) as i64;
            // The longest steady period gives the most precise ratio.
            if length <= self.count && (half.progress - expected).abs() <= allowed {
                break;
            }
            length /= 2;
        }
        let measured = self.over(length);
        if self.count < FEWEST || measured.stated == 0 || measured.gain().abs() <= allowed {
            return 1.0;
        }
        measured.scale()
    }

    /// Adds up the last `length` frames, but omits any frame that lost more time than all others together.
    /// Such a hitch says nothing about the rate.
    fn over(&self, length: usize) -> Passage {
        let frames = &self.frames[..length.min(self.count)];
        let sum = frames.iter().fold(Passage::default(), |sum, frame| Passage {
            stated: sum.stated.saturating_add(frame.stated),
            progress: sum.progress.saturating_add(frame.progress),
        });
        let Some(worst) = frames.iter().max_by_key(|frame| frame.gain().abs()) else { return sum };
        let others = Passage { stated: sum.stated - worst.stated, progress: sum.progress - worst.progress };
        if worst.gain().abs() > others.gain().abs() { others } else { sum }
    }
}
