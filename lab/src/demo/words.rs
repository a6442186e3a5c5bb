use indicatif::HumanCount;

use super::plan::{DemoPlan, LINK_WORDS};
use super::record::{Compared, Happening, Record, SETTLING_S, Verdict, What};
use crate::baseline::{BEST_ON_DEMO, ENGINE, PUBLISHED};
use crate::report::page::Table;
use crate::report::words;

pub(super) fn print_start(plan: &DemoPlan) {
    eprintln!(
        "One server and {} clients for {} s on this machine (seed {}).",
        plan.clients.len(),
        plan.seconds,
        plan.seed
    );
    eprintln!("Demo link: {LINK_WORDS}.");
    if plan.clients.iter().any(|client| client.up != client.down) {
        eprintln!("Busy uplink: also limited to 2 Mbit/s to the server, of which other uploads use 70 %.");
    }
    eprintln!();
}

/// Prints incidents and messages. Clock events appear only in the report.
pub(super) fn print(happening: &Happening, plan: &DemoPlan) {
    if happening.kind != What::ClockEvent {
        eprintln!("{:6.2} s  {:>3}  {}", happening.at, happening.who(plan), happening.text);
    }
}

/// The headline comes last, so that it stays visible above the prompt.
pub(super) fn figures(record: &Record) -> String {
    let headline = record.headline();
    let each = headline.figures().map(|(name, ms)| format!("{name}: {}.", large(ms))).join(" ");
    format!(
        "{}\n\n{each}\n{}\n{}\n{}",
        comparison(record).text(),
        headline_words(&headline, record, None),
        verdict_words(record),
        rival_words(&record.plan)
    )
}

pub(super) fn headline_words(compared: &Compared, record: &Record, client: Option<usize>) -> String {
    let since = match &record.incident {
        Some(it) => format!("{:.0} s ({}: {})", it.at, it.who(&record.plan), it.label),
        None => "the start".to_owned(),
    };
    if compared.reads == 0 {
        return format!("Errors count starting {SETTLING_S:.0} s after {since}.");
    }
    let whose = match client {
        Some(at) => format!("Client {}", record.plan.clients[at].name),
        None => format!("Each clock's worst of {} clients", record.clients.len()),
    };
    format!(
        "{whose}, 99th percentile of the errors in the same {} reads since {since}.",
        HumanCount(compared.reads)
    )
}

pub(super) fn headline_cells(record: &Record, client: usize) -> Vec<String> {
    let compared = record.clients[client].compared();
    let figures = compared.figures().map(|(_, ms)| large(ms)).into_iter();
    figures.chain([headline_words(&compared, record, Some(client))]).collect()
}

pub(super) fn rival_words(plan: &DemoPlan) -> String {
    let (rival, all) = (&plan.rival, PUBLISHED.len());
    let why = if rival == BEST_ON_DEMO {
        format!("best rival is {rival}, the most accurate of {all} published clocks in this demo")
    } else {
        format!("rival is {rival}")
    };
    format!("The {why}. The engine's clock is {ENGINE}. All clocks process the same replies.")
}

pub(super) fn comparison(record: &Record) -> Table {
    let row = |(name, compared): (&str, Compared)| {
        let figures = compared.figures().map(|(_, ms)| words::optional(ms, two_digits));
        format!("{name} | {} | {}", figures.join(" | "), words::optional(compared.bound_ms, two_digits))
    };
    let caption = "99 % of the errors since the last incident, and NetClock's median bound, in ms";
    let header = "client | engine's clock | best rival | NetClock | its bound";
    Table::new(caption, header, record.compared().map(row))
}

pub(super) fn verdict_words(record: &Record) -> String {
    let of = |count| HumanCount(record.total(count));
    let [reads, world_reads] = [of(|it| it.time.reads), of(|it| it.world.reads)];
    match record.verdict() {
        Verdict::Kept => format!(
            "All {reads} reads of the server time and all {world_reads} reads of the world time were within \
             their bounds, and no clock went backwards."
        ),
        Verdict::Broken => format!(
            "BROKEN: {} of {reads} reads of the server time were outside their bounds and {} went backwards; \
             of the world time, {} of {world_reads} and {}.",
            of(|it| it.time.outside),
            of(|it| it.time.backwards),
            of(|it| it.world.outside),
            of(|it| it.world.backwards)
        ),
        Verdict::NeverSynced => "A client never synchronised. Was the machine too busy to run it?".to_owned(),
    }
}

pub(super) fn large(ms: Option<f64>) -> String {
    ms.map_or_else(|| "–".to_owned(), |ms| format!("{} ms", two_digits(ms)))
}

fn two_digits(number: f64) -> String {
    let places = match number.abs() {
        size if size >= 9.95 => 0,
        size if size >= 0.995 => 1,
        size if size >= 0.0995 => 2,
        _ => 3,
    };
    format!("{number:.places$}")
}
