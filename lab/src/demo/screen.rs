//! A demo's terminal output: a line for each action, and the figures at the end.

use super::figures::{comparison, headline, headline_words, rival_words, verdict_words};
use super::plan::{DemoPlan, LINK_WORDS};
use super::record::{Happening, Record, What};
use super::summary::Summary;

pub(crate) struct Screen {
    /// True for `--runs`, where the progress of each run is not shown.
    pub(crate) is_silent: bool,
}

impl Screen {
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
                "Busy uplink: also limited to 2 Mbit/s to the server, of which other uploads use 70 %.",
            );
        }
        self.line("");
    }

    /// Prints incidents and messages. The clocks' own events are in the report.
    pub(crate) fn happened(&self, happening: &Happening, plan: &DemoPlan) {
        if let What::Incident(_, words) | What::Message(_, words) = &happening.what {
            self.line(&format!("{:6.2} s  {:>3}  {words}", happening.at.as_secs_f64(), happening.who(plan)));
        }
    }

    pub(crate) fn line(&self, text: &str) {
        if !self.is_silent {
            eprintln!("{text}");
        }
    }
}

/// Formats the figures. The table comes first, so that the headline stays visible above the prompt.
pub(crate) fn figures(summary: &Summary, record: &Record) -> String {
    let clients = summary.clients.iter().map(|client| (&*client.name, client.since_incident));
    format!(
        "{}\n\n{}\n{}\n{}\n{}",
        comparison(clients).text(),
        headline(&summary.headline),
        headline_words(&summary.headline, record, None),
        verdict_words(summary),
        rival_words(&record.plan)
    )
}
