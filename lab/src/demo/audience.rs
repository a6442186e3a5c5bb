//! Those who watch a demo: the terminal, the live page's browsers, and later readers of its record.

use netclock::Span;

use super::broadcast::Broadcast;
use super::protocol::Report;
use super::record::{Happening, Record, What};
use super::screen::Screen;
use super::why;
use crate::net::clock::MachineTime;

/// The terminal, the live page if there is one, and the record.
pub(crate) struct Audience {
    pub(super) screen: Screen,
    pub(super) live: Option<Broadcast>,
    pub(super) record: Record,
}

impl Audience {
    /// Shows an event, and adds it to the record.
    pub(crate) fn note(&mut self, at: Span, client: Option<usize>, what: What) {
        let happening = Happening { at, client, what };
        self.screen.happened(&happening, &self.record.plan);
        if let Some(live) = &self.live {
            live.happened(&happening);
        }
        self.record.note(happening);
    }

    /// Shows a client's report, and adds it to the record.
    pub(crate) fn hear(&mut self, index: usize, report: Report) {
        let record = &mut self.record;
        match report {
            Report::Event { at, described } => {
                let at = record.since_start(at);
                self.note(at, Some(index), What::Declared(described));
            }
            Report::Beat { clock, at, number } => {
                self.beat(Some((index, clock)), MachineTime::from_ticks(at), number);
            }
            Report::Reads { reads, tally, status, traffic } => {
                record.add(index, &reads);
                let Some(client) = record.clients.get_mut(index) else { return };
                (client.tally, client.status) = (*tally, status);
                client.traffic = traffic;
                let unexplained = client.reads.take_unexplained();
                if let Some(live) = &mut self.live {
                    live.reads(index, record);
                }
                if let Some(read) = unexplained {
                    let what = What::Said("off", why::words(&read, record, index));
                    let at = record.since_start(read.at);
                    self.note(at, Some(index), what);
                }
            }
            Report::End => {
                if let Some(client) = record.clients.get_mut(index) {
                    client.ended = true;
                }
            }
        }
    }

    /// A clock passed a beat. `of` is the client and the number of its clock: 0 is NetClock, then the rivals.
    /// `None`: the server's clock.
    pub(crate) fn beat(&self, of: Option<(usize, usize)>, at: MachineTime, number: i64) {
        if let Some(live) = &self.live {
            live.beat(of, at, number, &self.record);
        }
    }
}
