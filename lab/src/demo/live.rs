//! Shows a demo live in browsers and passes button presses on to it.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Result;
use netclock::Span;

use super::page::{self, CLIENT_BUTTONS, SERVER_BUTTONS};
use super::plan::{Action, DemoPlan};
use super::record::{Happening, Record, What};
use super::words::{headline_words, large};
use crate::live::hub::Hub;
use crate::live::server::Live;
use crate::live::show::{self, Act};
use crate::net::clock::{self, MachineTime};
use crate::net::script::Kind;
use crate::net::sync::events;
use crate::report::page::Weight;

const HEADLINE_EVERY: Span = Span::from_millis(250);

pub(super) struct Broadcast {
    live: Live,
    outside: Vec<u64>,
    drawn: Vec<usize>,
    shown: usize,
    next_headline: MachineTime,
}

impl Broadcast {
    pub(super) fn start(address: SocketAddr, plan: &DemoPlan) -> Result<Self> {
        let clients = plan.clients.len();
        let act = |act: &str, row| Act { act: act.to_owned(), row };
        let of_client = |row| CLIENT_BUTTONS.into_iter().map(move |(name, _)| act(name, Some(row)));
        let of_server = SERVER_BUTTONS.into_iter().map(|(name, _)| act(name, None));
        let acts = (0..clients).flat_map(of_client).chain(of_server).collect();
        let hub = Arc::new(Hub::new(getrandom::u64()?, clients));
        let live = Live::start(address, page::live(plan).live_html()?, hub, acts)?;
        let (outside, drawn) = (vec![0; clients], vec![0; clients]);
        Ok(Broadcast { live, outside, drawn, shown: 0, next_headline: clock::now() })
    }

    pub(super) fn words(&self) -> String {
        let warning = if self.live.is_public() {
            "\nAnyone who can reach this address can watch and use the buttons."
        } else {
            ""
        };
        format!("Live page: {}{warning}\n", self.live.url())
    }

    pub(super) fn update(&mut self, record: &Record) {
        let hub = &self.live.hub;
        let seen = self.shown.saturating_sub(record.dropped);
        record.happenings.iter().skip(seen).for_each(|happening| hub.happened(shown(happening)));
        self.shown = record.dropped + record.happenings.len();
        let now = clock::now();
        let at_now = (now - record.start).as_secs_f64();
        for (client, of) in record.clients.iter().enumerate() {
            let drawn = std::mem::replace(&mut self.drawn[client], of.points.len());
            if drawn < of.points.len() {
                hub.points(at_now, client, &of.points[drawn..]);
            }
            let outside = of.accounts.time.outside + of.accounts.world.outside;
            if outside > std::mem::replace(&mut self.outside[client], outside) {
                let text = format!("so far, {outside} reads were outside their bounds");
                hub.happened(show::Happening::new(at_now, Some(client), Weight::Fault, "outside", text));
            }
        }
        if now >= self.next_headline {
            self.next_headline = now + HEADLINE_EVERY;
            let headline = |at: usize| {
                let compared = record.clients[at].compared();
                let figures = compared.figures().map(|(_, ms)| large(ms)).into_iter();
                figures.chain([headline_words(&compared, record, Some(at))]).collect()
            };
            hub.headlines((0..record.clients.len()).map(headline).collect());
        }
    }

    pub(super) fn requested_action(&self) -> Option<Action> {
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

    pub(super) fn end(mut self, record: &Record) {
        self.update(record);
        self.live.hub.end(page::verdict(record));
    }
}

fn shown(happening: &Happening) -> show::Happening {
    let (weight, label, text) = match &happening.what {
        What::Incident(label, words) => (Weight::Note, *label, words),
        What::Message(_, words) => (Weight::Note, "", words),
        What::ClockEvent(described) => (events::weight(described), &*described.event, &described.meaning),
    };
    let at = happening.at.as_secs_f64();
    let shown = show::Happening::new(at, happening.client, weight, label, text.clone());
    show::Happening { is_told: !matches!(happening.what, What::ClockEvent(_)), ..shown }
}
