//! Formats a demo's figures as sentences and tables, for the terminal and for pages.

use indicatif::HumanCount;

use super::plan::DemoPlan;
use super::reads::SETTLING;
use super::record::{Happening, Record, What};
use super::summary::{Compared, Summary, Verdict};
use crate::baseline::{BEST_ON_DEMO, ENGINE, PUBLISHED};
use crate::report::page::Table;
use crate::report::words;

/// The headline: one figure per clock.
pub(crate) fn headline(compared: &Compared) -> String {
    compared.figures().map(|(name, ms)| format!("{name}: {}.", large(ms))).join(" ")
}

/// Explains which client the headline's figures describe: the selected one, or each clock's worst.
pub(crate) fn headline_words(compared: &Compared, record: &Record, client: Option<usize>) -> String {
    let since = match &record.incident {
        Some(happening @ Happening { what: What::Incident(name, _), .. }) => {
            let (at, who) = (happening.at.as_secs_f64(), happening.who(&record.plan));
            format!("{at:.0} s ({who}: {name})")
        }
        _ => "the start".to_owned(),
    };
    if compared.reads == 0 {
        return format!("Errors count starting {:.0} s after {since}.", SETTLING.as_secs_f64());
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

pub(crate) fn rival_words(plan: &DemoPlan) -> String {
    let (rival, all) = (&plan.rival, PUBLISHED.len());
    let why = if rival == BEST_ON_DEMO {
        format!("best rival is {rival}, the most accurate of {all} published clocks in this demo")
    } else {
        format!("rival is {rival}")
    };
    format!("The {why}. The engine's clock is {ENGINE}. All clocks process the same replies.")
}

pub(crate) fn comparison<'a>(clients: impl Iterator<Item = (&'a str, Compared)>) -> Table {
    let row = |(name, compared): (&str, Compared)| {
        let figures = compared.figures().map(|(_, ms)| words::optional(ms, two_digits));
        format!("{name} | {} | {}", figures.join(" | "), words::optional(compared.bound_ms, two_digits))
    };
    let caption = "99 % of the errors since the last incident, and NetClock's median bound, in ms";
    Table::new(caption, "client | engine's clock | best rival | NetClock | its bound", clients.map(row))
}

pub(crate) fn verdict_words(summary: &Summary) -> String {
    let of = |count| HumanCount(summary.total(count));
    let [reads, world_reads] = [of(|it| it.time.reads), of(|it| it.world.reads)];
    match summary.verdict() {
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

/// Formats a headline figure, with two digits and the unit.
pub(crate) fn large(ms: Option<f64>) -> String {
    ms.map_or_else(|| "–".to_owned(), |ms| format!("{} ms", two_digits(ms)))
}

/// Formats a number to two significant digits, or with all digits before the decimal point if there are more.
fn two_digits(number: f64) -> String {
    let places = match number.abs() {
        size if size >= 9.95 => 0,
        size if size >= 0.995 => 1,
        size if size >= 0.0995 => 2,
        _ => 3,
    };
    format!("{number:.places$}")
}
