//! The live page of a demo.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Result;
use netclock::Span;

use super::figures::{headline_words, large, rival_words, verdict_words};
use super::plan::{Action, DemoPlan, LINK_WORDS};
use super::record::{Happening, Record, What};
use super::summary::{Compared, Summary, Verdict};
use crate::baseline::RIVALS;
use crate::live::hub::Hub;
use crate::live::server::Live;
use crate::live::show::{self, Act};
use crate::net::clock::{self, MachineTime};
use crate::net::script::Kind;
use crate::net::sync::events;
use crate::report::page::chart::{Chart, Ink, Shape};
use crate::report::page::{Block, Button, Controls, Finding, Headline, Page, Part, Weight};

/// The buttons for a client.
const OF_CLIENT: [(&str, &str); 4] = [
    ("stall", "Stop for 2.5 s"),
    ("route", "Route 40 ms longer"),
    ("loss", "Lose half"),
    ("mend", "Mend the path"),
];
/// The buttons for the server.
const OF_SERVER: [(&str, &str); 3] =
    [("restart", "Restart the server"), ("pause", "Pause the world"), ("slow", "Slow motion")];
/// Time between headline updates.
const HEADLINE_EVERY: Span = Span::from_millis(250);
/// The colours of the clocks: the rivals', then NetClock's.
pub(crate) const INKS: [Ink; 3] = [Ink::Second, Ink::Other, Ink::Main];

/// A demo's live page.
pub(crate) struct Broadcast {
    live: Live,
    /// Number of reads outside their bounds already shown, by client.
    outside: Vec<u64>,
    /// Number of points already shown, by client.
    drawn: Vec<usize>,
    /// When the next headline is due.
    next_headline: MachineTime,
}

impl Broadcast {
    /// Serves a demo's page.
    pub(crate) fn start(address: SocketAddr, plan: &DemoPlan) -> Result<Self> {
        let page = page(plan);
        let acts = page.parts.iter().flat_map(|part| &part.blocks).filter_map(|block| match block {
            Block::Controls(controls) => Some(controls),
            _ => None,
        });
        let acts = acts.flat_map(|controls| {
            controls.buttons.iter().map(|button| Act { act: button.act.to_owned(), row: controls.row })
        });
        let hub = Arc::new(Hub::new(getrandom::u64()?, plan.clients.len()));
        let live = Live::start(address, page.live_html()?, hub, acts.collect())?;
        let (outside, drawn) = (vec![0; plan.clients.len()], vec![0; plan.clients.len()]);
        Ok(Broadcast { live, outside, drawn, next_headline: clock::now() })
    }

    /// A sentence with the page's address.
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
            What::Incident(label, words) => (Weight::Note, *label, words),
            // A chart of the server's time has no marks for the server's world.
            What::Said(_, words) => (Weight::Note, "", words),
            What::Declared(described) => (events::weight(described), &*described.event, &described.meaning),
        };
        let at = happening.at.as_secs_f64();
        let shown = show::Happening::new(at, happening.client, weight, label, text.clone());
        let is_told = !matches!(happening.what, What::Declared(_));
        self.live.hub.happened(show::Happening { is_told, ..shown });
    }

    /// A client reported reads, which are in the record already.
    pub(crate) fn reads(&mut self, client: usize, record: &Record) {
        let Some(of) = record.clients.get(client) else { return };
        let at_now = seconds(record, clock::now().ticks());
        let drawn = std::mem::replace(&mut self.drawn[client], of.reads.points.len());
        self.live.hub.points(at_now, client, &of.reads.points[drawn..]);
        if clock::now() >= self.next_headline {
            self.next_headline = clock::now() + HEADLINE_EVERY;
            let headline = |at: usize| {
                let compared = Compared::of(&record.clients[at].same);
                let figures = compared.figures().map(|(_, ms)| large(ms)).into_iter();
                figures.chain([headline_words(&compared, record, Some(at))]).collect()
            };
            self.live.hub.headlines((0..record.clients.len()).map(headline).collect());
        }
        let outside = of.accounts.time.outside + of.accounts.world.outside;
        if outside > std::mem::replace(&mut self.outside[client], outside) {
            let text = format!("{outside} reads were outside their bounds so far");
            let fault = show::Happening::new(at_now, Some(client), Weight::Fault, "outside", text);
            self.live.hub.happened(fault);
        }
    }

    /// The next button pressed by a viewer, if any.
    pub(crate) fn wish(&self) -> Option<Action> {
        let Act { act, row } = self.live.pressed()?;
        match (act.as_str(), row) {
            ("restart", None) => Some(Action::Restart),
            ("pause", None) => Some(Action::World(Kind::Pause)),
            ("slow", None) => Some(Action::World(Kind::Slow)),
            ("stall", Some(client)) => Some(Action::Stall(client)),
            ("route", Some(client)) => Some(Action::Shift(client)),
            ("loss", Some(client)) => Some(Action::Lose(client)),
            ("mend", Some(client)) => Some(Action::Mend(client)),
            _ => None,
        }
    }

    /// Publishes how the demo ended, and disconnects the browsers.
    pub(crate) fn end(self, summary: &Summary) {
        let weight = if summary.verdict() == Verdict::Kept { Weight::Fine } else { Weight::Fault };
        self.live.hub.end(Finding::new(weight, verdict_words(summary), None));
    }
}

fn seconds(record: &Record, ticks: i64) -> f64 {
    record.since_start(ticks).as_secs_f64()
}

fn page(plan: &DemoPlan) -> Page {
    let buttons = |list: &[(&'static str, &str)]| -> Vec<Button> {
        list.iter().map(|&(act, label)| Button { act, label: label.to_owned() }).collect()
    };
    let of_server = Controls { label: "The server:".to_owned(), row: None, buttons: buttons(&OF_SERVER) };
    let [(engine, _), (best, _)] = RIVALS;
    let figures = [engine, best, "NetClock"].into_iter().zip(INKS);
    let figures = figures.map(|(name, ink)| (name, ink, large(None))).collect();
    let mut blocks = vec![Block::Headline(Headline { figures, words: String::new() })];
    for (row, client) in plan.clients.iter().enumerate() {
        let name = format!("Client {}", client.name);
        let mut chart = Chart::over_time(&format!("client_{row}"), &name, "ms");
        chart.words = format!(
            "{}, clock {:+.0} ppm. Shown minus true time; large errors are drawn closer together.",
            client.path, client.ppm
        );
        chart.is_bent = true;
        chart.add_live(&[
            ("NetClock's bound", Ink::Bound, Shape::Band),
            (engine, INKS[0], Shape::Line),
            (best, INKS[1], Shape::Line),
            ("NetClock", INKS[2], Shape::Line),
        ]);
        let controls = Controls { label: format!("{name}:"), row: Some(row), buttons: buttons(&OF_CLIENT) };
        blocks.extend([
            Block::Tab(Some(name)),
            Block::Chart(chart),
            Block::Controls(controls),
            Block::Tab(None),
        ]);
    }
    blocks.extend([
        Block::Controls(of_server),
        Block::Happenings("What happens".to_owned()),
        Block::Text(format!("Demo link: {LINK_WORDS}. {}", rival_words(plan))),
    ]);
    Page {
        title: "NetClock demo, live".to_owned(),
        lead: "Press a button and watch the clocks.".to_owned(),
        overview: None,
        parts: vec![Part { title: String::new(), blocks }],
    }
}
