//! The output of a demo: a live table on a terminal, otherwise a line per event, and the figures at the end.

use comfy_table::{Attribute, Cell, CellAlignment, Color, Table, presets};
use console::Term;
use indicatif::HumanCount;
use netclock::{Span, UtcTime};

use super::plan::{ClientPlan, LINK_WORDS, Plan};
use super::protocol::{Read, Status, UtcStatus};
use super::record::{Happening, Record, What};
use super::summary::{ClientSummary, Errors, Summary, Verdict};
use crate::net::clock::{self, MachineTime};
use crate::report::date::date;

/// Time between two drawings of the table.
const REDRAW_EVERY: Span = Span::from_millis(200);
/// Number of events under the table.
const LATEST: usize = 9;
/// A client that has reported nothing for this long counts as silent.
const SILENT: Span = Span::from_millis(500);
/// Length of the progress bar (characters).
const BAR: usize = 40;

/// The place for progress.
pub(crate) struct Screen {
    term: Term,
    live: bool,
    drawn: usize,
    last: Option<MachineTime>,
}

impl Screen {
    /// Shows progress on the standard error: as a live table, if that is a terminal and `live` is set.
    pub(crate) fn new(live: bool) -> Self {
        let term = Term::stderr();
        let live = live && term.is_term();
        Screen { term, live, drawn: 0, last: None }
    }

    /// Prints what the demo will do.
    pub(crate) fn start(&self, plan: &Plan) {
        self.line(&format!(
            "One server and {} clients for {} s on this machine, as processes of their own (seed {}).",
            plan.clients.len(),
            plan.seconds,
            plan.seed
        ));
        self.line(&format!("Demo link: {LINK_WORDS}."));
        if plan.clients.iter().any(|client| client.up != client.down) {
            self.line(
                "Busy uplink: the same, and 2 Mbit/s to the server, 70 % of it taken by other uploads.",
            );
        }
        self.line("");
    }

    /// Prints an event.
    pub(crate) fn happened(&mut self, happening: &Happening, plan: &Plan) {
        if !self.live {
            self.line(&happening.line(plan));
        }
    }

    /// Draws the table again, if that is due.
    pub(crate) fn refresh(&mut self, record: &Record) {
        let now = clock::now();
        if !self.live || self.last.is_some_and(|last| now - last < REDRAW_EVERY) {
            return;
        }
        self.last = Some(now);
        let lines = live_lines(record, now - record.start);
        let width = usize::from(self.term.size().1);
        let shown: Vec<String> =
            lines.iter().map(|line| console::truncate_str(line, width, "…").into_owned()).collect();
        // If the terminal is gone, the demo continues without it.
        let _ = self.term.clear_last_lines(self.drawn);
        let _ = self.term.write_line(&shown.join("\n"));
        self.drawn = shown.len();
    }

    /// Replaces the table by all events.
    pub(crate) fn end(&mut self, record: &Record) {
        if self.live {
            let _ = self.term.clear_last_lines(self.drawn);
            self.drawn = 0;
            for happening in &record.happenings {
                self.line(&happening.line(&record.plan));
            }
        }
    }

    /// Prints a line.
    pub(crate) fn line(&self, text: &str) {
        let _ = self.term.write_line(text);
    }
}

fn live_lines(record: &Record, age: Span) -> Vec<String> {
    let mut table = empty(&[
        "",
        "clock ppm",
        "path",
        "error",
        "bound",
        "expected",
        "world error",
        "bound",
        "round trip",
        "rate ppm",
        "state",
    ]);
    for (plan, client) in record.plan.clients.iter().zip(&record.clients) {
        let read = client.reads.latest();
        let silent = read.is_some_and(|read| age - record.since_start(read.at) > SILENT);
        let state = if silent { "silent" } else { &client.status.state };
        table.add_row(live_row(plan, read, &client.status, state));
    }
    align(&mut table, &[0, 2, 10]);
    let done = (age.as_secs_f64() / f64::from(record.plan.seconds)).clamp(0.0, 1.0);
    let filled = (done * BAR as f64) as usize;
    let bar = format!("{}{}", "━".repeat(filled), "─".repeat(BAR - filled));
    let utc = record.clients.iter().find_map(|client| client.status.utc);
    let utc = utc.map_or_else(String::new, |read| format!("   server UTC {}", utc_words(read)));
    let mut lines =
        vec![format!("{bar} {:.1} of {} s   (times in ms){utc}", age.as_secs_f64(), record.plan.seconds)];
    lines.extend(table.lines());
    lines.push(String::new());
    let skipped = record.happenings.len().saturating_sub(LATEST);
    lines.extend(record.happenings.iter().skip(skipped).map(|happening| {
        let line = happening.line(&record.plan);
        match happening.what {
            What::Done(..) => console::style(line).for_stderr().yellow().to_string(),
            What::Declared(_) => line,
        }
    }));
    // The height is constant, so that the table does not move.
    let height = record.plan.clients.len() + LATEST + 3;
    lines.resize(lines.len().max(height), String::new());
    lines
}

