//! The picture of `lab timeline`: true and shown world time, and the error with both bounds.
//!
//! The SVG is written by hand because it must be readable on light and dark pages: it has its own style sheet.

use std::fmt::Write;

use super::game::{Kind, Phase};
use super::score::Judged;
use super::suite::Plot;

/// Layout (px).
const WIDTH: f64 = 1040.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 116.0;
const WORLD_HEIGHT: f64 = 190.0;
const BETWEEN: f64 = 64.0;
const ERROR_HEIGHT: f64 = 290.0;
const BOTTOM: f64 = 64.0;

/// Range of the logarithmic axis (ms). Values outside are drawn at its ends.
const RANGE_MS: (f64, f64) = (0.01, 10_000.0);
/// Stretches of time; the largest value of each is drawn.
const COLUMNS: usize = 900;

const STYLE: &str = "\
:root{color-scheme:light dark;--page:#fcfcfb;--ink:#22262b;--soft:#626b76;--grid:#e3e6e9;--phase:#f3ece4;--name:#8a5a2b;\
--truth:#c9d0d8;--shown:#1f5fbf;--certain:#e4eef0;--unchanged:#bcd9dc;--edge:#5d9aa1}\
@media(prefers-color-scheme:dark){:root{--page:#15181c;--ink:#dfe3e8;--soft:#98a2ae;--grid:#2b3138;--phase:#262119;\
--name:#d9a878;--truth:#4b5560;--shown:#7fb2ff;--certain:#1b2b2f;--unchanged:#27474c;--edge:#4f8a91}}\
text{font:12px system-ui,sans-serif;fill:var(--soft)}.title{font-size:17px;font-weight:600;fill:var(--ink)}\
.head{font-size:13px;font-weight:600;fill:var(--ink)}.name{fill:var(--name);font-size:11px}.end{text-anchor:end}.mid{text-anchor:middle}\
.page{fill:var(--page)}.phase{fill:var(--phase)}.grid{stroke:var(--grid);fill:none}.line{fill:none;stroke-linejoin:round}\
.truth{stroke:var(--truth);stroke-width:6}.shown{stroke:var(--shown);stroke-width:1.6}.certain{fill:var(--certain)}\
.unchanged{fill:var(--unchanged)}.key{fill:var(--ink)}";

/// A panel: its place on the picture and its vertical axis.
struct Panel {
    top: f64,
    height: f64,
    seconds: f64,
}

impl Panel {
    fn x(&self, at_s: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * (at_s / self.seconds).clamp(0.0, 1.0)
    }

    /// The place of a value from 0 (bottom) to 1 (top).
    fn y(&self, part: f64) -> f64 {
        self.top + self.height * (1.0 - part.clamp(0.0, 1.0))
    }
}

/// The picture of one run.
pub(super) fn svg(plot: &Plot, link: &str, reads: &[Judged]) -> String {
    let height = TOP + WORLD_HEIGHT + BETWEEN + ERROR_HEIGHT + BOTTOM;
    let seconds = plot.seconds;
    let world = Panel { top: TOP, height: WORLD_HEIGHT, seconds };
    let error = Panel { top: TOP + WORLD_HEIGHT + BETWEEN, height: ERROR_HEIGHT, seconds };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\"><style>{STYLE}</style><rect class=\"page\" width=\"{WIDTH}\" height=\"{height}\"/>\n\
         <text class=\"title\" x=\"{LEFT}\" y=\"32\">A world's time on a client</text>\n\
         <text x=\"{LEFT}\" y=\"53\">{link}; server at 60 frames per second, its clock counts at most 0.4 s of a frame</text>\n"
    );
    for panel in [&world, &error] {
        phases(&mut out, panel, &plot.phases);
    }
    draw_world(&mut out, &world, reads);
    draw_error(&mut out, &error, reads);
    names(&mut out, &world, &plot.phases);
    put(
        &mut out,
        format_args!("<text class=\"mid\" x=\"{}\" y=\"{}\">real time, s</text>", WIDTH / 2.0, height - 18.0),
    );
    out.push_str("</svg>\n");
    out
}

