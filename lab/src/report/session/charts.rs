use super::evaluation::{Evaluation, ReadPoint};
use super::events::events;
use super::verdict::{Kind, Verdict};
use super::what_if::{Clock, conclusion};
use crate::report::{
    Block, Chart, Curve, Ink, MOST_POINTS, Part, Point, Shape, THINNED, Table, amount, counted, length, ms,
    optional,
};
use netclock_sim::{nearest_rank, sorted};

const SIGMAS: f64 = 2.0;
const VERDICTS: usize = 200;

const PENS: [(Ink, Shape); 6] = [
    (Ink::Main, Shape::Line),
    (Ink::Other, Shape::Dashes),
    (Ink::Second, Shape::Line),
    (Ink::Expected, Shape::Dashes),
    (Ink::Bound, Shape::Line),
    (Ink::Up, Shape::Dashes),
];

pub(crate) fn overview(rows: impl Iterator<Item = String>) -> Table {
    let header = "session | verdicts | 99 % of errors, ms | median bound, ms | worst verdict";
    Table::new("The sessions", header, rows).with_words()
}

pub(crate) fn row(session: &Evaluation, verdicts: &[Verdict]) -> String {
    let count = verdicts.iter().filter(|it| !matches!(it.kind, Kind::Clean | Kind::NotSeen)).count();
    let findings = verdicts.iter().map(Verdict::finding);
    let worst = findings.reduce(|worst, it| if it.weight > worst.weight { it } else { worst });
    let worst = worst.map_or_else(String::new, |it| format!("{}: {}", it.word, it.text));
    let (error, bound) = (share(&errors(session), 0.99), share(&shown(session, |it| it.bound), 0.5));
    format!("{} | {count} | {error} | {bound} | {worst}", session.name)
}

pub(crate) fn part(session: &Evaluation, verdicts: &[Verdict], clocks: &[Clock]) -> Part {
    let (marks, event_table) = events(session);
    let marks = || marks.clone();
    let listed = &verdicts[..verdicts.len().min(VERDICTS)];
    let more = verdicts.len() - listed.len();
    let mut blocks = vec![
        Block::Text(about(session)),
        Block::Verdicts(listed.iter().map(Verdict::finding).collect()),
        Block::Table(figures(session)),
    ];
    if more > 0 {
        let words = format!(
            "Not listed: {}. Use --from and --length to select a part of the recording.",
            counted(more, "more verdict")
        );
        blocks.insert(2, Block::Text(words));
    }
    if !clocks.is_empty() {
        blocks.push(Block::Table(comparison(session, clocks)));
        blocks.push(Block::Chart(Chart { marks: marks(), ..side_by_side(session, clocks) }));
        blocks.extend(conclusion(clocks).map(Block::Text));
    }
    let over_time = [error(session, listed), bounds(session), rate(session)].into_iter();
    blocks.extend(over_time.map(|chart| Block::Chart(Chart { marks: marks(), ..chart })));
    blocks.push(Block::Heading("Events".to_owned()));
    blocks.push(Block::Table(event_table));
    Part { title: session.name.clone(), blocks }
}

fn reference(session: &Evaluation) -> &'static str {
    if session.is_true { "the true time" } else { "the best estimate in hindsight" }
}

fn about(session: &Evaluation) -> String {
    let basis = if !session.recording.truth.is_empty() {
        "A better clock measured the true time."
    } else if session.is_true {
        "The path is simulated, so the true time is known."
    } else {
        "The true time of a recording is unknown. Errors are relative to the best estimate in hindsight, \
         which uses the whole session. It cannot detect a constant difference between the two directions' \
         delays, but the bound includes the resulting error."
    };
    let is_thinned = session.reads.len().max(session.exchanges.len()) > MOST_POINTS;
    let thinned = if is_thinned { THINNED } else { "" };
    let exchanges = counted(session.recording.exchanges.len(), "exchange");
    format!("{exchanges} in {}. {basis}{thinned}", length(session.length_s))
}

fn shown(session: &Evaluation, of: impl Fn(&ReadPoint) -> Option<f64>) -> Vec<f64> {
    sorted(session.reads.iter().filter_map(of))
}

fn errors(session: &Evaluation) -> Vec<f64> {
    shown(session, |it| it.error.map(f64::abs))
}

fn share(sizes: &[f64], share: f64) -> String {
    optional(nearest_rank(sizes, share), size)
}

fn size(value: f64) -> String {
    match value.abs() {
        less if less < 0.001 => "<0.001".to_owned(),
        more if more >= 4_999.5 => length(more / 1e3),
        _ => ms(value),
    }
}

fn figures(session: &Evaluation) -> Table {
    let row = |name: &str, sizes: Vec<f64>| {
        format!("{name} | {}", [0.5, 0.95, 0.99, 1.0].map(|of| share(&sizes, of)).join(" | "))
    };
    let accepted = || session.exchanges.iter().filter(|it| it.outcome.is_ok());
    let rows = if session.recording.round_trips_only {
        vec![row("round trip", sorted(accepted().map(|it| it.round_trip)))]
    } else {
        vec![
            row("absolute error", errors(session)),
            row("expected error", shown(session, |it| it.expected)),
            row("error bound", shown(session, |it| it.bound)),
            row("delay to the server", sorted(accepted().map(|it| it.up))),
            row("delay to the client", sorted(accepted().map(|it| it.down))),
        ]
    };
    let caption = format!("In ms; errors relative to {}", reference(session));
    Table::new(caption, " | median | 95 % | 99 % | largest", rows)
}

