//! The page of `lab study timeline`: true and shown world time, and the error with both bounds.

use super::game::{Kind, Phase};
use super::score::Judged;
use super::suite::Plot;
use crate::report::page::chart::{Chart, Curve, Ink, Shape};
use crate::report::page::{Block, Page, Part};

/// The page of one run.
pub(super) fn page(plot: &Plot, link: &str, reads: &[Judged]) -> Page {
    let mut world = Chart::over_time("world", "World time", "s");
    world.words =
        "The world's time on the server, and as it is shown on the client. It falls when a new world begins."
            .to_owned();
    let line = |value: fn(&Judged) -> f64| {
        let mut last = f64::NEG_INFINITY;
        let mut points = Vec::with_capacity(reads.len());
        for read in reads {
            if value(read) < last - 0.5 {
                points.push((read.at_s, None));
            }
            last = value(read);
            points.push((read.at_s, Some(last)));
        }
        points
    };
    world.add(Curve::new("on the server", Ink::Other, Shape::Dashes, line(|read| read.true_s)));
    world.add(Curve::new("shown on the client", Ink::Main, Shape::Line, line(|read| read.shown_s)));
    let mut error = Chart::over_time("error", "Size of the error", "ms").logarithmic();
    error.words =
        "Shown minus true world time, the largest of each stretch of time, on a logarithmic scale. \
                   One bound holds if nothing changed since the last news, the other whatever happened \
                   meanwhile."
            .to_owned();
    let peaks = |label, pen, value: fn(&Judged) -> f64| {
        Curve::peaks(label, pen, plot.seconds, reads.iter().map(|read| (read.at_s, value(read))))
    };
    error.add(peaks("bound whatever happened", (Ink::Bound, Shape::Line), |read| read.bound_ms));
    error.add(peaks("bound if nothing changed", (Ink::Expected, Shape::Dashes), |read| read.if_unchanged_ms));
    error.add(peaks("error", (Ink::Main, Shape::Line), |read| read.error_ms));
    for chart in [&mut world, &mut error] {
        plot.phases.iter().for_each(|phase| chart.mark(phase.from_s, name(phase), Ink::Other));
    }
    let blocks = vec![Block::Chart(world), Block::Chart(error)];
    Page {
        title: "A world's time on a client".to_owned(),
        lead: format!("{link}; server at 60 frames per second, its clock counts at most 0.4 s of a frame."),
        overview: None,
        parts: vec![Part { title: plot.name.to_owned(), blocks }],
    }
}

fn name(phase: &Phase) -> String {
    match phase.kind {
        Kind::Pause => "pause".to_owned(),
        Kind::Slow => "slow motion".to_owned(),
        Kind::Hitch => format!("{:.1} s frame", phase.to_s - phase.from_s),
        Kind::Travel => "new world".to_owned(),
    }
}
