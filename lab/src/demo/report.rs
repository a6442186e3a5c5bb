use super::broadcast::INKS;
use super::figures::{comparison, headline_words, large, rival_words, verdict_words};
use super::plan::LINK_WORDS;
use super::record::{Record, What};
use super::summary::{ClientSummary, Summary, Verdict};
use crate::baseline::RIVALS;
use crate::report::page::chart::{Chart, Curve, Ink, MOST_POINTS, Shape, THINNED};
use crate::report::page::{Block, Finding, Headline, Page, Part, Table, Weight};
use crate::report::words::program;

pub(crate) fn page(record: &Record, summary: &Summary) -> Page {
    let lead = format!(
        "One server and {} clients ran for {:.1} s on one machine. Each client has its own clock. They \
         communicate over UDP, through forwarders that imitate a bad network. The machine's monotonic clock \
         is the truth.",
        summary.clients.len(),
        record.length.as_secs_f64()
    );
    let weight = if summary.verdict() == Verdict::Kept { Weight::Fine } else { Weight::Fault };
    let figures = summary.headline.figures().into_iter().zip(INKS);
    let figures = figures.map(|((name, ms), ink)| (name, ink, large(ms))).collect();
    let words = headline_words(&summary.headline, record, None);
    let mut blocks = vec![
        Block::Headline(Headline { figures, words }),
        Block::Verdicts(vec![Finding::new(weight, verdict_words(summary), None)]),
    ];
    for (index, client) in summary.clients.iter().enumerate() {
        blocks.extend([
            Block::Tab(Some(format!("Client {}", client.name))),
            Block::Chart(errors(record, index, client)),
            Block::Verdicts(findings(record, index)),
            Block::Tab(None),
        ]);
    }
    let compared = summary.clients.iter().map(|client| (&*client.name, client.since_incident));
    blocks.extend([Block::Text(rival_words(&record.plan)), Block::Table(comparison(compared).folded())]);
    blocks.extend(settings(record, summary));
    let part = Part { title: String::new(), blocks };
    Page { title: "NetClock demo".to_owned(), lead, overview: None, parts: vec![part] }
}

fn findings(record: &Record, client: usize) -> Vec<Finding> {
    let incidents = record.happenings_of(client).filter_map(|happening| match &happening.what {
        What::Incident(_, words) => {
            let text = format!("{:.0} s: {words}", happening.at.as_secs_f64());
            Some(Finding::new(Weight::Note, text, None))
        }
        _ => None,
    });
    incidents.collect()
}

fn errors(record: &Record, client: usize, of: &ClientSummary) -> Chart {
    let mut chart = Chart::over_time(&format!("error_{client}"), &format!("Client {}", of.name), "ms");
    chart.words = format!(
        "{}, clock {:+.0} ppm. Shown minus true server time: the largest error in each tenth of a second, on \
         a scale that compresses large errors. 99th percentiles since the last incident: {}. A button below \
         shows NetClock's bound.",
        of.path,
        of.crystal_ppm,
        of.since_incident.figures().map(|(name, ms)| format!("{name} {}", large(ms))).join(", ")
    );
    let points = &record.clients[client].reads.points;
    let value = |which: usize| points.iter().map(move |(at, values)| (*at, values[which]));
    let bound = value(1).map(|(at, size)| (at, size.map(|size| (-size, size))));
    chart.add_band("NetClock's bound", Ink::Bound, bound);
    chart.is_bent = true;
    // The bound is many times larger than the errors.
    chart.curves.iter_mut().for_each(|curve| curve.is_shown = false);
    let names = RIVALS.map(|(name, _)| name).into_iter().chain(["NetClock"]);
    for ((name, ink), which) in names.zip(INKS).zip([3, 4, 0]) {
        chart.add(Curve::new(name, ink, Shape::Line, value(which)));
    }
    if points.len() > MOST_POINTS {
        chart.words.push_str(THINNED);
    }
    for happening in record.happenings_of(client) {
        let (label, ink) = match &happening.what {
            What::Incident(name, _) => ((*name).to_owned(), Ink::Expected),
            What::ClockEvent(described) => (described.event.replace('_', " "), Ink::Main),
            What::Message(..) => continue,
        };
        chart.mark(happening.at.as_secs_f64(), label, ink);
    }
    chart
}

fn settings(record: &Record, summary: &Summary) -> Vec<Block> {
    let rows =
        summary.clients.iter().map(|client| format!("{} | {} | {}", client.name, client.up, client.down));
    let caption = format!("Paths. Demo link: {LINK_WORDS}.");
    vec![
        Block::Table(Table::new(caption, "client | to the server | to the client", rows).folded()),
        Block::Text(format!(
            "To repeat this run with the same networks: {} demo --seconds {} --clients {} --seed {}",
            program(),
            record.plan.seconds,
            record.plan.clients.len(),
            record.plan.seed
        )),
    ]
}
