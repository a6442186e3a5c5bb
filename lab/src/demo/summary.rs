//! The figures of a demo.

use netclock::Span;
use serde::Serialize;
use serde_json::{Value, json};

use super::plan::{Plan, SETTLED};
use super::protocol::{Read, Tally, UtcStatus, WorldRead};
use super::record::{ClientRecord, Happening, Record, What};
use crate::game::follower::Traffic as News;
use crate::game::script::Kind;
use crate::net::sync::client::Traffic;

/// A client synchronises again for this long after a discontinuity of its clock.
pub(crate) const RESYNC: Span = Span::from_secs(1);

/// A clock has synchronised again once its error stays below this.
pub(crate) const RESYNCED: Span = Span::from_millis(1);

/// Sizes of the errors of some reads (ms).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Errors {
    pub(crate) reads: usize,
    pub(crate) p50: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
}

/// The figures of one client.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ClientSummary {
    pub(crate) name: String,
    pub(crate) crystal_ppm: f64,
    pub(crate) path: &'static str,
    pub(crate) up: String,
    pub(crate) down: String,
    pub(crate) tally: Tally,
    /// Share of the judged reads that were within their bound (%).
    pub(crate) coverage_percent: f64,
    /// |error| of all reads from second 5 on (ms).
    pub(crate) error_ms: Option<Errors>,
    /// |error| without the second after each discontinuity of this clock (ms).
    pub(crate) error_ms_apart_from_resync: Option<Errors>,
    /// Longest time from a discontinuity to the last read with an error above 1 ms, within one second (s); none without
    /// discontinuities.
    pub(crate) resync_s: Option<f64>,
    /// Payload in both directions (bytes/s).
    pub(crate) bytes_per_second: f64,
    pub(crate) traffic: Traffic,
    /// The last read of the server's UTC.
    pub(crate) utc: Option<UtcStatus>,
    pub(crate) world: WorldSummary,
}

/// The figures of the world's clock on one client. The tally counts reads outside bounds and backwards.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct WorldSummary {
    pub(crate) coverage_percent: f64,
    /// |error| of all reads from second 5 on (ms).
    pub(crate) error_ms: Option<Errors>,
    /// |error| while the world paused (ms).
    pub(crate) error_ms_paused: Option<Errors>,
    /// |error| in slow motion (ms).
    pub(crate) error_ms_slow: Option<Errors>,
    /// |error| without pauses, slow motion, the second after each, and the second after discontinuities (ms).
    pub(crate) error_ms_calm: Option<Errors>,
    /// Median of the certain bound (ms).
    pub(crate) bound_ms: Option<f64>,
    /// Median of the bound if nothing changed (ms).
    pub(crate) bound_if_unchanged_ms: Option<f64>,
    pub(crate) bytes_per_second: f64,
    pub(crate) traffic: News,
}

/// The figures of a demo.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Summary {
    pub(crate) clients: Vec<ClientSummary>,
}

/// Whether the promises were kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Every read was within its bound, and no clock went backwards.
    Kept,
    Broken,
    /// A client never showed a server time.
    NeverSynced,
}

impl Summary {
    pub(crate) fn new(record: &Record) -> Self {
        let clients = record.plan.clients.iter().zip(&record.clients).enumerate();
        let summarise = |(index, (plan, client)): (usize, (&super::plan::ClientPlan, &ClientRecord))| {
            let tally = client.tally;
            ClientSummary {
                name: plan.name.clone(),
                crystal_ppm: plan.ppm,
                path: plan.path,
                up: plan.up.to_string(),
                down: plan.down.to_string(),
                tally,
                coverage_percent: 100.0 * (1.0 - tally.outside as f64 / tally.judged.max(1) as f64),
                error_ms: errors(client.reads.iter().filter(|read| is_settled(record, read))),
                error_ms_apart_from_resync: errors(
                    client
                        .reads
                        .iter()
                        .filter(|read| is_settled(record, read) && !is_resyncing(record, index, read)),
                ),
                resync_s: resync(record, index, &client.reads),
                bytes_per_second: client.traffic.bytes() as f64 / record.length.as_secs_f64().max(1e-3),
                traffic: client.traffic,
                utc: client.status.utc,
                world: world(record, index, client),
            }
        };
        Summary { clients: clients.map(summarise).collect() }
    }