/// Writing to a string cannot fail.
fn put(out: &mut String, what: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(what);
    out.push('\n');
}

fn phases(out: &mut String, panel: &Panel, phases: &[Phase]) {
    for phase in phases {
        let (from, to) = (panel.x(phase.from_s), panel.x(phase.to_s));
        let (top, width, height) = (panel.top, to - from, panel.height);
        put(
            out,
            format_args!(
                "<rect class=\"phase\" x=\"{from:.1}\" y=\"{top}\" width=\"{width:.1}\" height=\"{height}\"/>"
            ),
        );
    }
}

fn names(out: &mut String, panel: &Panel, phases: &[Phase]) {
    for phase in phases {
        let x = panel.x(0.5 * (phase.from_s + phase.to_s));
        let length_s = phase.to_s - phase.from_s;
        let name = match phase.kind {
            Kind::Pause => "pause".to_owned(),
            Kind::Slow => "slow motion".to_owned(),
            Kind::Hitch => format!("{length_s:.1} s frame"),
            Kind::Travel => "new world".to_owned(),
        };
        put(
            out,
            format_args!("<text class=\"name mid\" x=\"{x:.1}\" y=\"{}\">{name}</text>", panel.top - 6.0),
        );
    }
}

fn axes(out: &mut String, panel: &Panel, ticks: &[(f64, String)]) {
    for (part, label) in ticks {
        let y = panel.y(*part);
        let (end, text) = (WIDTH - RIGHT, LEFT - 8.0);
        put(out, format_args!("<path class=\"grid\" d=\"M{LEFT} {y:.1}H{end}\"/>"));
        put(out, format_args!("<text class=\"end\" x=\"{text}\" y=\"{:.1}\">{label}</text>", y + 4.0));
    }
    let bottom = panel.y(0.0) + 18.0;
    for second in (0..=panel.seconds as u32).step_by(10) {
        let x = panel.x(f64::from(second));
        put(out, format_args!("<text class=\"mid\" x=\"{x:.1}\" y=\"{bottom}\">{second}</text>"));
    }
}

/// A line, interrupted where a point says so.
fn line(out: &mut String, class: &str, points: impl Iterator<Item = (f64, f64, bool)>) {
    let mut path = String::new();
    for (x, y, breaks) in points {
        let letter = if path.is_empty() || breaks { 'M' } else { 'L' };
        let _ = write!(path, "{letter}{x:.1} {y:.1}");
    }
    put(out, format_args!("<path class=\"line {class}\" d=\"{path}\"/>"));
}

fn draw_world(out: &mut String, panel: &Panel, reads: &[Judged]) {
    let most = reads.iter().map(|read| read.shown_s.max(read.true_s)).fold(1.0, f64::max);
    let step = (most / 5.0 / 5.0).ceil() * 5.0;
    let most = (most / step).ceil() * step;
    let ticks: Vec<(f64, String)> = (0..=(most / step) as u32)
        .map(|number| f64::from(number) * step)
        .map(|world| (world / most, format!("{world:.0}")))
        .collect();
    axes(out, panel, &ticks);
    let mut curve = |class: &str, value: fn(&Judged) -> f64| {
        let mut last = 0.0;
        let points = reads.iter().step_by(8).map(|read| {
            let world = value(read);
            let falls = world < last - 0.5;
            last = world;
            (panel.x(read.at_s), panel.y(world / most), falls)
        });
        line(out, class, points);
    };
    curve("truth", |read| read.true_s);
    curve("shown", |read| read.shown_s);
    let (y, x) = (panel.top - 28.0, LEFT);
    put(out, format_args!("<text class=\"head\" x=\"{x}\" y=\"{y}\">World time, s</text>"));
    key(out, 600.0, y, "truth", "on the server");
    key(out, 740.0, y, "shown", "shown on the client");
}

