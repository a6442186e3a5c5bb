//! Runs a demo: performs the planned actions and those requested on the live page, and reports the results.

use anyhow::Result;
use netclock::Span;

use super::broadcast::Broadcast;
use super::client::Report;
use super::plan::DemoPlan;
use super::record::{Happening, Record, What};
use super::screen::Screen;
use super::threads::Threads;
use crate::net::clock;
use crate::net::lifetime::Stop;

pub(crate) struct Outputs {
    screen: Screen,
    pub(super) live: Option<Broadcast>,
    pub(super) record: Record,
}

pub(crate) fn run(plan: DemoPlan, screen: Screen, live: Option<Broadcast>, stop: &Stop) -> Result<Outputs> {
    screen.start(&plan);
    if let Some(live) = &live {
        screen.line(&live.words());
    }
    let mut threads = Threads::start(&plan)?;
    let (end, mut agenda) = (Span::from_secs(plan.seconds.into()), plan.actions.clone());
    let start = clock::now();
    let mut outputs = Outputs { screen, live, record: Record::new(plan, start) };
    loop {
        let age = clock::now() - start;
        if age >= end || stop.is_set() {
            break;
        }
        while let Some(action) = outputs.live.as_ref().and_then(Broadcast::requested_action) {
            let place = agenda.partition_point(|(at, _)| *at <= age);
            agenda.insert(place, (age, action));
        }
        while agenda.first().is_some_and(|(at, _)| *at <= age) {
            let (_, action) = agenda.remove(0);
            if let Some((after, next)) = threads.act(action, &mut outputs)? {
                let at = age + after;
                agenda.insert(agenda.partition_point(|(other, _)| *other <= at), (at, next));
            }
        }
        threads.follow_world(&mut outputs);
        threads.pass_on_reports(&mut outputs)?;
    }
    let length = clock::now() - start;
    threads.end(&mut outputs)?;
    outputs.record.length = length;
    Ok(outputs)
}

impl Outputs {
    pub(super) fn note(&mut self, at: Span, client: Option<usize>, what: What) {
        let happening = Happening { at, client, what };
        self.screen.happened(&happening, &self.record.plan);
        if let Some(live) = &self.live {
            live.happened(&happening);
        }
        self.record.note(happening);
    }

    /// Shows a client's report, and adds it to the record.
    pub(super) fn report(&mut self, index: usize, report: Report) {
        match report {
            Report::Event(at, described) => {
                self.note(at - self.record.start, Some(index), What::ClockEvent(described));
            }
            Report::Reads { reads, accounts, traffic } => {
                let record = &mut self.record;
                record.add(index, &reads);
                let Some(client) = record.clients.get_mut(index) else { return };
                (client.accounts, client.traffic) = (*accounts, traffic);
                if let Some(live) = &mut self.live {
                    live.reads(index, record);
                }
            }
        }
    }
}