    pub(crate) fn verdict(&self) -> Verdict {
        let broken = |tally: &Tally| {
            let games = tally.world_outside + tally.world_backwards + tally.utc_outside;
            tally.outside + tally.backwards + tally.waiting + games > 0
        };
        if self.clients.iter().any(|client| broken(&client.tally)) {
            Verdict::Broken
        } else if self.clients.iter().any(|client| client.tally.judged == 0 || client.tally.world_judged == 0)
        {
            Verdict::NeverSynced
        } else {
            Verdict::Kept
        }
    }

    /// Reads of all clients: judged, outside their bounds, and backwards.
    pub(crate) fn totals(&self) -> (u64, u64, u64) {
        self.clients.iter().map(|client| client.tally).fold((0, 0, 0), |(judged, outside, back), tally| {
            (judged + tally.judged, outside + tally.outside, back + tally.backwards)
        })
    }

    /// Reads of the world's clock: judged, outside their bounds, and backwards.
    pub(crate) fn world_totals(&self) -> (u64, u64, u64) {
        self.clients.iter().map(|client| client.tally).fold((0, 0, 0), |(judged, outside, back), tally| {
            (judged + tally.world_judged, outside + tally.world_outside, back + tally.world_backwards)
        })
    }

    /// Reads of the server's UTC: judged, and outside their bounds.
    pub(crate) fn utc_totals(&self) -> (u64, u64) {
        self.clients
            .iter()
            .map(|client| client.tally)
            .fold((0, 0), |(judged, outside), tally| (judged + tally.utc_judged, outside + tally.utc_outside))
    }

    /// The figures and the events as JSON.
    pub(crate) fn json(&self, record: &Record, report: &str) -> Value {
        let (reads, outside, backwards) = self.totals();
        let (world_reads, world_outside, world_backwards) = self.world_totals();
        let (utc_reads, utc_outside) = self.utc_totals();
        let happenings: Vec<Value> =
            record.happenings.iter().map(|h| happening_json(h, &record.plan)).collect();
        json!({
            "seconds": record.length.as_secs_f64(),
            "complete": record.is_complete(),
            "seed": record.plan.seed,
            "verdict": match self.verdict() {
                Verdict::Kept => "kept",
                Verdict::Broken => "broken",
                Verdict::NeverSynced => "never_synced",
            },
            "reads": reads,
            "outside": outside,
            "backwards": backwards,
            "coverage_percent": 100.0 * (1.0 - outside as f64 / reads.max(1) as f64),
            "world_reads": world_reads,
            "world_outside": world_outside,
            "world_backwards": world_backwards,
            "utc_reads": utc_reads,
            "utc_outside": utc_outside,
            "clients": self.clients,
            "happenings": happenings,
            "report": report,
        })
    }
}

fn happening_json(happening: &Happening, plan: &Plan) -> Value {
    let client = happening.client.and_then(|index| plan.clients.get(index)).map(|client| &client.name);
    let seconds = happening.at.as_secs_f64();
    match &happening.what {
        What::Done(name, words) => {
            json!({"seconds": seconds, "client": client, "done": name, "meaning": words})
        }
        What::Declared(described) => {
            json!({"seconds": seconds, "client": client, "event": described.event, "jump_ms": described.jump_ms,
                   "meaning": described.meaning})
        }
    }
}

fn is_settled(record: &Record, read: &Read) -> bool {
    record.since_start(read.at) >= SETTLED
}

fn is_resyncing(record: &Record, client: usize, read: &Read) -> bool {
    let at = record.since_start(read.at);
    discontinuities(record, client).any(|since| at >= since && at < since + RESYNC)
}

