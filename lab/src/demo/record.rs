use std::collections::VecDeque;

use netclock::Span;

use super::judge::{Accounts, Read};
use super::plan::DemoPlan;
use super::reads::{Reads, SETTLING, SameReads};
use crate::net::clock::MachineTime;
use crate::net::sync::client::Traffic;
use crate::net::sync::events::Described;

/// Maximum number of stored events. If there are more, the oldest are dropped.
const MOST_HAPPENINGS: usize = 5_000;

/// An event of a demo, with its time since the start.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Happening {
    pub(crate) at: Span,
    /// The affected client, or `None` if all are affected.
    pub(crate) client: Option<usize>,
    pub(crate) what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// The demo disturbed a clock or its path, so the comparison restarts. A short name and a sentence.
    Incident(&'static str, String),
    /// Another message from the demo, with a short name and a sentence.
    Message(&'static str, String),
    ClockEvent(Described),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ClientRecord {
    pub(crate) reads: Reads,
    pub(crate) same: SameReads,
    pub(crate) accounts: Accounts,
    pub(crate) traffic: Traffic,
}

#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) plan: DemoPlan,
    pub(crate) start: MachineTime,
    pub(crate) length: Span,
    pub(crate) clients: Vec<ClientRecord>,
    /// The newest events, in order.
    pub(crate) happenings: VecDeque<Happening>,
    pub(crate) incident: Option<Happening>,
}

impl Record {
    pub(crate) fn new(plan: DemoPlan, start: MachineTime) -> Self {
        let clients = vec![ClientRecord::default(); plan.clients.len()];
        Record { plan, start, length: Span::ZERO, clients, happenings: VecDeque::new(), incident: None }
    }

    pub(crate) fn add(&mut self, client: usize, reads: &[Read]) {
        let counts_from = self.incident.as_ref().map_or(Span::ZERO, |it| it.at) + SETTLING;
        let start = self.start;
        let Some(client) = self.clients.get_mut(client) else { return };
        for read in reads {
            let at = MachineTime::from_ticks(read.at) - start;
            if at >= counts_from {
                client.same.add(read);
            }
        }
        client.reads.draw(reads, |at| (MachineTime::from_ticks(at) - start).as_secs_f64());
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.length >= Span::from_secs(self.plan.seconds.into())
    }

    pub(crate) fn note(&mut self, happening: Happening) {
        if let What::Incident(..) = happening.what {
            self.clients.iter_mut().for_each(|client| client.same = SameReads::default());
            self.incident = Some(happening.clone());
        }
        self.happenings.push_back(happening);
        if self.happenings.len() > MOST_HAPPENINGS {
            self.happenings.pop_front();
        }
    }

    /// Converts a machine time (ticks) to the time since the start.
    pub(crate) fn since_start(&self, ticks: i64) -> Span {
        MachineTime::from_ticks(ticks) - self.start
    }

    pub(crate) fn happenings_of(&self, client: usize) -> impl Iterator<Item = &Happening> {
        self.happenings.iter().filter(move |happening| happening.client.is_none_or(|index| index == client))
    }
}

impl Happening {
    /// The name of the affected client, or "all".
    pub(crate) fn who(&self, plan: &DemoPlan) -> String {
        let client = self.client.and_then(|index| plan.clients.get(index));
        client.map_or_else(|| "all".to_owned(), |client| client.name.clone())
    }
}
