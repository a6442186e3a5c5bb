//! A session as a part of a page: verdicts, figures and charts.

use super::course::{Course, EVENTS};
use super::verdict::{Kind, Verdict};
use super::what_if::{Clock, conclusion};
use crate::report::envelope::{Envelope, THINNED};
use crate::report::page::chart::{Across, Chart, Curve, Ink, Shape, histogram};
use crate::report::page::{Block, Page, Part, Table};
use crate::report::quantiles::Quantiles;
use crate::report::words::{counted, ms, optional};
use netclock_sim::clock::{TICKS_PER_MS, TICKS_PER_S};

/// Bars of a histogram.
const BARS: usize = 40;
/// Standard deviations in the band of the expected error.
const SIGMAS: f64 = 2.0;
/// Most verdicts that a page lists.
const VERDICTS: usize = 200;

/// Colours and shapes of the clocks of a comparison, over and over.
const PENS: [(Ink, Shape); 6] = [
    (Ink::Main, Shape::Line),
    (Ink::Other, Shape::Dashes),
    (Ink::Second, Shape::Line),
    (Ink::Expected, Shape::Dashes),
    (Ink::Bound, Shape::Line),
    (Ink::Up, Shape::Dashes),
];

/// A page about sessions.
pub(crate) fn page(what: &str, overview: Option<Table>, parts: Vec<Part>) -> Page {
    let lead =
        "What NetClock's clock made of each session, what happened on its path, and what the clock showed.";
    Page { title: format!("Session report: {what}"), lead: lead.to_owned(), overview, parts }
}

/// A row for each session: how many verdicts there are, how large errors and bound are, and what was worst.
pub(crate) fn overview<'a>(sessions: impl Iterator<Item = (&'a Course, &'a [Verdict])>) -> Table {
    let row = |(course, verdicts): (&Course, &[Verdict])| {
        let count = verdicts.iter().filter(|verdict| verdict.kind != Kind::Clean).count();
        let findings = verdicts.iter().map(Verdict::finding);
        // The first of the heaviest.
        let worst = findings.reduce(|worst, it| if it.weight > worst.weight { it } else { worst });
        let worst = worst.map_or_else(String::new, |it| format!("{}: {}", it.word, it.text));
        let (error, bound) = (share(&course.sizes.error, 0.99), share(&course.sizes.bound, 0.5));
        format!("{} | {count} | {error} | {bound} | {worst}", course.name)
    };
    let header = "session | verdicts | 99 % of errors, ms | median bound, ms | worst verdict";
    Table::new("The sessions", header, sessions.map(row)).with_words()
}

/// The part about a session, with the clocks to compare if there are some.
pub(crate) fn part(course: &Course, verdicts: &[Verdict], clocks: &[Clock]) -> Part {
    let marks = || course.marks.clone();
    let listed = &verdicts[..verdicts.len().min(VERDICTS)];
    let more = verdicts.len() - listed.len();
    let mut blocks = vec![
        Block::Text(about(course)),
        Block::Verdicts(listed.iter().map(Verdict::finding).collect()),
        Block::Table(figures(course)),
    ];
    if more > 0 {
        let words = format!(
            "Not listed: {}. Give --from and --length to look at a part of the recording.",
            counted(more, "more verdict")
        );
        blocks.insert(2, Block::Text(words));
    }
    if !clocks.is_empty() {
        blocks.push(Block::Table(comparison(course, clocks)));
        blocks.push(Block::Chart(Chart { marks: marks(), ..side_by_side(course, clocks) }));
        blocks.extend(conclusion(clocks).map(Block::Text));
    }
    let over_time =
        [error(course, listed), bounds(course), shown_time(course), rate(course), requests(course)]
            .into_iter();
    blocks.extend(over_time.map(|chart| Block::Chart(Chart { marks: marks(), ..chart })));
    blocks.extend([delays(course, true), delays(course, false)].map(Block::Chart));
    blocks.push(Block::Heading("Events".to_owned()));
    blocks.push(Block::Table(events(course)));
    Part { title: course.name.clone(), blocks }
}