fn comparison(session: &Evaluation, clocks: &[Clock]) -> Table {
    let row = |clock: &Clock| {
        let sizes = clock.sizes_ms.map(|it| optional(it, size)).join(" | ");
        format!("{} | {sizes} | {}", clock.name, clock.backwards)
    };
    let against = reference(session);
    let caption = format!("Clocks on the same exchanges: absolute errors in ms, relative to {against}");
    Table::new(caption, " | median | 95 % | 99 % | largest | backward steps", clocks.iter().map(row))
}

fn side_by_side(session: &Evaluation, clocks: &[Clock]) -> Chart {
    let mut chart = Chart::over_time("side_by_side", "Errors side by side", "ms");
    chart.words = format!(
        "The errors of {} clocks on the same exchanges, relative to {}. The band is NetClock's bound.",
        clocks.len(),
        reference(session)
    );
    chart.add_band("NetClock's bound", Ink::Bound, band(session, |it| it.bound, 1.0));
    for (clock, (ink, shape)) in clocks.iter().zip(PENS.iter().cycle()) {
        let points = clock.errors.iter().map(|&(at, error)| (at, Some(error)));
        chart.add(Curve::new(clock.name.clone(), *ink, *shape, points));
    }
    chart
}

fn over_time(session: &Evaluation, of: impl Fn(&ReadPoint) -> Option<f64>) -> Vec<Point> {
    let mut epoch = None;
    let mut points = Vec::with_capacity(session.reads.len());
    for it in &session.reads {
        if epoch.replace(it.epoch).is_some_and(|epoch| epoch != it.epoch) {
            points.push((it.at_s, None));
        }
        points.push((it.at_s, of(it)));
    }
    points
}

fn band(
    session: &Evaluation,
    of: fn(&ReadPoint) -> Option<f64>,
    times: f64,
) -> impl Iterator<Item = (f64, Option<(f64, f64)>)> + Clone {
    session.reads.iter().map(move |it| (it.at_s, of(it).map(|size| (-times * size, times * size))))
}

fn error(session: &Evaluation, verdicts: &[Verdict]) -> Chart {
    let mut chart = Chart::over_time("error", "Error of the shown time", "ms");
    let sizes = errors(session);
    chart.words = format!(
        "Shown time minus {}. The median of the absolute error is {}, and 99 % are below {}. The inner band \
         is twice the expected error, and the outer band is the bound.",
        reference(session),
        optional(nearest_rank(&sizes, 0.5), amount),
        optional(nearest_rank(&sizes, 0.99), amount)
    );
    let marked = verdicts.iter().filter(|it| it.stretch.is_some()).count();
    if marked > 0 {
        chart.words += &format!(" Coloured intervals belong to {} above.", counted(marked, "verdict"));
    }
    chart.add_band("error bound", Ink::Bound, band(session, |it| it.bound, 1.0));
    chart.add_band("twice the expected error", Ink::Expected, band(session, |it| it.expected, SIGMAS));
    chart.add(Curve::new("error", Ink::Main, Shape::Line, over_time(session, |it| it.error)));
    // The bound is hidden at first, because it would make the error look like a flat line.
    for curve in &mut chart.curves {
        curve.is_shown = curve.ink != Ink::Bound;
    }
    chart
}

fn bounds(session: &Evaluation) -> Chart {
    let mut chart = Chart::over_time("bounds", "Bounds proven by each exchange", "ms");
    chart.words = format!(
        "Each exchange proves an upper bound on the offset with the delay to the server, and a lower bound \
         with the delay to the client. Zero is {}. {} exchanges were accepted and {} rejected.",
        reference(session),
        session.rerun.accepted,
        session.recording.exchanges.len() - session.rerun.accepted - session.rerun.left_out
    );
    let ends = |(error, bound)| (error - bound, error + bound);
    let promised = session.reads.iter().map(|it| (it.at_s, it.error.zip(it.bound).map(ends)));
    chart.add_band("guaranteed interval", Ink::Bound, promised);
    let of = |is_ok: bool| session.exchanges.iter().filter(move |it| it.outcome.is_ok() == is_ok);
    let above = |is_ok| of(is_ok).map(|it| (it.sent_s, Some(it.up)));
    let below = |is_ok| of(is_ok).map(|it| (it.arrived_s, Some(-it.down)));
    chart.add(Curve::new("upper bound (to the server)", Ink::Up, Shape::Dots, above(true)));
    chart.add(Curve::new("lower bound (to the client)", Ink::Down, Shape::Dots, below(true)));
    chart.add(Curve::new("rejected, upper bound", Ink::Bad, Shape::Crosses, above(false)).hidden());
    chart.add(Curve::new("rejected, lower bound", Ink::Bad, Shape::Crosses, below(false)).hidden());
    chart.add(Curve::new("shown time", Ink::Main, Shape::Line, over_time(session, |it| it.error)));
    chart
}

fn rate(session: &Evaluation) -> Chart {
    let mut chart = Chart::over_time("rate", "Rate", "ppm");
    chart.words = format!(
        "The estimated rate of the server's clock relative to the local clock. At the end it is {} ppm.",
        optional(session.reads.last().map(|it| it.rate_ppm), |ppm| format!("{ppm:+.3}"))
    );
    chart.add(Curve::new("rate", Ink::Main, Shape::Line, over_time(session, |it| Some(it.rate_ppm))));
    chart
}
