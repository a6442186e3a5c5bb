//! Plots of the size of errors over time, as SVG. The scale is logarithmic: an error and a bound that is a thousand
//! times larger fit into one picture.

use anyhow::{Result, anyhow};
use plotters::prelude::*;

/// Width and height of one plot (px).
const SIZE: (u32, u32) = (900, 300);
/// Range of the logarithmic axis (ms). Values outside are drawn at its ends.
const LOG_RANGE_MS: (f64, f64) = (0.001, 1000.0);
/// Points of a curve: more points than pixels would only make the file larger.
const COLUMNS: usize = 450;

/// The meaning of a curve, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// The subject of the plot.
    Main,
    /// What the subject is compared with.
    Other,
    /// A promised bound.
    Bound,
    /// An expected error, or a limit.
    Quiet,
}

impl Ink {
    fn colour(self) -> RGBColor {
        match self {
            Self::Main => RGBColor(0x1a, 0x5f, 0xb4),
            Self::Other => RGBColor(0xc6, 0x4a, 0x1b),
            Self::Bound => RGBColor(0x26, 0x83, 0x4b),
            Self::Quiet => RGBColor(0x8a, 0x8a, 0x8a),
        }
    }
}

/// A curve.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    /// Its name in the legend.
    pub(crate) label: String,
    /// Its colour.
    pub(crate) ink: Ink,
    /// Time (s) and value (ms).
    pub(crate) points: Vec<(f64, f64)>,
}

impl Curve {
    /// An empty curve.
    pub(crate) fn new(label: impl Into<String>, ink: Ink) -> Self {
        Self { label: label.into(), ink, points: Vec::new() }
    }

    /// The largest value in each of [`COLUMNS`] stretches of time.
    fn peaks(&self, seconds: f64) -> Vec<(f64, f64)> {
        let mut peaks: Vec<(usize, f64, f64)> = Vec::with_capacity(COLUMNS);
        for &(t, value) in &self.points {
            let column = (t / seconds * COLUMNS as f64) as usize;
            match peaks.last_mut() {
                Some(last) if last.0 == column => last.2 = last.2.max(value),
                _ => peaks.push((column, t, value)),
            }
        }
        peaks.into_iter().map(|(_, t, value)| (t, value.clamp(LOG_RANGE_MS.0, LOG_RANGE_MS.1))).collect()
    }
}

/// One panel.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    /// Its heading.
    pub(crate) title: String,
    /// Length of the time axis (s).
    pub(crate) seconds: f64,
    /// The curves, of sizes without a sign. The first is drawn at the bottom.
    pub(crate) curves: Vec<Curve>,
}

/// Draws panels one below the other.
///
/// # Errors
/// The plot cannot be drawn.
pub(crate) fn svg(panels: &[Panel]) -> Result<String> {
    let mut picture = String::new();
    {
        let height = SIZE.1 * panels.len().max(1) as u32;
        let root = SVGBackend::with_string(&mut picture, (SIZE.0, height)).into_drawing_area();
        let draw = || -> Result<(), Box<dyn std::error::Error>> {
            root.fill(&WHITE)?;
            for (area, panel) in root.split_evenly((panels.len().max(1), 1)).iter().zip(panels) {
                draw_panel(area, panel)?;
            }
            root.present()?;
            Ok(())
        };
        draw().map_err(|error| anyhow!("cannot draw the plot: {error}"))?;
    }
    Ok(picture)
}

fn draw_panel(
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    panel: &Panel,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, ("sans-serif", 16))
        .margin(8)
        .margin_right(16)
        .x_label_area_size(34)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..panel.seconds, (LOG_RANGE_MS.0..LOG_RANGE_MS.1).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("seconds")
        .y_desc("ms")
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(0xe4, 0xe4, 0xe4))
        .y_labels(7)
        .x_label_formatter(&|value| format!("{value:.0}"))
        .y_label_formatter(&|value| format!("{value}"))
        .draw()?;
    for curve in &panel.curves {
        let colour = curve.ink.colour();
        chart
            .draw_series(LineSeries::new(curve.peaks(panel.seconds), colour.stroke_width(1)))?
            .label(&curve.label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(0xcc, 0xcc, 0xcc))
        .draw()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_keep_their_peaks() {
        let mut curve = Curve::new("test", Ink::Main);
        curve.points =
            (0..45_000).map(|i| (f64::from(i) / 100.0, if i == 777 { 5.0 } else { 1.0 })).collect();
        let peaks = curve.peaks(450.0);
        assert_eq!(peaks.len(), COLUMNS);
        assert_eq!(peaks.iter().filter(|peak| peak.1 == 5.0).count(), 1);
    }

    #[test]
    fn panels_become_one_picture() {
        let mut curve = Curve::new("a < b", Ink::Bound);
        curve.points = vec![(0.0, 0.0), (1.0, 1e9)];
        let panel = Panel { title: "test".into(), seconds: 1.0, curves: vec![curve] };
        let picture = svg(&[panel.clone(), panel]).unwrap();
        assert!(
            picture.starts_with("<svg") && picture.contains("height=\"600\"") && picture.contains("a &lt; b")
        );
    }
}
