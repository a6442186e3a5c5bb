//! Curves of any number of points, in little memory: the least and the largest value of each stretch stay.

/// A point: where on the horizontal axis, and the value; none interrupts a line.
pub(crate) type Point = (f64, Option<f64>);

/// A curve of no more points than this has all of them. It is more than a screen has columns, and a page
/// stays small.
pub(crate) const MOST_POINTS: usize = 12_000;
/// What the words of a chart say if a curve of it was thinned.
pub(crate) const THINNED: &str = " There are more points than a chart can show: of each stretch of time the \
                                  least and the largest value are drawn.";
/// Stretches of a longer curve, each with two values.
const MOST_STRETCHES: usize = MOST_POINTS / 2;

/// The points of a curve. Long curves keep the least and the largest value of each stretch, so no peak is
/// lost.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Envelope {
    stretches: Vec<Stretch>,
    /// Points in a full stretch.
    full: usize,
    /// Points in the last one.
    last: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Stretch {
    /// Points with the least and the largest value, if there are values.
    ends: Option<[(f64, f64); 2]>,
    /// Where the line is interrupted.
    gap: Option<f64>,
}

impl Default for Envelope {
    fn default() -> Self {
        Envelope { stretches: Vec::new(), full: 1, last: 0 }
    }
}

impl Envelope {
    /// Adds a point. Points come in order, or nearly so. What is no number interrupts the line.
    pub(crate) fn add(&mut self, (x, y): Point) {
        if !x.is_finite() {
            return;
        }
        let y = y.filter(|y| y.is_finite());
        let point = Stretch { ends: y.map(|y| [(x, y); 2]), gap: y.is_none().then_some(x) };
        match self.stretches.last_mut() {
            Some(stretch) if self.last < self.full => {
                *stretch = stretch.with(point);
                self.last += 1;
            }
            _ => {
                self.stretches.push(point);
                self.last = 1;
            }
        }
        while self.stretches.len() > if self.full == 1 { MOST_POINTS } else { MOST_STRETCHES } {
            self.halve();
        }
    }

    /// True if not all points are left.
    pub(crate) fn is_thinned(&self) -> bool {
        self.full > 1
    }

    /// The points that are left.
    pub(crate) fn points(&self) -> impl Iterator<Item = Point> {
        self.stretches.iter().flat_map(|stretch| {
            let gap = stretch.gap.map(|x| (x, None));
            let [least, largest] = match stretch.ends {
                Some([least, largest]) if least == largest => [Some(least), None],
                Some([least, largest]) => [Some(least), Some(largest)],
                None => [None, None],
            };
            let ends = [least, largest].map(|end| end.map(|(x, y)| (x, Some(y))));
            ends.into_iter().chain([gap]).flatten()
        })
    }

    /// Makes each two neighbours one.
    fn halve(&mut self) {
        let pairs = self.stretches.chunks(2);
        self.stretches =
            pairs.map(|pair| pair.iter().skip(1).fold(pair[0], |all, it| all.with(*it))).collect();
        self.full *= 2;
        // The last stretch may have fewer points. Then it gets a few more than the others.
        self.last = self.full;
    }
}

impl Stretch {
    fn with(self, other: Stretch) -> Self {
        let ends = match (self.ends, other.ends) {
            (Some(a), Some(b)) => {
                Some([if b[0].1 < a[0].1 { b[0] } else { a[0] }, if b[1].1 > a[1].1 { b[1] } else { a[1] }])
            }
            (a, b) => a.or(b),
        };
        Stretch { ends, gap: self.gap.or(other.gap) }
    }
}

impl Extend<Point> for Envelope {
    fn extend<T: IntoIterator<Item = Point>>(&mut self, points: T) {
        points.into_iter().for_each(|point| self.add(point));
    }
}

impl FromIterator<Point> for Envelope {
    fn from_iter<T: IntoIterator<Item = Point>>(points: T) -> Self {
        let mut envelope = Envelope::default();
        envelope.extend(points);
        envelope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_curve_is_what_it_was() {
        let points: Vec<Point> =
            (0..MOST_POINTS).map(|i| (i as f64, (i % 7 != 0).then_some((i * 31 % 100) as f64))).collect();
        let envelope: Envelope = points.iter().copied().collect();
        assert!(!envelope.is_thinned() && envelope.points().eq(points));
    }

    #[test]
    fn a_long_curve_keeps_its_peaks_and_gaps_in_little_memory() {
        let value = |i: u32| match i {
            777_777 => 5.0,
            123_456 => -5.0,
            _ => f64::from(i % 10) / 10.0,
        };
        let points = (0..3_000_000).map(|i| (f64::from(i), (i != 2_222_222).then_some(value(i))));
        let envelope: Envelope = points.collect();
        let kept: Vec<Point> = envelope.points().collect();
        assert!(envelope.is_thinned() && kept.len() <= MOST_POINTS + 1, "{}", kept.len());
        for wanted in [(777_777.0, Some(5.0)), (123_456.0, Some(-5.0)), (2_222_222.0, None)] {
            assert!(kept.contains(&wanted), "{wanted:?}");
        }
        // Every stretch has both ends of what was there.
        assert!(kept.iter().filter(|point| point.1 == Some(0.9)).count() > 2_500);
        assert!(kept.iter().filter(|point| point.1 == Some(0.0)).count() > 2_500);
    }
}
