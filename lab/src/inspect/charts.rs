//! A session as a part of a page: verdicts, figures and charts.

use netclock::Refusal;

use super::look::{Look, Said, quantile};
use super::verdict::Verdict;
use super::what_if::Clock;
use crate::net::sync::events::describe;
use crate::recording;
use crate::report::envelope::Point;
use crate::report::page::chart::{Across, Chart, Curve, Ink, Mark, Shape, histogram};
use crate::report::page::{Block, Page, Part, Table};
use crate::report::words::{ms, optional};

/// Bars of a histogram.
const BARS: usize = 40;
/// Standard deviations in the band of the expected error.
const SIGMAS: f64 = 2.0;
/// Most events in the table.
const EVENTS: usize = 200;

/// Colours and shapes of the clocks of a comparison, over and over.
const PENS: [(Ink, Shape); 6] = [
    (Ink::Main, Shape::Line),
    (Ink::Other, Shape::Dashes),
    (Ink::Down, Shape::Line),
    (Ink::Expected, Shape::Dashes),
    (Ink::Bound, Shape::Line),
    (Ink::Up, Shape::Dashes),
];

/// A page about sessions.
pub(crate) fn page(what: &str, parts: Vec<Part>) -> Page {
    let lead =
        "What NetClock's clock made of each session, what happened on its path, and what the clock showed.";
    Page { title: format!("Session report: {what}"), lead: lead.to_owned(), parts }
}

/// The part about a session, with the clocks to compare if there are some.
pub(crate) fn part(look: &Look, verdicts: &[Verdict], clocks: &[Clock]) -> Part {
    let marks = marks(look);
    let mut blocks = vec![
        Block::Text(about(look)),
        Block::Verdicts(verdicts.iter().map(Verdict::finding).collect()),
        Block::Table(figures(look)),
    ];
    if !clocks.is_empty() {
        blocks.push(Block::Table(comparison(look, clocks)));
        blocks.push(Block::Chart(Chart { marks: marks.clone(), ..side_by_side(look, clocks) }));
    }
    let over_time =
        [error(look, verdicts), bounds(look), shown_time(look), rate(look), requests(look)].into_iter();
    blocks.extend(over_time.map(|chart| Block::Chart(Chart { marks: marks.clone(), ..chart })));
    blocks.extend([delays(look, true), delays(look, false)].map(Block::Chart));
    blocks.push(Block::Heading("Events".to_owned()));
    blocks.push(Block::Table(events(look)));
    Part { title: look.name.clone(), blocks }
}

/// What the shown time is compared with.
fn reference(look: &Look) -> &'static str {
    if look.is_true { "the true time" } else { "the best estimate in hindsight" }
}

fn about(look: &Look) -> String {
    let basis = if look.is_true {
        "The path is simulated, so the true time is known."
    } else {
        "Nobody knows the true time of a recording. Errors are against the best estimate in hindsight, which knows the \
         whole session. A constant difference between the two directions' delays stays hidden from it; the bound covers it."
    };
    format!("{} exchanges in {}. {basis}", look.exchanges, super::look::length(look.length_s))
}

fn sizes(look: &Look, size: impl Fn(&super::look::Shown) -> Option<f64>) -> Vec<f64> {
    look.shown.iter().filter_map(size).collect()
}

fn figures(look: &Look) -> Table {
    let row = |name: &str, values: &mut [f64]| {
        let mut cells = vec![name.to_owned()];
        cells.extend([0.5, 0.95, 0.99, 1.0].map(|share| optional(quantile(values, share), ms)));
        cells
    };
    let accepted: Vec<&Said> = look.said.iter().filter(|said| said.outcome.is_ok()).collect();
    let rows = vec![
        row("size of the error", &mut sizes(look, |it| it.error.map(f64::abs))),
        row("expected error", &mut sizes(look, |it| it.expected)),
        row("error bound", &mut sizes(look, |it| it.bound)),
        row("delay to the server", &mut accepted.iter().map(|said| said.up).collect::<Vec<f64>>()),
        row("delay to the client", &mut accepted.iter().map(|said| said.down).collect::<Vec<f64>>()),
    ];
    Table {
        caption: format!("In ms; errors against {}", reference(look)),
        header: ["", "median", "95 %", "99 %", "largest"].map(str::to_owned).into(),
        rows,
        ends_in_words: false,
    }
}