/// What the shown time is compared with.
fn reference(course: &Course) -> &'static str {
    if course.is_true { "the true time" } else { "the best estimate in hindsight" }
}

fn about(course: &Course) -> String {
    let basis = if course.is_true {
        "The path is simulated, so the true time is known."
    } else {
        "Nobody knows the true time of a recording. Errors are against the best estimate in hindsight, which \
         knows the whole session. A constant difference between the two directions' delays stays hidden from \
         it; the bound covers it."
    };
    let thinned = if course.is_thinned() { THINNED } else { "" };
    let exchanges = counted(course.exchanges, "exchange");
    format!("{exchanges} in {}. {basis}{thinned}", super::look::length(course.length_s))
}

/// A share of some sizes, in ms.
fn share(sizes: &Quantiles, share: f64) -> String {
    optional(sizes.share(share).map(|ticks| ticks as f64 / TICKS_PER_MS), ms)
}

fn figures(course: &Course) -> Table {
    let row = |name: &str, sizes: &Quantiles| {
        format!("{name} | {}", [0.5, 0.95, 0.99, 1.0].map(|of| share(sizes, of)).join(" | "))
    };
    let sizes = &course.sizes;
    let rows = vec![
        row("size of the error", &sizes.error),
        row("expected error", &sizes.expected),
        row("error bound", &sizes.bound),
        row("delay to the server", &sizes.up),
        row("delay to the client", &sizes.down),
    ];
    let caption = format!("In ms; errors against {}", reference(course));
    Table::new(caption, " | median | 95 % | 99 % | largest", rows)
}

fn comparison(course: &Course, clocks: &[Clock]) -> Table {
    let row = |clock: &Clock| {
        let sizes = clock.sizes_ms.map(|size| optional(size, ms)).join(" | ");
        format!("{} | {sizes} | {}", clock.name, clock.backwards)
    };
    let against = reference(course);
    let caption = format!("Side by side on the same exchanges: sizes of the errors in ms, against {against}");
    Table::new(caption, " | median | 95 % | 99 % | largest | times back", clocks.iter().map(row))
}

fn side_by_side(course: &Course, clocks: &[Clock]) -> Chart {
    let mut chart = Chart::over_time("side_by_side", "Errors side by side", "ms");
    chart.words = format!(
        "The errors of {} clocks that got the same exchanges, against {}. The band is NetClock's bound.",
        clocks.len(),
        reference(course)
    );
    chart.add_band("NetClock's bound", Ink::Bound, &around_zero(&course.curves.bound, 1.0));
    for (clock, (ink, shape)) in clocks.iter().zip(PENS.iter().cycle()) {
        let points = clock.errors.iter().map(|&(at, error)| (at, Some(error)));
        chart.add(Curve::new(clock.name.clone(), *ink, *shape, points));
    }
    chart
}

/// A band around zero, of this size.
fn around_zero(size: &Envelope, times: f64) -> Vec<(f64, Option<(f64, f64)>)> {
    size.points().map(|(at, size)| (at, size.map(|size| (-times * size, times * size)))).collect()
}

fn error(course: &Course, verdicts: &[Verdict]) -> Chart {
    let mut chart = Chart::over_time("error", "Error of the shown time", "ms");
    chart.words = format!(
        "Shown time minus {}. The median size is {} ms, 99 % are below {} ms. The inner band is twice the \
         expected error, the outer one the bound. Coloured stretches are those of {} above.",
        reference(course),
        share(&course.sizes.error, 0.5),
        share(&course.sizes.error, 0.99),
        counted(verdicts.iter().filter(|it| it.stretch.is_some()).count(), "verdict")
    );
    let curves = &course.curves;
    chart.add_band("error bound", Ink::Bound, &around_zero(&curves.bound, 1.0));
    chart.add_band("twice the expected error", Ink::Expected, &around_zero(&curves.expected, SIGMAS));
    chart.add(Curve::new("error", Ink::Main, Shape::Line, curves.error.points()));
    // The bound is a thousand times the error, and would make a line of it.
    for curve in &mut chart.curves {
        curve.is_shown = curve.ink != Ink::Bound;
    }
    chart
}

