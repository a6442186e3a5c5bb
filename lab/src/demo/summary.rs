use serde::Serialize;
use serde_json::{Value, json};

use super::judge::Accounts;
use super::plan::{ClientPlan, DemoPlan};
use super::reads::SameReads;
use super::record::{ClientRecord, Happening, Record, What};
use crate::baseline::RIVALS;
use crate::net::sync::client::Traffic;
use crate::net::sync::events::Described;
use crate::report::quantiles::Quantiles;
use netclock_sim::clock::TICKS_PER_MS;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ClientSummary {
    pub(crate) name: String,
    pub(crate) crystal_ppm: f64,
    pub(crate) path: &'static str,
    pub(crate) up: String,
    pub(crate) down: String,
    pub(crate) accounts: Accounts,
    pub(crate) since_incident: Compared,
    /// The UDP payload in both directions.
    pub(crate) bytes_per_second: f64,
    pub(crate) traffic: Traffic,
}

/// The 99th percentile of each clock's errors, for the same reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Compared {
    pub(crate) reads: u64,
    pub(crate) engine_ms: Option<f64>,
    pub(crate) best_rival_ms: Option<f64>,
    pub(crate) netclock_ms: Option<f64>,
    pub(crate) bound_ms: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Summary {
    /// The errors of each clock's worst client since the last incident.
    pub(crate) headline: Compared,
    pub(crate) clients: Vec<ClientSummary>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Every read was within its bound, and no clock went backwards.
    Kept,
    Broken,
    NeverSynced,
}

impl Verdict {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Verdict::Kept => "kept",
            Verdict::Broken => "broken",
            Verdict::NeverSynced => "never_synced",
        }
    }
}

impl Compared {
    pub(crate) fn of(same: &SameReads) -> Self {
        let ms = |sizes: &Quantiles, share| sizes.share(share).map(|ticks| ticks as f64 / TICKS_PER_MS);
        let [engine_ms, best_rival_ms] = same.rivals.each_ref().map(|sizes| ms(sizes, 0.99));
        let (netclock_ms, bound_ms) = (ms(&same.own, 0.99), ms(&same.bound, 0.5));
        Compared { reads: same.own.count(), engine_ms, best_rival_ms, netclock_ms, bound_ms }
    }

    /// The largest of each figure, and the total number of reads.
    pub(crate) fn worst(clients: impl Iterator<Item = Self>) -> Self {
        let largest = |one: Option<f64>, other: Option<f64>| one.into_iter().chain(other).reduce(f64::max);
        clients.fold(Self::default(), |one, other| Compared {
            reads: one.reads + other.reads,
            engine_ms: largest(one.engine_ms, other.engine_ms),
            best_rival_ms: largest(one.best_rival_ms, other.best_rival_ms),
            netclock_ms: largest(one.netclock_ms, other.netclock_ms),
            bound_ms: largest(one.bound_ms, other.bound_ms),
        })
    }

    /// True if the best rival had smaller errors than NetClock.
    pub(crate) fn is_beaten(&self) -> bool {
        self.best_rival_ms.zip(self.netclock_ms).is_some_and(|(rival, own)| rival < own)
    }

    /// The clocks' names and figures, NetClock's last.
    pub(crate) fn figures(&self) -> [(&'static str, Option<f64>); 3] {
        let [(engine, _), (best, _)] = RIVALS;
        [(engine, self.engine_ms), (best, self.best_rival_ms), ("NetClock", self.netclock_ms)]
    }
}

impl Summary {
    pub(crate) fn new(record: &Record) -> Self {
        let clients = record.plan.clients.iter().zip(&record.clients);
        let summarise = |(plan, client): (&ClientPlan, &ClientRecord)| ClientSummary {
            name: plan.name.clone(),
            crystal_ppm: plan.ppm,
            path: plan.path,
            up: plan.up.to_string(),
            down: plan.down.to_string(),
            accounts: client.accounts,
            since_incident: Compared::of(&client.same),
            bytes_per_second: client.traffic.bytes() as f64 / record.length.as_secs_f64().max(1e-3),
            traffic: client.traffic,
        };
        let clients: Vec<ClientSummary> = clients.map(summarise).collect();
        Summary { headline: Compared::worst(clients.iter().map(|client| client.since_incident)), clients }
    }

    pub(crate) fn verdict(&self) -> Verdict {
        let any = |is_so: fn(&Accounts) -> bool| self.clients.iter().any(|it| is_so(&it.accounts));
        if any(|it| !(it.time.is_kept() && it.world.is_kept())) {
            Verdict::Broken
        } else if any(|it| it.time.reads == 0 || it.world.reads == 0) {
            Verdict::NeverSynced
        } else {
            Verdict::Kept
        }
    }

    pub(crate) fn total(&self, count: fn(&Accounts) -> u64) -> u64 {
        self.clients.iter().map(|client| count(&client.accounts)).sum()
    }

    pub(crate) fn json(&self, record: &Record, report: &str) -> Value {
        let (reads, outside) = (self.total(|it| it.time.reads), self.total(|it| it.time.outside));
        let happenings: Vec<Value> =
            record.happenings.iter().map(|h| happening_json(h, &record.plan)).collect();
        json!({
            "seconds": record.length.as_secs_f64(),
            "complete": record.is_complete(),
            "seed": record.plan.seed,
            "headline": self.headline,
            "best_rival": record.plan.rival,
            "verdict": self.verdict().word(),
            "reads": reads,
            "outside": outside,
            "backwards": self.total(|it| it.time.backwards),
            "coverage_percent": 100.0 * (1.0 - outside as f64 / reads.max(1) as f64),
            "world_reads": self.total(|it| it.world.reads),
            "world_outside": self.total(|it| it.world.outside),
            "world_backwards": self.total(|it| it.world.backwards),
            "clients": self.clients,
            "happenings": happenings,
            "report": report,
        })
    }
}

fn happening_json(happening: &Happening, plan: &DemoPlan) -> Value {
    let client = happening.client.and_then(|index| plan.clients.get(index)).map(|client| &client.name);
    let seconds = happening.at.as_secs_f64();
    match &happening.what {
        What::Incident(name, words) | What::Message(name, words) => {
            json!({"seconds": seconds, "client": client, "done": name, "meaning": words})
        }
        What::ClockEvent(described) => {
            let Described { event, jump_ms, meaning, .. } = described;
            json!({"seconds": seconds, "client": client, "event": event, "jump_ms": jump_ms,
                   "meaning": meaning})
        }
    }
}
