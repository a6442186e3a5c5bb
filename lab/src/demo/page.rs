use super::plan::{Action, ClientPlan, DemoPlan, LINK_WORDS};
use super::record::{CLOCKS, Compared, Happening, Record, Verdict, What};
use super::words::{comparison, headline_words, large, rival_words, verdict_words};
use crate::net::script;
use crate::report::page::chart::{Chart, Curve, Ink, MOST_POINTS, Shape, THINNED};
use crate::report::page::{Block, Controls, Finding, Headline, Page, Part, Table, Weight};
use crate::report::words::program;

const INKS: [Ink; 3] = [Ink::Second, Ink::Other, Ink::Main];
const BOUND: &str = "NetClock's bound";
type ClientButton = (&'static str, &'static str, fn(usize) -> Action);
pub(super) const CLIENT_BUTTONS: [ClientButton; 4] = [
    ("stall", "Stop for 2.5 s", Action::Stall),
    ("route", "Make the route 40 ms longer", Action::Shift),
    ("loss", "Lose half of the datagrams", Action::Lose),
    ("mend", "Restore the path", Action::Mend),
];
pub(super) const SERVER_BUTTONS: [(&str, &str, Action); 3] = [
    ("restart", "Restart the server", Action::Restart),
    ("pause", "Pause the world", Action::World(script::Kind::Pause)),
    ("slow", "Slow motion", Action::World(script::Kind::Slow)),
];

pub(super) fn report(record: &Record) -> Page {
    let lead = format!(
        "One server and {} clients ran for {:.1} s on one machine. Each client has its own clock. They \
         communicate over UDP, through forwarders that imitate a bad network. The machine's monotonic clock \
         is the truth.",
        record.clients.len(),
        record.length.as_secs_f64()
    );
    let mut blocks = vec![
        headline(&record.headline(), headline_words(&record.headline(), record, None)),
        Block::Verdicts(vec![verdict(record)]),
    ];
    for (index, client) in record.plan.clients.iter().enumerate() {
        blocks.extend(tab(client, [Block::Chart(errors(record, index)), incidents(record, index)]));
    }
    let settings = record.plan.clients.iter().map(|it| format!("{} | {} | {}", it.name, it.up, it.down));
    let caption = format!("Paths. Demo link: {LINK_WORDS}.");
    blocks.extend([
        Block::Text(rival_words(&record.plan)),
        Block::Table(comparison(record).folded()),
        Block::Table(Table::new(caption, "client | to the server | to the client", settings).folded()),
        Block::Text(format!(
            "To repeat this run with the same networks: {} demo --seconds {} --clients {} --seed {}",
            program(),
            record.plan.seconds,
            record.plan.clients.len(),
            record.plan.seed
        )),
    ]);
    page("NetClock demo", lead, blocks)
}

pub(super) fn live(plan: &DemoPlan) -> Page {
    let controls = |label: String, row, list: &[(&'static str, &str)]| {
        let buttons = list.iter().map(|&(act, label)| (act, label.to_owned())).collect();
        Block::Controls(Controls { label, row, buttons })
    };
    let [engine, best, own] = CLOCKS;
    let mut blocks = vec![headline(&Compared::default(), String::new())];
    for (row, client) in plan.clients.iter().enumerate() {
        let words = "Shown minus true time, on a scale that compresses large errors.";
        let mut chart = chart(&format!("client_{row}"), client, words);
        chart.add_live(&[
            (BOUND, Ink::Bound, Shape::Band),
            (engine, INKS[0], Shape::Line),
            (best, INKS[1], Shape::Line),
            (own, INKS[2], Shape::Line),
        ]);
        let buttons = CLIENT_BUTTONS.map(|(act, label, _)| (act, label));
        let controls = controls(format!("Client {}:", client.name), Some(row), &buttons);
        blocks.extend(tab(client, [Block::Chart(chart), controls]));
    }
    blocks.extend([
        controls("The server:".to_owned(), None, &SERVER_BUTTONS.map(|(act, label, _)| (act, label))),
        Block::Text(format!("Demo link: {LINK_WORDS}. {}", rival_words(plan))),
    ]);
    page("NetClock demo, live", "Press a button and watch the clocks.".to_owned(), blocks)
}

fn page(title: &str, lead: String, blocks: Vec<Block>) -> Page {
    let parts = vec![Part { title: String::new(), blocks }];
    Page { title: title.to_owned(), lead, overview: None, parts }
}

fn headline(compared: &Compared, words: String) -> Block {
    let figures = compared.figures().into_iter().zip(INKS);
    let figures = figures.map(|((name, ms), ink)| (name, ink, large(ms))).collect();
    Block::Headline(Headline { figures, words })
}

pub(super) fn verdict(record: &Record) -> Finding {
    let weight = if record.verdict() == Verdict::Kept { Weight::Fine } else { Weight::Fault };
    Finding::new(weight, verdict_words(record), None)
}

fn tab(client: &ClientPlan, [one, other]: [Block; 2]) -> [Block; 4] {
    [Block::Tab(Some(format!("Client {}", client.name))), one, other, Block::Tab(None)]
}

fn incidents(record: &Record, client: usize) -> Block {
    let incidents = record.happenings_of(client).filter(|it| it.kind == What::Incident);
    let finding = |it: &Happening| Finding::new(it.weight, format!("{:.0} s: {}", it.at, it.text), None);
    Block::Verdicts(incidents.map(finding).collect())
}

fn chart(id: &str, client: &ClientPlan, words: &str) -> Chart {
    let mut chart = Chart::over_time(id, &format!("Client {}", client.name), "ms");
    chart.words = format!("{}, clock {:+.0} ppm. {words}", client.path, client.ppm);
    chart.is_bent = true;
    chart
}

fn errors(record: &Record, client: usize) -> Chart {
    let compared = record.clients[client].compared();
    let words = format!(
        "Shown minus true server time: the largest error in each tenth of a second, on a scale that \
         compresses large errors. 99th percentiles since the last incident: {}. A button below shows \
         NetClock's bound.",
        compared.figures().map(|(name, ms)| format!("{name} {}", large(ms))).join(", ")
    );
    let mut chart = chart(&format!("error_{client}"), &record.plan.clients[client], &words);
    let points = &record.clients[client].points;
    let value = |which: usize| points.iter().map(move |(at, values)| (*at, values[which]));
    let bound = value(1).map(|(at, size)| (at, size.map(|size| (-size, size))));
    chart.add_band(BOUND, Ink::Bound, bound);
    // The bound is hidden at first because it dwarfs the errors.
    chart.curves.iter_mut().for_each(|curve| curve.is_shown = false);
    for (((name, _), ink), which) in compared.figures().into_iter().zip(INKS).zip([3, 4, 0]) {
        chart.add(Curve::new(name, ink, Shape::Line, value(which)));
    }
    if points.len() > MOST_POINTS {
        chart.words.push_str(THINNED);
    }
    for happening in record.happenings_of(client) {
        let ink = match happening.kind {
            What::Incident => Ink::Expected,
            What::ClockEvent => Ink::Main,
            What::Message => continue,
        };
        chart.mark(happening.at, happening.label.clone(), ink);
    }
    chart
}