fn bounds(course: &Course) -> Chart {
    let mut chart = Chart::over_time("bounds", "Bounds by each exchange", "ms");
    chart.words = format!(
        "Each exchange bounds the offset from above by the delay to the server, and from below by the delay \
         to the client. Zero is {}. {} exchanges were accepted, {} refused.",
        reference(course),
        course.accepted,
        course.exchanges - course.accepted - course.left_out
    );
    let curves = &course.curves;
    chart.add_ends("promised interval", Ink::Bound, curves.low.points(), curves.high.points());
    let ([above, above_refused], [below, below_refused]) = (&curves.above, &curves.below);
    chart.add(Curve::new("from above (way up)", Ink::Up, Shape::Dots, above.points()));
    chart.add(Curve::new("from below (way down)", Ink::Down, Shape::Dots, below.points()));
    chart.add(Curve::new("refused, from above", Ink::Bad, Shape::Crosses, above_refused.points()).hidden());
    chart.add(Curve::new("refused, from below", Ink::Bad, Shape::Crosses, below_refused.points()).hidden());
    chart.add(Curve::new("shown time", Ink::Main, Shape::Line, curves.error.points()));
    chart
}

fn shown_time(course: &Course) -> Chart {
    let mut chart = Chart::over_time("shown", "Shown time against the local clock", "ms");
    chart.words = format!(
        "How far the shown time moved against this machine's clock since the server's clock was first read. \
         The dashed line is {}.",
        reference(course)
    );
    chart.add(Curve::new("shown time", Ink::Main, Shape::Line, course.curves.offset.points()));
    chart.add(Curve::new(reference(course), Ink::Other, Shape::Dashes, course.curves.reference.points()));
    chart
}

fn rate(course: &Course) -> Chart {
    let mut chart = Chart::over_time("rate", "Rate", "ppm");
    chart.words = format!(
        "How much faster the server's clock runs than the local one, as learned. At the end it is {} ppm.",
        optional(course.last_rate, |ppm| format!("{ppm:+.3}"))
    );
    chart.add(Curve::new("rate", Ink::Main, Shape::Line, course.curves.rate.points()));
    chart
}

fn requests(course: &Course) -> Chart {
    let mut chart = Chart::over_time("requests", "Schedule of the requests", "s").logarithmic();
    let points = course.curves.intervals.points();
    chart.add(Curve::new("time since the request before", Ink::Main, Shape::Dots, points));
    let typical = course.sizes.intervals.share(0.5).map(|ticks| ticks as f64 / TICKS_PER_S);
    chart.words = format!(
        "Time from one answered request to the next: a burst at the start and after doubt, then ever less \
         often. The median is {} s. A lost exchange doubles the interval.",
        optional(typical, |s| format!("{s:.2}"))
    );
    chart
}

fn delays(course: &Course, is_up: bool) -> Chart {
    let (id, way, ink, sizes) = if is_up {
        ("delays_up", "to the server", Ink::Up, &course.sizes.up)
    } else {
        ("delays_down", "to the client", Ink::Down, &course.sizes.down)
    };
    let mut chart = Chart::over_time(id, &format!("Delays {way}"), "ms");
    chart.across = Across::Values;
    chart.add(Curve::new("exchanges", ink, Shape::Bars, histogram(sizes, TICKS_PER_MS, BARS)));
    chart.words = format!(
        "How often each delay {way} occurred. The smallest is {} ms, the median {} ms, and 99 % are below {} \
         ms.",
        share(sizes, 0.0),
        share(sizes, 0.5),
        share(sizes, 0.99)
    );
    chart
}

fn events(course: &Course) -> Table {
    let more = course.all_events - course.events.len();
    let caption = if more == 0 {
        "All events".to_owned()
    } else {
        format!("The first {EVENTS} events; {more} more are left out")
    };
    let row = |(at, name, meaning): &(f64, String, String)| {
        format!("{} | {name} | {meaning}", super::look::clock(*at))
    };
    Table::new(caption, "time | event | meaning", course.events.iter().map(row)).with_words()
}
