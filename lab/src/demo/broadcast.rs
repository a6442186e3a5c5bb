//! The live page of a demo.

use std::sync::Arc;

use anyhow::Result;

use super::figures::{NOW, now, verdict_words};
use super::plan::{Action, LINK_WORDS, Plan};
use super::protocol::Read;
use super::record::{Happening, Record, What};
use super::summary::{Summary, Verdict};
use crate::game::script::Kind;
use crate::live::address::LiveAddress;
use crate::live::hub::Hub;
use crate::live::server::Live;
use crate::live::show::{self, Act};
use crate::net::clock::{self, MachineTime};
use crate::net::sync::events;
use crate::report::page::chart::Chart;
use crate::report::page::{Block, Button, Controls, Finding, Page, Part, Rows, Weight};

/// The buttons of a client.
const OF_CLIENT: [(&str, &str); 4] = [
    ("stall", "Stop for 2.5 s"),
    ("route", "Route 40 ms longer, one way"),
    ("loss", "Lose half of everything"),
    ("mend", "Mend the path"),
];
/// The buttons of the server.
const OF_SERVER: [(&str, &str); 3] = [
    ("restart", "Restart the server"),
    ("pause", "Pause its world for 3 s"),
    ("slow", "Slow motion for 4 s"),
];
/// A longer gap between points interrupts the lines (s).
const GAP_S: f64 = 0.5;
/// Points keep this many digits after the point: 10 ns in ms.
const DECIMALS: f64 = 1e5;

/// A demo's live page.
pub(crate) struct Broadcast {
    live: Live,
    /// Reads outside their bounds that were shown already, by client.
    outside: Vec<u64>,
    /// When the last point was, by client (s).
    last: Vec<f64>,
}

impl Broadcast {
    /// Serves the page of a demo.
    ///
    /// # Errors
    /// The address cannot be used.
    pub(crate) fn start(address: LiveAddress, plan: &Plan) -> Result<Self> {
        let page = page(plan);
        let acts = page.parts.iter().flat_map(|part| &part.blocks).filter_map(|block| match block {
            Block::Controls(controls) => Some(controls),
            _ => None,
        });
        let acts = acts.flat_map(|controls| {
            controls.buttons.iter().map(|button| Act { act: button.act.to_owned(), row: controls.row })
        });
        let hub = Arc::new(Hub::new(getrandom::u64()?, plan.clients.len() + 1));
        let live = Live::start(address.0, page.live_html()?, hub, acts.collect())?;
        Ok(Broadcast { live, outside: vec![0; plan.clients.len()], last: vec![0.0; plan.clients.len()] })
    }

    /// Where it is, in words.
    pub(crate) fn words(&self) -> String {
        let warning = if self.live.is_public() {
            "\nEverybody who reaches this address can watch, and press the buttons."
        } else {
            ""
        };
        format!("Live page: {}{warning}\n", self.live.url())
    }

    pub(crate) fn happened(&self, happening: &Happening) {
        let (weight, label, text) = match &happening.what {
            What::Done(label, words) => (Weight::Note, *label, words),
            What::Declared(described) => (events::weight(described), &*described.event, &described.meaning),
        };
        let at = happening.at.as_secs_f64();
        self.live.hub().happened(show::Happening::new(at, happening.client, weight, label, text.clone()));
    }

    /// A client reported reads.
    pub(crate) fn reads(&mut self, client: usize, reads: &[Read], record: &Record) {
        let Some(of) = record.clients.get(client) else { return };
        let at_now = seconds(record, clock::now().ticks());
        let worst = reads.iter().max_by_key(|read| read.error.unsigned_abs());
        let mut points = Vec::with_capacity(2);
        if let (Some(worst), Some(last)) = (worst, self.last.get_mut(client)) {
            let at = (seconds(record, worst.at) * DECIMALS).round() / DECIMALS;
            if at - *last > GAP_S {
                points.push(((at - 0.001), None, None, None));
            }
            *last = at;
            points.push((at, rounded(worst.error), rounded(worst.bound), rounded(worst.expected)));
        }
        let cells = now(worst.or(of.reads.latest()), &of.status, &of.status.state, &of.tally);
        self.live.hub().points(at_now, client, &points, cells);
        let Some(shown) = self.outside.get_mut(client) else { return };
        let outside = of.tally.outside + of.tally.world_outside;
        if outside > *shown {
            let text = format!("{outside} reads were outside their bounds so far");
            *shown = outside;
            self.live.hub().happened(show::Happening::new(
                at_now,
                Some(client),
                Weight::Fault,
                "outside",
                text,
            ));
        }
    }