fn comparison(look: &Look, clocks: &[Clock]) -> Table {
    let row = |clock: &Clock| {
        let mut cells = vec![clock.name.clone()];
        cells.extend(clock.sizes_ms.map(|size| optional(size, ms)));
        cells.push(clock.backwards.to_string());
        cells
    };
    Table {
        caption: format!(
            "Side by side on the same exchanges: sizes of the errors in ms, against {}",
            reference(look)
        ),
        header: ["", "median", "95 %", "99 %", "largest", "times back"].map(str::to_owned).into(),
        rows: clocks.iter().map(row).collect(),
        ends_in_words: false,
    }
}

fn side_by_side(look: &Look, clocks: &[Clock]) -> Chart {
    let mut chart = Chart::over_time("side_by_side", "Errors side by side", "ms");
    chart.words = format!(
        "The errors of {} clocks that got the same exchanges, against {}.",
        clocks.len(),
        reference(look)
    );
    for (clock, (ink, shape)) in clocks.iter().zip(PENS.iter().cycle()) {
        let points = clock.errors.iter().map(|&(at, error)| (at, Some(error)));
        chart.add(Curve::new(clock.name.clone(), *ink, *shape, points));
    }
    chart
}

/// A line that new epochs interrupt.
fn line(look: &Look, value: impl Fn(&super::look::Shown) -> Option<f64>) -> Vec<Point> {
    let mut points = Vec::with_capacity(look.shown.len());
    let mut epoch = None;
    for shown in &look.shown {
        if epoch.is_some_and(|epoch| epoch != shown.epoch) {
            points.push((shown.at_s, None));
        }
        epoch = Some(shown.epoch);
        points.push((shown.at_s, value(shown)));
    }
    points
}

fn error(look: &Look, verdicts: &[Verdict]) -> Chart {
    let mut chart = Chart::over_time("error", "Error of the shown time", "ms");
    let mut errors = sizes(look, |it| it.error.map(f64::abs));
    let typical = optional(quantile(&mut errors, 0.5), ms);
    let high = optional(quantile(&mut errors, 0.99), ms);
    chart.words = format!(
        "Shown time minus {}. The median size is {typical} ms, 99 % are below {high} ms. The inner band is twice the \
         expected error, the outer one the bound. Coloured stretches are those of the {} verdicts above.",
        reference(look),
        verdicts.iter().filter(|it| it.stretch.is_some()).count()
    );
    let band = |size: fn(&super::look::Shown) -> Option<f64>, times: f64| -> Vec<_> {
        let ends = |it: &super::look::Shown| size(it).map(|size| (-times * size, times * size));
        look.shown.iter().map(|it| (it.at_s, ends(it))).collect()
    };
    chart.add_band("error bound", Ink::Bound, &band(|it| it.bound, 1.0));
    chart.add_band("twice the expected error", Ink::Expected, &band(|it| it.expected, SIGMAS));
    chart.add(Curve::new("error", Ink::Main, Shape::Line, line(look, |it| it.error)));
    // The bound is a thousand times the error, and would make a line of it.
    for curve in &mut chart.curves {
        curve.is_shown = curve.ink != Ink::Bound;
    }
    chart
}

fn bounds(look: &Look) -> Chart {
    let mut chart = Chart::over_time("bounds", "Bounds by each exchange", "ms");
    chart.words = format!(
        "Each exchange bounds the offset from above by the delay to the server, and from below by the delay to the \
         client. Zero is {}. {} exchanges were accepted, {} refused.",
        reference(look),
        look.rerun.accepted,
        look.exchanges - look.rerun.accepted - look.rerun.left_out
    );
    let said = |is_up: bool, is_accepted: bool| -> Vec<Point> {
        let kept = look.said.iter().filter(|said| said.outcome.is_ok() == is_accepted);
        kept.map(|it| if is_up { (it.sent_s, Some(it.up)) } else { (it.arrived_s, Some(-it.down)) }).collect()
    };
    let interval =
        |it: &super::look::Shown| it.error.zip(it.bound).map(|(error, bound)| (error - bound, error + bound));
    let promised: Vec<_> = look.shown.iter().map(|it| (it.at_s, interval(it))).collect();
    chart.add_band("promised interval", Ink::Bound, &promised);
    chart.add(Curve::new("from above (way up)", Ink::Up, Shape::Dots, said(true, true)));
    chart.add(Curve::new("from below (way down)", Ink::Down, Shape::Dots, said(false, true)));
    chart.add(Curve::new("refused, from above", Ink::Bad, Shape::Crosses, said(true, false)).hidden());
    chart.add(Curve::new("refused, from below", Ink::Bad, Shape::Crosses, said(false, false)).hidden());
    chart.add(Curve::new("shown time", Ink::Main, Shape::Line, line(look, |it| it.error)));
    chart
}

