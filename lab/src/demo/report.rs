//! The demo's report: one page that needs nothing else.

use netclock::Config;

use super::client::config;
use super::figures::{tables, verdict_words};
use super::plan::{LINK_WORDS, SHIFT_MS, STALL};
use super::record::{Record, What};
use super::summary::{Summary, Verdict};
use crate::net::sync::events;
use crate::report::envelope::{Envelope, THINNED};
use crate::report::page::chart::{Chart, Curve, Ink, Shape};
use crate::report::page::{Block, Finding, Page, Part, Table, Weight};

/// Standard deviations in the band of the expected error.
const SIGMAS: f64 = 2.0;

/// The report.
pub(crate) fn page(record: &Record, summary: &Summary) -> Page {
    let lead = format!(
        "One server and {} clients ran for {:.1} s on one machine. Each is a process, and each client has \
         its own clock. They talk over UDP, through forwarders that make a bad network. The machine's \
         monotonic clock is the truth.",
        summary.clients.len(),
        record.length.as_secs_f64()
    );
    let weight = if summary.verdict() == Verdict::Kept { Weight::Fine } else { Weight::Fault };
    let [of_time, of_world] = tables(summary);
    let figures = vec![
        Block::Verdicts(vec![Finding::new(weight, verdict_words(summary), None)]),
        Block::Table(of_time),
        Block::Text(ABOUT_ERRORS.to_owned()),
        Block::Table(of_world),
        Block::Text(ABOUT_WORLD.to_owned()),
    ];
    let charts = summary.clients.iter().enumerate().flat_map(|(index, client)| {
        let heading =
            format!("Client {}: clock {:+.0} ppm, {}", client.name, client.crystal_ppm, client.path);
        let charts = [error(record, index), world(record, index)].map(Block::Chart);
        std::iter::once(Block::Heading(heading)).chain(charts)
    });
    let part = |title: &str, blocks| Part { title: title.to_owned(), blocks };
    Page {
        title: "NetClock demo".to_owned(),
        lead,
        overview: None,
        parts: vec![
            part("Figures", figures),
            part("Over time", charts.collect()),
            part("What happened", vec![Block::Table(timeline(record))]),
            part("What to look for", vec![Block::Table(explanation())]),
            part("Settings", settings(record, summary)),
        ],
    }
}

const ABOUT_ERRORS: &str = "\"Calm\" leaves out the second after each discontinuity that the clock declared. \
     Resync is the longest time from such a discontinuity until the error stayed below 1 ms, at most 1 s; it \
     counts the whole run. Bytes are payload in both directions.";
const ABOUT_WORLD: &str = "The world pauses, and later goes into slow motion. Clients learn of it when the \
     news arrives, and by then they are ahead. So their world stands still for a moment; it never goes back. \
     \"Calm\" leaves out pause, slow motion and the second after each. Bounds are medians: one of the \
     certain bound, which covers news that has not arrived, one of the bound that holds if nothing changed.";

/// A band around zero, of this size.
fn band(size: &Envelope, times: f64) -> Vec<(f64, Option<(f64, f64)>)> {
    size.points().map(|(at, size)| (at, size.map(|size| (-times * size, times * size)))).collect()
}

fn error(record: &Record, client: usize) -> Chart {
    let mut chart = Chart::over_time(&format!("error_{client}"), "Error of the shown time", "ms");
    chart.words =
        "Shown minus true server time. The inner band is twice the expected error, the outer one the bound. \
                   Where there is no outer band, the clock promised nothing."
            .to_owned();
    let Some(curves) = record.clients.get(client).map(|client| &client.reads.curves) else { return chart };
    chart.add_band("error bound", Ink::Bound, &band(&curves.bound, 1.0));
    chart.add_band("twice the expected error", Ink::Expected, &band(&curves.expected, SIGMAS));
    chart.add(Curve::new("error", Ink::Main, Shape::Line, curves.error.points()));
    marked(chart, record, client, curves.error.is_thinned())
}

fn world(record: &Record, client: usize) -> Chart {
    let mut chart = Chart::over_time(&format!("world_{client}"), "Error of the world's time", "ms");
    chart.words = "Shown minus true time of the server's world. Inner band: the bound if nothing changed. \
                   Outer band: the bound whatever happened meanwhile."
        .to_owned();
    let Some(curves) = record.clients.get(client).map(|client| &client.reads.curves) else { return chart };
    chart.add_band("bound whatever happened", Ink::Bound, &band(&curves.world_bound, 1.0));
    chart.add_band("bound if nothing changed", Ink::Expected, &band(&curves.world_if_unchanged, 1.0));
    chart.add(Curve::new("error", Ink::Main, Shape::Line, curves.world_error.points()));
    marked(chart, record, client, curves.world_error.is_thinned())
}

