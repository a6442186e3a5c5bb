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

const CLIENT_BUTTONS: [(&str, &str); 4] = [
    ("stall", "Stop for 2.5 s"),
    ("route", "Make the route 40 ms longer"),
    ("loss", "Lose half of the datagrams"),
    ("mend", "Restore the path"),
];
const SERVER_BUTTONS: [(&str, &str); 3] =
    [("restart", "Restart the server"), ("pause", "Pause the world"), ("slow", "Slow motion")];
const HEADLINE_EVERY: Span = Span::from_millis(250);
/// The rivals' colours, followed by NetClock's.
pub(crate) const INKS: [Ink; 3] = [Ink::Second, Ink::Other, Ink::Main];

pub(crate) struct Broadcast {
    live: Live,
    /// How many reads outside their bounds have been reported, per client.
    outside: Vec<u64>,
    /// How many points have been drawn, per client.
    drawn: Vec<usize>,
    next_headline: MachineTime,
}

impl Broadcast {
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

    pub(crate) fn words(&self) -> String {
        let warning = if self.live.is_public() {
            "\nAnyone who can reach this address can watch and use the buttons."
        } else {
            ""
        };
        format!("Live page: {}{warning}\n", self.live.url())
    }

    pub(crate) fn happened(&self, happening: &Happening) {
        let (weight, label, text) = match &happening.what {
            What::Incident(label, words) => (Weight::Note, *label, words),
            // The charts show the server's time, so they do not mark the world's events.
            What::Message(_, words) => (Weight::Note, "", words),
            What::ClockEvent(described) => (events::weight(described), &*described.event, &described.meaning),
        };
        let at = happening.at.as_secs_f64();
        let shown = show::Happening::new(at, happening.client, weight, label, text.clone());
        let is_told = !matches!(happening.what, What::ClockEvent(_));
        self.live.hub.happened(show::Happening { is_told, ..shown });
    }

    /// Shows a client's newest reads, which are already in the record.
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
            let text = format!("so far, {outside} reads were outside their bounds");
            let fault = show::Happening::new(at_now, Some(client), Weight::Fault, "outside", text);
            self.live.hub.happened(fault);
        }
    }

    pub(crate) fn requested_action(&self) -> Option<Action> {
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

    /// Shows the demo's result and disconnects the browsers.
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
    let server_controls =
        Controls { label: "The server:".to_owned(), row: None, buttons: buttons(&SERVER_BUTTONS) };
    let [(engine, _), (best, _)] = RIVALS;
    let figures = [engine, best, "NetClock"].into_iter().zip(INKS);
    let figures = figures.map(|(name, ink)| (name, ink, large(None))).collect();
    let mut blocks = vec![Block::Headline(Headline { figures, words: String::new() })];
    for (row, client) in plan.clients.iter().enumerate() {
        let name = format!("Client {}", client.name);
        let mut chart = Chart::over_time(&format!("client_{row}"), &name, "ms");
        chart.words = format!(
            "{}, clock {:+.0} ppm. Shown minus true time, on a scale that compresses large errors.",
            client.path, client.ppm
        );
        chart.is_bent = true;
        chart.add_live(&[
            ("NetClock's bound", Ink::Bound, Shape::Band),
            (engine, INKS[0], Shape::Line),
            (best, INKS[1], Shape::Line),
            ("NetClock", INKS[2], Shape::Line),
        ]);
        let controls =
            Controls { label: format!("{name}:"), row: Some(row), buttons: buttons(&CLIENT_BUTTONS) };
        blocks.extend([
            Block::Tab(Some(name)),
            Block::Chart(chart),
            Block::Controls(controls),
            Block::Tab(None),
        ]);
    }
    blocks.extend([
        Block::Controls(server_controls),
        Block::Happenings("Events".to_owned()),
        Block::Text(format!("Demo link: {LINK_WORDS}. {}", rival_words(plan))),
    ]);
    Page {
        title: "NetClock demo, live".to_owned(),
        lead: "Press a button and watch the clocks.".to_owned(),
        overview: None,
        parts: vec![Part { title: String::new(), blocks }],
    }
}