fn live_row(plan: &ClientPlan, read: Option<&Read>, status: &Status, state: &str) -> Vec<Cell> {
    let blank = || "-".to_owned();
    let state = match state {
        "" => Cell::new("unsynced"),
        "synced" => Cell::new("synced").fg(Color::Green),
        other => Cell::new(other).fg(Color::Yellow),
    };
    let world = read.and_then(|read| read.world);
    let known = |text: String| if read.is_some() { text } else { blank() };
    vec![
        Cell::new(&plan.name).add_attribute(Attribute::Bold),
        Cell::new(format!("{:+.0}", plan.ppm)),
        Cell::new(plan.path),
        Cell::new(read.map_or_else(blank, |read| figure(read.error))).add_attribute(Attribute::Bold),
        Cell::new(read.map_or_else(blank, |read| promise(read.bound))),
        Cell::new(read.map_or_else(blank, |read| promise(read.expected))),
        Cell::new(world.map_or_else(blank, |world| figure(world.error))),
        Cell::new(world.map_or_else(blank, |world| promise(world.bound))),
        Cell::new(known(format!("{:.1}", status.round_trip_ms))),
        Cell::new(known(format!("{:+.1}", status.ppm))),
        state,
    ]
}

/// The figures in words and tables.
pub(crate) fn figures(summary: &Summary) -> String {
    let header = [
        "",
        "clock ppm",
        "path",
        "reads",
        "covered",
        "back",
        "p50",
        "p95",
        "p99",
        "max",
        "p99 calm",
        "bytes/s",
    ];
    let mut table = empty(&header);
    for client in &summary.clients {
        table.add_row(figure_row(client));
    }
    align(&mut table, &[0, 2]);
    let verdict = verdict_words(summary);
    format!(
        "{table}\n\nThe time of the server's world\n{}\n\n{}\n{verdict}\nErrors in ms, of all reads from second 5 on; \"calm\" leaves out the second \
         after each discontinuity\nthat a clock declared, for the world also pause and slow motion and the second after \
         them. Bytes are payload, both directions.",
        world_figures(summary),
        utc_figures(summary)
    )
}

/// Whether the promises were kept, in words.
pub(crate) fn verdict_words(summary: &Summary) -> String {
    let (reads, outside, backwards) = summary.totals();
    let (world_reads, world_outside, world_backwards) = summary.world_totals();
    let (utc_reads, utc_outside) = summary.utc_totals();
    match summary.verdict() {
        Verdict::Kept => {
            format!(
                "All {} reads of the server's time, {} of its world's and {} of its UTC were within their bounds; \
                 no clock went backwards.",
                HumanCount(reads),
                HumanCount(world_reads),
                HumanCount(utc_reads)
            )
        }
        Verdict::Broken => format!(
            "BROKEN: {outside} of {} reads were outside their bounds, {backwards} went backwards; of the world's \
             {world_outside} of {} and {world_backwards}; of the server's UTC {utc_outside} of {}.",
            HumanCount(reads),
            HumanCount(world_reads),
            HumanCount(utc_reads)
        ),
        Verdict::NeverSynced => "A client never synchronised; was the machine too busy to run it?".to_owned(),
    }
}

/// The server's UTC at the end, as each client showed it.
fn utc_figures(summary: &Summary) -> String {
    let shown = summary.clients.iter().map(|client| {
        let read = client.utc.map_or_else(|| "unknown".to_owned(), utc_words);
        format!("{}: {read}", client.name)
    });
    format!("The server's UTC at the end\n{}", shown.collect::<Vec<_>>().join("\n"))
}