fn shown_time(look: &Look) -> Chart {
    let mut chart = Chart::over_time("shown", "Shown time against the local clock", "ms");
    chart.words = format!(
        "How far the shown time moved against this machine's clock since the server's clock was first read. The dashed \
         line is {}.",
        reference(look)
    );
    chart.add(Curve::new("shown time", Ink::Main, Shape::Line, line(look, |it| Some(it.offset))));
    let other = line(look, |it| it.error.map(|error| it.offset - error));
    chart.add(Curve::new(reference(look), Ink::Other, Shape::Dashes, other));
    chart
}

fn rate(look: &Look) -> Chart {
    let mut chart = Chart::over_time("rate", "Rate", "ppm");
    let last = look.shown.last().map(|shown| shown.rate_ppm);
    chart.words = format!(
        "How much faster the server's clock runs than the local one, as learned. At the end it is {} ppm.",
        optional(last, |ppm| format!("{ppm:+.3}"))
    );
    chart.add(Curve::new("rate", Ink::Main, Shape::Line, line(look, |it| Some(it.rate_ppm))));
    chart
}

fn requests(look: &Look) -> Chart {
    let mut chart = Chart::over_time("requests", "Schedule of the requests", "s");
    let mut sent: Vec<f64> = look.said.iter().map(|said| said.sent_s).collect();
    sent.sort_by(f64::total_cmp);
    sent.dedup();
    let mut intervals: Vec<f64> = sent.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let points = sent.iter().skip(1).zip(&intervals).map(|(at, interval)| (*at, Some(interval.max(1e-3))));
    chart.is_logarithmic = true;
    chart.add(Curve::new("time since the request before", Ink::Main, Shape::Dots, points));
    chart.words = format!(
        "Time from one answered request to the next: a burst at the start and after doubt, then ever less often. \
         The median is {} s. A lost exchange doubles the interval.",
        optional(quantile(&mut intervals, 0.5), |s| format!("{s:.2}"))
    );
    chart
}

fn delays(look: &Look, is_up: bool) -> Chart {
    let accepted = look.said.iter().filter(|said| said.outcome.is_ok());
    let mut values: Vec<f64> = accepted.map(|it| if is_up { it.up } else { it.down }).collect();
    let (id, way, ink) = if is_up {
        ("delays_up", "to the server", Ink::Up)
    } else {
        ("delays_down", "to the client", Ink::Down)
    };
    let mut chart = Chart::over_time(id, &format!("Delays {way}"), "ms");
    chart.across = Across::Values;
    chart.add(Curve::new("exchanges", ink, Shape::Bars, histogram(&values, BARS)));
    chart.words = format!(
        "How often each delay {way} occurred. The smallest is {} ms, the median {} ms, and 99 % are below {} ms.",
        optional(quantile(&mut values, 0.0), ms),
        optional(quantile(&mut values, 0.5), ms),
        optional(quantile(&mut values, 0.99), ms)
    );
    chart
}

fn marks(look: &Look) -> Vec<Mark> {
    let mark = |it: &super::look::Told| {
        let described = describe(&it.event);
        let ink = if described.discontinuity { Ink::Bad } else { Ink::Other };
        Mark { at: it.at_s, label: described.event.replace('_', " "), ink }
    };
    look.events.iter().map(mark).collect()
}

fn events(look: &Look) -> Table {
    let told = look.events.iter().map(|it| {
        let described = describe(&it.event);
        (it.at_s, described.event, described.meaning)
    });
    let refused = look.said.iter().filter_map(|said| {
        let refusal = said.outcome.err()?;
        Some((said.arrived_s, "refused".to_owned(), refused_words(refusal).to_owned()))
    });
    let announced =
        look.announcements.iter().map(|it| (look.seconds(it.at), it.what.name().to_owned(), it.what.words()));
    let mut all: Vec<(f64, String, String)> = told.chain(refused).chain(announced).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let more = all.len().saturating_sub(EVENTS);
    let caption = if more == 0 {
        "All events".to_owned()
    } else {
        format!("The first events; {more} more are left out")
    };
    let row = |(at, name, meaning): (f64, String, String)| vec![super::look::clock(at), name, meaning];
    Table {
        caption,
        header: ["time", "event", "meaning"].map(str::to_owned).into(),
        rows: all.into_iter().take(EVENTS).map(row).collect(),
        ends_in_words: true,
    }
}

fn refused_words(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Contradiction => "an exchange contradicts what is known",
        Refusal::SeveralServers => "a reply of another server than the followed one",
        Refusal::TooSlow => "the reply took too long to say anything",
        other => recording::name(Err(other)),
    }
}
