//! Who watches a demo: the terminal, and the live page's browsers.

use super::broadcast::Broadcast;
use super::plan::{Action, Plan};
use super::protocol::Report;
use super::record::{Happening, Record, What};
use super::screen::Screen;
use super::summary::Summary;
use super::why;
use crate::net::clock::MachineTime;

/// The terminal, and the live page if there is one.
pub(crate) struct Audience {
    screen: Screen,
    live: Option<Broadcast>,
}

impl Audience {
    pub(crate) fn new(screen: Screen, live: Option<Broadcast>) -> Self {
        Audience { screen, live }
    }

    /// The demo begins.
    pub(crate) fn start(&self, plan: &Plan) {
        self.screen.start(plan);
        if let Some(live) = &self.live {
            self.screen.line(&live.words());
        }
    }

    /// Something happened: shows it, and adds it to the record.
    pub(crate) fn note(&mut self, record: &mut Record, happening: Happening) {
        self.screen.happened(&happening, &record.plan);
        if let Some(live) = &self.live {
            live.happened(&happening);
        }
        record.note(happening);
    }

    /// A client reported something: shows it, and adds it to the record.
    pub(crate) fn hear(&mut self, index: usize, report: Report, record: &mut Record) {
        match report {
            Report::Event { at, described } => {
                let at = record.since_start(at);
                self.note(record, Happening { at, client: Some(index), what: What::Declared(described) });
            }
            Report::Beat { clock, at, number } => {
                self.beat(Some((index, clock)), MachineTime::from_ticks(at), number, record);
            }
            Report::Reads { reads, tally, status, traffic, news } => {
                record.add(index, &reads);
                let Some(client) = record.clients.get_mut(index) else { return };
                (client.tally, client.status) = (*tally, status);
                (client.traffic, client.news) = (traffic, news);
                let unexplained = client.reads.take_unexplained();
                if let Some(live) = &mut self.live {
                    live.reads(index, &reads, record);
                }
                if let Some(read) = unexplained {
                    let what = What::Said("off", why::words(&read, record, index));
                    let at = record.since_start(read.at);
                    self.note(record, Happening { at, client: Some(index), what });
                }
            }
            Report::End => {
                if let Some(client) = record.clients.get_mut(index) {
                    client.ended = true;
                }
            }
        }
    }

    /// Time passes.
    pub(crate) fn refresh(&mut self, record: &Record) {
        self.screen.refresh(record);
    }

    /// A clock of a client passed a beat: its own is 0, then its rivals. None: the server's did.
    pub(crate) fn beat(&self, of: Option<(usize, usize)>, at: MachineTime, number: i64, record: &Record) {
        if let Some(live) = &self.live {
            live.beat(of, at, number, record);
        }
    }

    /// What somebody who watches wants to happen now.
    pub(crate) fn wish(&self) -> Option<Action> {
        self.live.as_ref().and_then(Broadcast::wish)
    }

    /// The demo is over.
    pub(crate) fn end(&mut self, record: &Record) {
        self.screen.end(record);
    }

    /// The figures are known.
    pub(crate) fn judge(&mut self, summary: &Summary) {
        if let Some(live) = self.live.take() {
            live.end(summary);
        }
    }
}