/// Hides the bound, which would make a line of the error, and marks what happened.
fn marked(mut chart: Chart, record: &Record, client: usize, is_thinned: bool) -> Chart {
    if is_thinned {
        chart.words.push_str(THINNED);
    }
    for curve in &mut chart.curves {
        curve.is_shown = curve.ink != Ink::Bound;
    }
    for happening in record.happenings_of(client) {
        let (label, ink) = match &happening.what {
            What::Done(name, _) => ((*name).to_owned(), Ink::Other),
            What::Declared(described) => (described.event.replace('_', " "), Ink::Main),
        };
        chart.mark(happening.at.as_secs_f64(), label, ink);
    }
    chart
}

fn timeline(record: &Record) -> Table {
    let rows = record.happenings.iter().map(|happening| {
        let who = happening.client.and_then(|index| record.plan.clients.get(index));
        let (weight, name, meaning) = match &happening.what {
            What::Done(name, words) => ("the demo", (*name).to_owned(), words),
            What::Declared(described) => {
                (events::weight(described).word(), described.event.replace('_', " "), &described.meaning)
            }
        };
        let (at, who) = (happening.at.as_secs_f64(), who.map_or("all", |client| &client.name));
        format!("{at:.2} s | {who} | {weight} | {name} | {meaning}")
    });
    let caption = match record.forgotten {
        0 => "What the demo did, and the events of the clients' clocks".to_owned(),
        many => format!("What the demo did, and the events of the clients' clocks, without the first {many}"),
    };
    Table::new(caption, "time | client |  | what | meaning", rows).with_words()
}

fn explanation() -> Table {
    let shift = format!(
        "Route +{SHIFT_MS:.0} ms | The way to the server becomes longer, the way back does not. The shown \
         time must not follow, because half of the change would be an error of {:.0} ms. The client knows \
         the server's time from before the change. A client that starts on an asymmetric path cannot know \
         the asymmetry, and its bound covers that.",
        SHIFT_MS / 2.0
    );
    let stop = format!(
        "Stopped for {:.1} s | The process really stands still. When it continues, it cannot know whether \
         its clock ran on. So it declares a local gap, promises no bound, and asks again. The first reply \
         restores the bound.",
        STALL.as_secs_f64()
    );
    let rows = [
        "Start | The first reply gives a server time at once; a burst of requests makes it accurate within a \
         third of a second.",
        &stop,
        "Server restarted | The old server is killed, and the new one counts from zero. Clients show the old \
         server's time until the first reply of the new one. Then they declare a restart and start over. \
         Each read is judged by the server that it names.",
        &shift,
        "The world pauses | The clients hear of it one delay later. By then they are ahead by that much, and \
         stand still until the world has caught up. The certain bound covered this all along.",
        "Slow motion | The rate goes to a fifth and back. The server sends a few straight lines a second, \
         which stay within half a millisecond of the world's time.",
    ];
    let caption = "Each client reads its clock more than a hundred times a second. A read is in bound if the \
                   shown time differs from the true one by at most the bound that this read promised. A \
                   clock goes backwards if a read shows an earlier time than the read before it, unless the \
                   clock declared a discontinuity in between.";
    Table::new(caption, " | what it means", rows).with_words()
}

fn settings(record: &Record, summary: &Summary) -> Vec<Block> {
    let Config { max_slew, burst_count, burst_interval, steady_interval, local_gap, .. } = config();
    let Config { client_drift_ppm, server_drift_ppm, .. } = config();
    let rows =
        summary.clients.iter().map(|client| format!("{} | {} | {}", client.name, client.up, client.down));
    let caption = format!("Paths. Demo link: {LINK_WORDS}.");
    vec![
        Block::Table(Table::new(caption, "client | to the server | to the client", rows)),
        Block::Text(format!(
            "Clients: largest drift {client_drift_ppm} ppm, of the server {server_drift_ppm} ppm, largest \
             slew {} %, bursts of {burst_count} requests every {burst_interval}, later one every {} s, local \
             gap {} s. Everything but the gap is the default.",
            max_slew * 100.0,
            steady_interval.as_secs_f64(),
            local_gap.as_secs_f64(),
        )),
        Block::Text(format!(
            "Again, with the same networks: lab demo --seconds {} --clients {} --seed {}",
            record.plan.seconds,
            record.plan.clients.len(),
            record.plan.seed
        )),
    ]
}
