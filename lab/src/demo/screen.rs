//! A demo's output: a live table on a terminal, otherwise a line per event, and the figures at the end.

use console::Term;
use netclock::Span;

use super::figures::{comparison, headline, headline_words, rival_words, tables, utc_words, verdict_words};
use super::plan::{DemoPlan, LINK_WORDS};
use super::record::{Happening, Record, What};
use super::summary::{Compared, Summary};
use crate::net::clock::{self, MachineTime};

/// Time between two drawings of the table.
const REDRAW_EVERY: Span = Span::from_millis(200);
/// Number of events under the table.
const LATEST: usize = 9;
/// Length of the progress bar (characters).
const BAR: usize = 40;

/// Shows the progress.
pub(crate) struct Screen {
    /// `None` if this is one of many runs. Then nothing is shown.
    term: Option<Term>,
    live: bool,
    is_verbose: bool,
    drawn: usize,
    last: Option<MachineTime>,
}

impl Screen {
    /// Shows progress on standard error, as a live table if that is a terminal and `live` is set.
    ///
    /// If verbose, it also shows the clocks' events and more details of their state.
    pub(crate) fn new(live: bool, is_verbose: bool) -> Self {
        let term = Term::stderr();
        let live = live && term.is_term();
        Screen { term: Some(term), live, is_verbose, drawn: 0, last: None }
    }

    /// Shows nothing.
    pub(crate) fn none() -> Self {
        Screen { term: None, live: false, is_verbose: false, drawn: 0, last: None }
    }

    /// Prints what the demo will do.
    pub(crate) fn start(&self, plan: &DemoPlan) {
        self.line(&format!(
            "One server and {} clients for {} s on this machine (seed {}).",
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
    pub(crate) fn happened(&mut self, happening: &Happening, plan: &DemoPlan) {
        if !self.live && self.tells(happening) {
            self.line(&happening.line(plan));
        }
    }

    fn tells(&self, happening: &Happening) -> bool {
        self.is_verbose || !matches!(happening.what, What::Declared(_))
    }

    /// Redraws the table, if that is due.
    pub(crate) fn refresh(&mut self, record: &Record) {
        let now = clock::now();
        let Some(term) = self.term.as_ref().filter(|_| self.live) else { return };
        if self.last.is_some_and(|last| now - last < REDRAW_EVERY) {
            return;
        }
        self.last = Some(now);
        let lines = self.live_lines(record, now - record.start);
        let width = usize::from(term.size().1);
        let shown: Vec<String> =
            lines.iter().map(|line| console::truncate_str(line, width, "…").into_owned()).collect();
        // If the terminal is gone, the demo continues without it.
        let _ = term.clear_last_lines(self.drawn);
        let _ = term.write_line(&shown.join("\n"));
        self.drawn = shown.len();
    }

    /// Replaces the table with the list of all events.
    pub(crate) fn end(&mut self, record: &Record) {
        if let Some(term) = self.term.as_ref().filter(|_| self.live) {
            let _ = term.clear_last_lines(self.drawn);
            self.drawn = 0;
            for happening in record.happenings.iter().filter(|it| self.tells(it)) {
                self.line(&happening.line(&record.plan));
            }
        }
    }

    fn live_lines(&self, record: &Record, age: Span) -> Vec<String> {
        let done = (age.as_secs_f64() / f64::from(record.plan.seconds)).clamp(0.0, 1.0);
        let filled = (done * BAR as f64) as usize;
        let bar = format!("{}{}", "━".repeat(filled), "─".repeat(BAR - filled));
        let all = Compared::worst(record.clients.iter().map(|client| Compared::of(&client.same)));
        let mut lines = vec![
            format!("{bar} {:.1} of {} s", age.as_secs_f64(), record.plan.seconds),
            headline(&all),
            headline_words(&all, record, None),
        ];
        let clients = record.plan.clients.iter().zip(&record.clients);
        let compared = clients.map(|(plan, client)| (&*plan.name, Compared::of(&client.same)));
        lines.extend(comparison(compared).text().lines().map(str::to_owned));
        lines.push(String::new());
        let height = lines.len() + LATEST;
        let told: Vec<&Happening> = record.happenings.iter().filter(|it| self.tells(it)).collect();
        lines.extend(told.iter().skip(told.len().saturating_sub(LATEST)).map(|happening| {
            let line = happening.line(&record.plan);
            match happening.what {
                What::Incident(..) => console::style(line).for_stderr().yellow().to_string(),
                _ => line,
            }
        }));
        // The height is constant, so that the table does not move.
        lines.resize(height, String::new());
        lines
    }

    /// Prints a line.
    pub(crate) fn line(&self, text: &str) {
        let _ = self.term.as_ref().map(|term| term.write_line(text));
    }
}

/// The figures as sentences and tables. The headline comes last, next to the terminal's prompt.
pub(crate) fn figures(summary: &Summary, record: &Record, is_verbose: bool) -> String {
    let clients = summary.clients.iter().map(|client| (&*client.name, client.since_incident));
    let mut text = String::new();
    if is_verbose {
        let utc = summary.clients.iter().map(|client| {
            let read = client.utc.map_or_else(|| "unknown".to_owned(), utc_words);
            format!("{}: {read}\n", client.name)
        });
        let tables = tables(summary).map(|table| format!("{}\n{}\n\n", table.caption, table.text()));
        text = format!("{}The server's UTC at the end\n{}\n", tables.concat(), utc.collect::<String>());
    }
    format!(
        "{text}{}\n\n{}\n{}\n{}\n{}",
        comparison(clients).text(),
        headline(&summary.headline),
        headline_words(&summary.headline, record, None),
        verdict_words(summary),
        rival_words(&record.plan)
    )
}