fn utc_words(read: UtcStatus) -> String {
    let date = date(UtcTime::from_ticks(read.utc));
    if read.bound == i64::MAX { date } else { format!("{date} within {:.3} ms", ms(read.bound)) }
}

fn world_figures(summary: &Summary) -> Table {
    let header = [
        "",
        "reads",
        "covered",
        "back",
        "p50",
        "p99",
        "p99 paused",
        "p99 slow",
        "p99 calm",
        "bound",
        "unchanged",
        "bytes/s",
    ];
    let mut table = empty(&header);
    for client in &summary.clients {
        let (world, tally) = (&client.world, &client.tally);
        let error =
            |errors: Option<Errors>, pick: fn(&Errors) -> f64| Cell::new(optional(errors.map(|e| pick(&e))));
        table.add_row(vec![
            Cell::new(&client.name).add_attribute(Attribute::Bold),
            Cell::new(tally.world_judged),
            broken(percent(world.coverage_percent), tally.world_outside > 0),
            broken(tally.world_backwards.to_string(), tally.world_backwards > 0),
            error(world.error_ms, |errors| errors.p50),
            error(world.error_ms, |errors| errors.p99),
            error(world.error_ms_paused, |errors| errors.p99),
            error(world.error_ms_slow, |errors| errors.p99),
            error(world.error_ms_calm, |errors| errors.p99).add_attribute(Attribute::Bold),
            Cell::new(optional(world.bound_ms)),
            Cell::new(optional(world.bound_if_unchanged_ms)),
            Cell::new(format!("{:.0}", world.bytes_per_second)),
        ]);
    }
    align(&mut table, &[0]);
    table
}

/// A number of ms, or "-".
pub(crate) fn optional(ms: Option<f64>) -> String {
    ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.3}"))
}

fn broken(text: String, broken: bool) -> Cell {
    let cell = Cell::new(text);
    if broken { cell.fg(Color::Red).add_attribute(Attribute::Bold) } else { cell }
}

fn figure_row(client: &ClientSummary) -> Vec<Cell> {
    let error = |errors: Option<Errors>, pick: fn(&Errors) -> f64| {
        Cell::new(optional(errors.map(|errors| pick(&errors))))
    };
    vec![
        Cell::new(&client.name).add_attribute(Attribute::Bold),
        Cell::new(format!("{:+.0}", client.crystal_ppm)),
        Cell::new(client.path),
        Cell::new(client.tally.judged),
        broken(percent(client.coverage_percent), client.tally.outside > 0),
        broken(client.tally.backwards.to_string(), client.tally.backwards > 0),
        error(client.error_ms, |errors| errors.p50),
        error(client.error_ms, |errors| errors.p95),
        error(client.error_ms, |errors| errors.p99).add_attribute(Attribute::Bold),
        error(client.error_ms, |errors| errors.max),
        error(client.error_ms_apart_from_resync, |errors| errors.p99),
        Cell::new(format!("{:.0}", client.bytes_per_second)),
    ]
}

/// A share in %, rounded down, so that only a full share shows 100 %.
pub(crate) fn percent(share: f64) -> String {
    if share >= 100.0 { "100 %".to_owned() } else { format!("{:.2} %", (share * 100.0).floor() / 100.0) }
}

/// An error in ms, with its sign.
pub(crate) fn figure(ticks: i64) -> String {
    format!("{:+.3}", ms(ticks))
}

/// Ticks in ms.
fn ms(ticks: i64) -> f64 {
    Span::from_ticks(ticks).as_millis_f64()
}

/// Ticks in ms; "none" if nothing is promised.
pub(crate) fn promise(ticks: i64) -> String {
    if ticks == i64::MAX { "none".to_owned() } else { format!("{:.3}", ms(ticks)) }
}

fn empty(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(header.iter().map(|text| Cell::new(text).add_attribute(Attribute::Bold)));
    if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        table.force_no_tty();
    }
    table
}

fn align(table: &mut Table, left: &[usize]) {
    for column in table.column_iter_mut().filter(|column| !left.contains(&column.index)) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}