    pub(crate) fn beat(&self, client: Option<usize>, at: MachineTime, number: i64, record: &Record) {
        let now = seconds(record, clock::now().ticks());
        let row = client.unwrap_or(record.clients.len());
        self.live.hub().beat(now, row, seconds(record, at.ticks()), number);
    }

    /// What somebody pressed, if anybody did.
    pub(crate) fn wish(&self) -> Option<Action> {
        let Act { act, row } = self.live.pressed()?;
        match (act.as_str(), row) {
            ("restart", None) => Some(Action::Restart),
            ("pause", None) => Some(Action::World(Kind::Pause)),
            ("slow", None) => Some(Action::World(Kind::Slow)),
            ("stall", Some(client)) => Some(Action::Stop(client)),
            ("route", Some(client)) => Some(Action::Shift(client)),
            ("loss", Some(client)) => Some(Action::Lose(client)),
            ("mend", Some(client)) => Some(Action::Mend(client)),
            _ => None,
        }
    }

    /// Says how the demo ended, and lets the browsers go.
    pub(crate) fn end(self, summary: &Summary) {
        let weight = if summary.verdict() == Verdict::Kept { Weight::Fine } else { Weight::Fault };
        self.live.hub().end(Finding::new(weight, verdict_words(summary), None));
    }
}

fn seconds(record: &Record, ticks: i64) -> f64 {
    record.since_start(ticks).as_secs_f64()
}

/// Ticks in ms; none if nothing is promised.
fn rounded(ticks: i64) -> Option<f64> {
    let ms = netclock::Span::from_ticks(ticks).as_millis_f64();
    (ticks != i64::MAX).then(|| (ms * DECIMALS).round() / DECIMALS)
}

fn page(plan: &Plan) -> Page {
    let mut names: Vec<String> =
        plan.clients.iter().map(|client| format!("client {}", client.name)).collect();
    names.push("server (the truth)".to_owned());
    let buttons = |list: &[(&'static str, &str)]| -> Vec<Button> {
        list.iter().map(|&(act, label)| Button { act, label: label.to_owned() }).collect()
    };
    let of_server = Controls { label: "The server:".to_owned(), row: None, buttons: buttons(&OF_SERVER) };
    let current = vec![
        Block::Text(
            "A lamp lights up when the clock of its row shows a full second of the server's time. They \
             should light up together; all of them do so 0.15 s late, so that the news are here in time."
                .to_owned(),
        ),
        Block::Rows(Rows {
            caption: "Each clock now, times in ms. Error: shown minus true server time, \
                      and world time"
                .to_owned(),
            header: NOW.split(" | ").map(str::to_owned).collect(),
            names,
        }),
        Block::Controls(of_server),
        Block::Happenings("What happens".to_owned()),
    ];
    let mut clients = Vec::new();
    for (row, client) in plan.clients.iter().enumerate() {
        let name = format!("Client {}: clock {:+.0} ppm, {}", client.name, client.ppm, client.path);
        let mut chart = Chart::over_time(&format!("client_{row}"), &name, "ms");
        chart.words =
            "Shown minus true server time in the last minute: the largest error of each tenth of a \
                       second. The inner band is twice the expected error, the outer one the bound."
                .to_owned();
        chart.add_live(true);
        clients.push(Block::Chart(chart));
        let label = format!("Client {}:", client.name);
        clients.push(Block::Controls(Controls { label, row: Some(row), buttons: buttons(&OF_CLIENT) }));
    }
    Page {
        title: "NetClock demo, live".to_owned(),
        lead: format!(
            "One server and {} clients run on one machine, each with its own clock, over bad networks: \
             {LINK_WORDS}. The machine's monotonic clock is the truth. Press the buttons and watch what \
             becomes of the clocks.",
            plan.clients.len()
        ),
        overview: None,
        parts: vec![
            Part { title: "Now".to_owned(), blocks: current },
            Part { title: "The clients".to_owned(), blocks: clients },
        ],
    }
}
