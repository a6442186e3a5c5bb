//! The record of a demo, during the run and afterwards.

use std::collections::VecDeque;

use netclock::Span;

use super::phase::Phase;
use super::plan::Plan;
use super::protocol::{Status, Tally};
use super::reads::Reads;
use crate::game::follower::Traffic as News;
use crate::game::script::Script;
use crate::net::clock::MachineTime;
use crate::net::sync::client::Traffic;
use crate::net::sync::events::Described;

/// Most events that are kept. From then on the oldest ones go.
const MOST_HAPPENINGS: usize = 5_000;

/// An event of a demo, at a time since the start.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Happening {
    pub(crate) at: Span,
    /// The client that it concerns; none: all.
    pub(crate) client: Option<usize>,
    pub(crate) what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// The demo did it: a short name, and the words.
    Done(&'static str, String),
    /// A client's clock reported it.
    Declared(Described),
}

/// The record of one client.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ClientRecord {
    pub(crate) reads: Reads,
    pub(crate) tally: Tally,
    pub(crate) status: Status,
    pub(crate) traffic: Traffic,
    /// Datagrams about the world.
    pub(crate) news: News,
    pub(crate) ended: bool,
}

/// The record of a demo.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) plan: Plan,
    pub(crate) start: MachineTime,
    /// Length of the run so far.
    pub(crate) length: Span,
    pub(crate) clients: Vec<ClientRecord>,
    /// The newest of what happened, in order.
    pub(crate) happenings: VecDeque<Happening>,
    /// Events that were forgotten, because there were too many.
    pub(crate) forgotten: usize,
    /// The events of the servers' worlds, in order.
    pub(crate) phases: Vec<Phase>,
}

impl Record {
    pub(crate) fn new(plan: Plan, start: MachineTime) -> Self {
        let clients = vec![ClientRecord::default(); plan.clients.len()];
        Record {
            plan,
            start,
            length: Span::ZERO,
            clients,
            happenings: VecDeque::new(),
            forgotten: 0,
            phases: Vec::new(),
        }
    }

    /// A server's clock showed zero at `start`, and its world follows `script`. The events of the server
    /// before end.
    pub(crate) fn begin_world(&mut self, start: MachineTime, script: &Script) {
        let since = start - self.start;
        self.phases.retain(|phase| phase.from < since);
        let end = Span::from_secs(self.plan.seconds.into()) - since;
        let parts = script.parts_until(end).into_iter();
        self.phases.extend(parts.map(|part| Phase {
            kind: part.kind,
            from: since + part.at,
            to: since + part.at + part.length,
        }));
    }

    /// True if it ran as long as planned.
    pub(crate) fn is_complete(&self) -> bool {
        self.length >= Span::from_secs(self.plan.seconds.into())
    }

    /// Something happened.
    pub(crate) fn note(&mut self, happening: Happening) {
        let client = happening.client.and_then(|index| self.clients.get_mut(index));
        if let (Some(client), What::Declared(Described { discontinuity: true, .. })) =
            (client, &happening.what)
        {
            client.reads.set_at(happening.at);
        }
        self.happenings.push_back(happening);
        if self.happenings.len() > MOST_HAPPENINGS {
            self.happenings.pop_front();
            self.forgotten += 1;
        }
    }

    /// The run is over after this time.
    pub(crate) fn end(&mut self, length: Span) {
        self.length = length;
        for client in &mut self.clients {
            client.reads.end(&self.phases);
        }
    }

    /// The time since the start of a machine time (ticks).
    pub(crate) fn since_start(&self, ticks: i64) -> Span {
        MachineTime::from_ticks(ticks) - self.start
    }

    /// The events that concern a client, in order.
    pub(crate) fn happenings_of(&self, client: usize) -> impl Iterator<Item = &Happening> {
        self.happenings.iter().filter(move |happening| happening.client.is_none_or(|index| index == client))
    }
}

impl Happening {
    /// The event in one line.
    pub(crate) fn line(&self, plan: &Plan) -> String {
        let who = match self.client.and_then(|index| plan.clients.get(index)) {
            Some(client) => client.name.clone(),
            None => "all".to_owned(),
        };
        let seconds = self.at.as_secs_f64();
        match &self.what {
            What::Done(_, words) => format!("{seconds:6.2} s  {who:>3}  * {words}"),
            What::Declared(described) => {
                format!("{seconds:6.2} s  {who:>3}  {}: {}", described.event, described.meaning)
            }
        }
    }
}