fn draw_error(out: &mut String, panel: &Panel, reads: &[Judged]) {
    let part = |ms: f64| {
        let (low, high) = (RANGE_MS.0.log10(), RANGE_MS.1.log10());
        ((ms.clamp(RANGE_MS.0, RANGE_MS.1)).log10() - low) / (high - low)
    };
    let peaks = peaks(reads, panel.seconds);
    for (class, value) in [
        ("certain", (|read| read.bound_ms) as fn(&Judged) -> f64),
        ("unchanged", |read| read.if_unchanged_ms),
    ] {
        let mut path = String::new();
        let bottom = panel.y(0.0);
        let (Some(first), Some(last)) = (peaks.first(), peaks.last()) else { continue };
        let _ = write!(path, "M{:.1} {bottom:.1}", panel.x(first.at_s));
        for peak in &peaks {
            let _ = write!(path, "L{:.1} {:.1}", panel.x(peak.at_s), panel.y(part(value(peak))));
        }
        let _ = write!(path, "L{:.1} {bottom:.1}Z", panel.x(last.at_s));
        put(out, format_args!("<path class=\"{class}\" d=\"{path}\"/>"));
    }
    let ticks: Vec<(f64, String)> = [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0, 10_000.0]
        .into_iter()
        .map(|ms: f64| (part(ms), if ms >= 1000.0 { format!("{} s", ms / 1000.0) } else { format!("{ms}") }))
        .collect();
    axes(out, panel, &ticks);
    line(out, "shown", peaks.iter().map(|peak| (panel.x(peak.at_s), panel.y(part(peak.error_ms)), false)));
    let y = panel.top - 14.0;
    put(out, format_args!("<text class=\"head\" x=\"{LEFT}\" y=\"{y}\">Size of the error, ms</text>"));
    key(out, 400.0, y, "shown", "error");
    swatch(out, 485.0, y, "unchanged", "bound if nothing changed since");
    swatch(out, 730.0, y, "certain", "bound whatever happened meanwhile");
}

fn key(out: &mut String, x: f64, y: f64, class: &str, text: &str) {
    let (end, middle, after) = (x + 22.0, y - 4.0, x + 30.0);
    put(out, format_args!("<path class=\"line {class}\" d=\"M{x} {middle}H{end}\"/>"));
    put(out, format_args!("<text class=\"key\" x=\"{after}\" y=\"{y}\">{text}</text>"));
}

fn swatch(out: &mut String, x: f64, y: f64, class: &str, text: &str) {
    let (top, after) = (y - 10.0, x + 30.0);
    put(out, format_args!("<rect class=\"{class}\" x=\"{x}\" y=\"{top}\" width=\"22\" height=\"12\"/>"));
    put(out, format_args!("<text class=\"key\" x=\"{after}\" y=\"{y}\">{text}</text>"));
}

/// The largest sizes in each of [`COLUMNS`] stretches of time.
fn peaks(reads: &[Judged], seconds: f64) -> Vec<Judged> {
    let mut peaks: Vec<(usize, Judged)> = Vec::with_capacity(COLUMNS);
    for read in reads {
        let column = (read.at_s / seconds * COLUMNS as f64) as usize;
        match peaks.last_mut() {
            Some((last, peak)) if *last == column => {
                peak.error_ms = peak.error_ms.max(read.error_ms.abs());
                peak.bound_ms = peak.bound_ms.max(read.bound_ms);
                peak.if_unchanged_ms = peak.if_unchanged_ms.max(read.if_unchanged_ms);
            }
            _ => peaks.push((column, Judged { error_ms: read.error_ms.abs(), ..*read })),
        }
    }
    peaks.into_iter().map(|(_, peak)| peak).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_keep_what_is_largest() {
        let read = |at_s, error_ms| Judged {
            at_s,
            shown_s: 0.0,
            true_s: 0.0,
            error_ms,
            bound_ms: f64::INFINITY,
            if_unchanged_ms: 1.0,
        };
        let reads: Vec<Judged> =
            (0..9_000).map(|i| read(f64::from(i) / 100.0, if i == 77 { -5.0 } else { 1.0 })).collect();
        let peaks = peaks(&reads, 90.0);
        assert_eq!(peaks.len(), COLUMNS);
        assert_eq!(peaks.iter().filter(|peak| peak.error_ms == 5.0).count(), 1);
    }
}