/// The times at which the clock of a client was set, or declared that it may have to be set.
fn discontinuities(record: &Record, client: usize) -> impl Iterator<Item = Span> {
    record.happenings_of(client).filter_map(|happening| match &happening.what {
        What::Declared(described) if described.discontinuity => Some(happening.at),
        _ => None,
    })
}

fn resync(record: &Record, client: usize, reads: &[Read]) -> Option<f64> {
    let longest = discontinuities(record, client).map(|since| {
        let off = reads.iter().filter(|read| read.error.abs() > RESYNCED.ticks());
        let ages = off.map(|read| record.since_start(read.at) - since);
        ages.filter(|age| (Span::ZERO..RESYNC).contains(age)).max().unwrap_or(Span::ZERO)
    });
    longest.max().map(Span::as_secs_f64)
}

fn world(record: &Record, client: usize, of: &ClientRecord) -> WorldSummary {
    let settled = || of.reads.iter().filter(|read| is_settled(record, read));
    let within = |read: &Read, kind: Kind, longer: Span| {
        let at = record.since_start(read.at);
        record.phases.iter().any(|phase| phase.kind == kind && at >= phase.from && at < phase.to + longer)
    };
    let sizes = |keep: &dyn Fn(&Read) -> bool| {
        let reads = settled().filter(|read| keep(read));
        percentiles(reads.filter_map(|read| read.world).map(|world| world.error.unsigned_abs()))
    };
    let median = |bound: fn(&WorldRead) -> i64| {
        let bounds = settled().filter_map(|read| read.world).map(|world| bound(&world));
        percentiles(bounds.filter(|&bound| bound != i64::MAX).map(i64::unsigned_abs)).map(|bounds| bounds.p50)
    };
    let calm = |read: &Read| {
        let is_moved = [Kind::Pause, Kind::Slow].into_iter().any(|kind| within(read, kind, RESYNC));
        !is_moved && !is_resyncing(record, client, read)
    };
    WorldSummary {
        coverage_percent: 100.0 * (1.0 - of.tally.world_outside as f64 / of.tally.world_judged.max(1) as f64),
        error_ms: sizes(&|_| true),
        error_ms_paused: sizes(&|read| within(read, Kind::Pause, Span::ZERO)),
        error_ms_slow: sizes(&|read| within(read, Kind::Slow, Span::ZERO)),
        error_ms_calm: sizes(&calm),
        bound_ms: median(|world| world.bound),
        bound_if_unchanged_ms: median(|world| world.if_unchanged),
        bytes_per_second: of.news.bytes() as f64 / record.length.as_secs_f64().max(1e-3),
        traffic: of.news,
    }
}

fn errors<'a>(reads: impl Iterator<Item = &'a Read>) -> Option<Errors> {
    percentiles(reads.map(|read| read.error.unsigned_abs()))
}

/// Percentiles of ticks by nearest rank, in ms; none without ticks.
fn percentiles(ticks: impl Iterator<Item = u64>) -> Option<Errors> {
    let mut sizes: Vec<u64> = ticks.collect();
    sizes.sort_unstable();
    let last = sizes.len().checked_sub(1)?;
    let ms = |index: usize| sizes[index.min(last)] as f64 / 10_000.0;
    let rank = |part: f64| ms(((part * sizes.len() as f64).ceil() as usize).saturating_sub(1));
    Some(Errors { reads: sizes.len(), p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), max: ms(last) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(errors_ms: impl Iterator<Item = i64>) -> Vec<Read> {
        errors_ms
            .map(|ms| Read { at: 0, error: ms * 10_000, bound: i64::MAX, expected: 0, world: None })
            .collect()
    }

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let hundred = reads((1..=100).map(|ms| if ms % 2 == 0 { ms } else { -ms }));
        let expected = Errors { reads: 100, p50: 50.0, p95: 95.0, p99: 99.0, max: 100.0 };
        assert_eq!(errors(hundred.iter()), Some(expected));
        assert_eq!(
            errors(reads([-3].into_iter()).iter()).map(|errors| (errors.p50, errors.p99)),
            Some((3.0, 3.0))
        );
        assert_eq!(errors([].iter()), None);
    }
}
