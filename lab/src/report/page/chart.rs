use serde::Serialize;

/// Values are rounded to five decimal places, which is 10 ns in a chart of milliseconds.
const DECIMALS: f64 = 1e5;

/// Curves with more points are thinned, because pages must stay small and no screen has this many columns.
pub(crate) const MOST_POINTS: usize = 12_000;
pub(crate) const THINNED: &str = " Because there are too many points for a chart, only the smallest and the \
                                  largest value in each interval are drawn.";

/// A position and a value. The line has a gap where the value is `None`.
pub(crate) type Point = (f64, Option<f64>);

/// The meaning of a curve or mark. The page chooses the colours for light and dark mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ink {
    Main,
    Other,
    Second,
    Bound,
    Expected,
    Up,
    Down,
    Bad,
}

/// Different shapes help colour-blind readers distinguish the curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Shape {
    Line,
    Dashes,
    Dots,
    Crosses,
    /// The area between this curve and the next is filled.
    Band,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Curve {
    pub(crate) label: String,
    pub(crate) ink: Ink,
    pub(crate) shape: Shape,
    /// If false, the curve is hidden until the reader selects it.
    pub(crate) is_shown: bool,
    x: Vec<f64>,
    y: Vec<Option<f64>>,
}

impl Curve {
    /// Accepts points in any order. Points at the same position are moved apart.
    pub(crate) fn new(
        label: impl Into<String>,
        ink: Ink,
        shape: Shape,
        points: impl IntoIterator<Item = Point>,
    ) -> Self {
        let kept = points.into_iter().filter(|(x, _)| x.is_finite());
        let mut kept: Vec<Point> = kept.map(|(x, y)| (x, y.filter(|y| y.is_finite()))).collect();
        kept.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut x, mut y, mut last) = (Vec::new(), Vec::new(), f64::NEG_INFINITY);
        for point in thinned(kept) {
            last = (point.0 * DECIMALS).round().max(last + 1.0);
            x.push(last / DECIMALS);
            y.push(point.1.map(|value| (value * DECIMALS).round() / DECIMALS));
        }
        Curve { label: label.into(), ink, shape, is_shown: true, x, y }
    }

    pub(crate) fn hidden(self) -> Self {
        Curve { is_shown: false, ..self }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.y.iter().all(Option::is_none)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Mark {
    pub(crate) at: f64,
    pub(crate) label: String,
    pub(crate) ink: Ink,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Chart {
    pub(crate) id: String,
    pub(crate) title: String,
    /// The description for people who cannot see the chart.
    pub(crate) words: String,
    pub(crate) unit: &'static str,
    pub(crate) is_bent: bool,
    pub(crate) curves: Vec<Curve>,
    pub(crate) marks: Vec<Mark>,
}

impl Chart {
    pub(crate) fn over_time(id: &str, title: &str, unit: &'static str) -> Self {
        Chart { id: id.to_owned(), title: title.to_owned(), unit, ..Chart::default() }
    }

    pub(crate) fn mark(&mut self, at: f64, label: impl Into<String>, ink: Ink) {
        self.marks.push(Mark { at, label: label.into(), ink });
    }

    pub(crate) fn add(&mut self, curve: Curve) {
        if !curve.is_empty() {
            self.curves.push(curve);
        }
    }

    /// Adds empty curves. Live pages identify curves by their colours.
    pub(crate) fn add_live(&mut self, curves: &[(&str, Ink, Shape)]) {
        for &(label, ink, shape) in curves {
            self.curves.push(Curve::new(label, ink, shape, []));
            if shape == Shape::Band {
                self.curves.push(Curve::new(format!("{label}, upper end"), ink, Shape::Line, []));
            }
        }
    }

    pub(crate) fn add_band(
        &mut self,
        label: &str,
        ink: Ink,
        points: impl Iterator<Item = (f64, Option<(f64, f64)>)> + Clone,
    ) {
        let low = points.clone().map(|(x, ends)| (x, ends.map(|ends| ends.0)));
        let low = Curve::new(label, ink, Shape::Band, low);
        if !low.is_empty() {
            let high = points.map(|(x, ends)| (x, ends.map(|ends| ends.1)));
            self.curves.push(low);
            self.curves.push(Curve::new(format!("{label}, upper end"), ink, Shape::Line, high));
        }
    }
}

/// Keeps the smallest value, the largest value and the first gap of each interval, so that no peak or gap is
/// lost.
fn thinned(points: Vec<Point>) -> Vec<Point> {
    if points.len() <= MOST_POINTS {
        return points;
    }
    let kept = |stretch: &[Point]| {
        let values = || stretch.iter().filter_map(|&(x, y)| Some((x, y?)));
        let least = values().min_by(|a, b| a.1.total_cmp(&b.1));
        let largest = values().max_by(|a, b| a.1.total_cmp(&b.1));
        let gap = stretch.iter().find(|point| point.1.is_none()).copied();
        let ends = [least, largest].into_iter().flatten().map(|(x, y)| (x, Some(y)));
        let mut kept: Vec<Point> = ends.chain(gap).collect();
        kept.sort_by(|a, b| a.0.total_cmp(&b.0));
        kept
    };
    points.chunks(points.len().div_ceil(MOST_POINTS / 2)).flat_map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_preserves_peaks_gaps_and_order() {
        let value = |i: u32| match i {
            77_777 => Some(5.0),
            12_345 => Some(-5.0),
            88_888 => None,
            _ => Some(f64::from(i % 10) / 10.0),
        };
        let points = |count: usize| {
            let points = (0..count as u32).map(|i| (f64::from(i), value(i)));
            Curve::new("test", Ink::Main, Shape::Line, points)
        };
        assert_eq!(points(MOST_POINTS).x.len(), MOST_POINTS, "a short curve is unchanged");
        let curve = points(100_000);
        assert!(curve.x.len() <= MOST_POINTS + 1, "{}", curve.x.len());
        assert!(curve.x.is_sorted());
        for (at, wanted) in [(77_777.0, Some(5.0)), (12_345.0, Some(-5.0)), (88_888.0, None)] {
            assert!(curve.x.iter().zip(&curve.y).any(|(x, y)| (*x, *y) == (at, wanted)), "{wanted:?}");
        }
        // Each interval of the data contains the values 0.0 and 0.9.
        assert!(curve.y.iter().filter(|y| **y == Some(0.9)).count() > 2_500);
        assert!(curve.y.iter().filter(|y| **y == Some(0.0)).count() > 2_500);
    }

    #[test]
    fn points_are_sorted_and_separated() {
        let points = [(2.0, Some(1.0)), (1.0, Some(2.0)), (1.0, Some(3.0))];
        let curve = Curve::new("test", Ink::Main, Shape::Dots, points);
        assert_eq!(curve.x, [1.0, 1.00001, 2.0]);
        assert_eq!(curve.y, [Some(2.0), Some(3.0), Some(1.0)]);
    }

    #[test]
    fn non_finite_values_are_not_drawn() {
        let points = [(0.0, Some(f64::NAN)), (f64::NAN, Some(1.0)), (1.0, Some(f64::INFINITY))];
        let curve = Curve::new("test", Ink::Main, Shape::Dots, points);
        assert_eq!(curve.x, [0.0, 1.0]);
        assert_eq!(curve.y, [None, None]);
        let mut chart = Chart::over_time("id", "title", "ms");
        chart.add(curve);
        assert!(chart.curves.is_empty());
    }
}
