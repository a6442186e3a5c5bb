//! `lab study lead`: measures the prediction lead, and whether the requested share of messages meets it.
//!
//! Messages to the server are compared with the lead at their send time. Messages to the client are compared
//! with the delay that was suggested before they arrived.

use std::process::ExitCode;

use anyhow::Result;
use clap::value_parser;
use netclock::order::{Lead, LeadConfig};
use netclock::{LocalTime, ServerTime, Span};

use super::Runs;
use crate::report::{ms, number};
use crate::study::output::Study;
use netclock_sim::{Case, Estimator, Exchange, Product, Stream, TICKS_PER_MS, nearest_rank, sorted};

const BURST: u64 = 10;
/// Messages per second in each direction.
const RATE: u64 = 30;
const SETTLE_S: f64 = 30.0;
/// The weight of a new round trip in the smoothed round-trip time, as in TCP (RFC 6298).
const SMOOTHING: f64 = 0.125;
/// RFC 6298 also specifies the weight of a new deviation and the number of deviations in the limit.
const DEVIATION_SMOOTHING: f64 = 0.25;
const DEVIATIONS: f64 = 4.0;
const RISE_MS: f64 = 1.0;

const STANDARD: &str = "wifi bad satellite uplink_bloat burst_loss stalls route_up frames_60_30 asymmetry \
     loops_measured";

/// Measures how many messages arrive within the prediction lead and within half the round trip
///
/// Client and server each send 30 messages per second, 95 % of which should arrive in time. The clock makes
/// one exchange per second. The first 30 s of a run are ignored. "4 deviations" is the smoothed delay plus
/// four mean deviations, as TCP computes it for round trips. "constant" is the smallest constant lead that
/// would have met the requested share, which is known only in hindsight.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    runs: Runs,
    /// Report only every Nth message to the lead
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    every: u64,
    /// Share of messages that should be in time (0.5 to 0.99)
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, value_parser = number(0.5, 0.99))]
    quantile: f64,
}

const HEADER: &str = "path | direction | in time % | lead ms | constant ms | rises/min | \
     half trip: in time % | ms | 4 deviations: in time % | ms | messages";

pub fn run(args: &Args) -> Result<ExitCode> {
    let plan = LeadPlan { seconds: args.runs.seconds, every: args.every, quantile: args.quantile };
    let (cases, runs) = args.runs.on(STANDARD, |case, seed| measure(&plan, case, seed))?;
    let rows = cases.iter().zip(runs).flat_map(|(case, runs)| {
        let of = |way: usize| LeadScore::mean(&runs.iter().map(|run| run[way].clone()).collect::<Vec<_>>());
        [cells(&case.name, "to server", &of(0)), cells("", "to client", &of(1))]
    });
    let mut study = Study::new(args.runs.format);
    study.table("", HEADER, rows);
    Ok(study.end())
}

fn cells(path: &str, way: &str, score: &LeadScore) -> String {
    let LeadScore { in_time, rises, half_in_time, deviations_in_time, messages, .. } = score;
    let [lead, constant, half, deviations] =
        [score.mean_ms, score.constant_ms, score.half_ms, score.deviations_ms].map(ms);
    format!(
        "{path} | {way} | {in_time:.1} | {lead} | {constant} | {rises:.1} | {half_in_time:.1} | {half} | \
         {deviations_in_time:.1} | {deviations} | {messages}"
    )
}

#[derive(Clone, Copy, Debug)]
pub struct LeadPlan {
    pub seconds: f64,
    pub every: u64,
    pub quantile: f64,
}

#[derive(Clone, Debug, Default)]
pub struct LeadScore {
    pub messages: usize,
    pub in_time: f64,
    pub mean_ms: f64,
    /// In hindsight, the smallest constant lead that would have met the requested share.
    pub constant_ms: f64,
    /// The share of messages that arrived within half the smoothed round-trip time (%).
    pub half_in_time: f64,
    pub half_ms: f64,
    pub deviations_in_time: f64,
    pub deviations_ms: f64,
    /// How often per minute the lead increased by at least 1 ms.
    pub rises: f64,
}

#[derive(Clone, Copy, Debug)]
struct Smoothed {
    delay: f64,
    deviation: f64,
}

impl Smoothed {
    fn follow(before: Option<Self>, delay: f64) -> Self {
        let Some(Smoothed { delay: smooth, deviation }) = before else {
            return Smoothed { delay, deviation: 0.0 };
        };
        let off = delay - smooth;
        let deviation = deviation + DEVIATION_SMOOTHING * (off.abs() - deviation);
        Smoothed { delay: smooth + SMOOTHING * off, deviation }
    }

    fn lead(self) -> f64 {
        self.delay + DEVIATIONS * self.deviation
    }
}

/// In ticks.
struct Judged {
    delay: f64,
    lead: f64,
    half: f64,
    deviations: f64,
}

struct Departed {
    shown: ServerTime,
    allowed: Option<[f64; 3]>,
}

pub fn measure(plan: &LeadPlan, case: &Case, seed: u64) -> Result<[LeadScore; 2]> {
    let mut network = case.network(plan.seconds, seed);
    let stream = Stream::record(&mut network, 1.0 / RATE as f64, plan.seconds, seed);
    let mut session = LeadRun {
        clock: Product::new(&network, false, seed)?,
        lead: Lead::new(LeadConfig { quantile: plan.quantile, ..LeadConfig::default() })?,
        round_trip: None,
        smoothed: [None; 2],
        departed: Vec::with_capacity(stream.departures.len()),
        judged: [Vec::new(), Vec::new()],
    };
    // The clock uses one exchange per second, regardless of the game's send rate.
    let is_clocks = |id: u64| id < BURST || id % RATE == 0;
    let mut exchanges = stream.exchanges.iter().filter(|exchange| !exchange.copy).peekable();
    for departure in &stream.departures {
        while let Some(exchange) = exchanges.next_if(|exchange| exchange.arrived_s <= departure.at_s) {
            let noted = exchange.id % plan.every == 0;
            session.arrive(exchange, is_clocks(exchange.id), noted, exchange.arrived_s >= SETTLE_S);
        }
        session.depart(departure.id, departure.t0, is_clocks(departure.id));
    }
    let minutes = (plan.seconds - SETTLE_S) / 60.0;
    Ok(session.judged.map(|judged| score(&judged, plan.quantile, minutes)))
}

struct LeadRun {
    clock: Product,
    lead: Lead,
    round_trip: Option<f64>,
    smoothed: [Option<Smoothed>; 2],
    departed: Vec<Option<Departed>>,
    judged: [Vec<Judged>; 2],
}

impl LeadRun {
    fn depart(&mut self, id: u64, local: i64, is_clocks: bool) {
        if is_clocks {
            self.clock.on_send(id, local);
        }
        let at = LocalTime::from_ticks(local);
        let handled = self.lead.handled_by(at).zip(self.round_trip).zip(self.smoothed[0]);
        self.departed.push(self.clock.reading(local).map(|reading| {
            let _refused = self.lead.note_sent(id, at, &reading);
            let shown = reading.server_time;
            let allowed =
                handled.map(|((handled, trip), smooth)| [ticks(handled - shown), trip / 2.0, smooth.lead()]);
            Departed { shown, allowed }
        }));
    }

    fn arrive(&mut self, exchange: &Exchange, is_clocks: bool, is_noted: bool, is_judged: bool) {
        if is_clocks {
            self.clock.on_exchange(exchange);
        }
        let trip = ((exchange.t3 - exchange.t0) - (exchange.t2 - exchange.t1)) as f64;
        let half = self.round_trip.unwrap_or(trip) / 2.0;
        self.round_trip = Some(self.round_trip.map_or(trip, |smooth| smooth + SMOOTHING * (trip - smooth)));
        let (received, sent) = (ServerTime::from_ticks(exchange.t1), ServerTime::from_ticks(exchange.t2));
        if let Some(departed) = self.departed.get(exchange.id as usize).and_then(Option::as_ref) {
            let delay = ticks(received - departed.shown);
            if let (Some([lead, half, deviations]), true) = (departed.allowed, is_judged) {
                self.judged[0].push(Judged { delay, lead, half, deviations });
            }
            if is_noted {
                self.smoothed[0] = Some(Smoothed::follow(self.smoothed[0], delay));
                let _unused = self.lead.note_arrived(exchange.id, received);
            }
        }
        if let Some(reading) = self.clock.reading(exchange.t3) {
            let (at, shown) = (LocalTime::from_ticks(exchange.t3), reading.server_time);
            let delay = ticks(shown - sent);
            let known = self.lead.showable(at).zip(self.smoothed[1]);
            if let (Some((showable, smooth)), true) = (known, is_judged) {
                let lead = ticks(shown - showable);
                self.judged[1].push(Judged { delay, lead, half, deviations: smooth.lead() });
            }
            if is_noted {
                self.smoothed[1] = Some(Smoothed::follow(self.smoothed[1], delay));
                let _unused = self.lead.note_received(sent, at, &reading);
            }
        }
    }
}

fn ticks(span: Span) -> f64 {
    span.ticks() as f64
}

fn score(judged: &[Judged], quantile: f64, minutes: f64) -> LeadScore {
    let count = judged.len().max(1) as f64;
    let share = |within: &dyn Fn(&Judged) -> bool| {
        100.0 * judged.iter().filter(|judged| within(judged)).count() as f64 / count
    };
    let mean = |value: &dyn Fn(&Judged) -> f64| judged.iter().map(value).sum::<f64>() / count / TICKS_PER_MS;
    let delays = sorted(judged.iter().map(|judged| judged.delay));
    let rises = judged.windows(2).filter(|pair| pair[1].lead - pair[0].lead >= RISE_MS * TICKS_PER_MS);
    LeadScore {
        messages: judged.len(),
        in_time: share(&|judged| judged.delay <= judged.lead),
        mean_ms: mean(&|judged| judged.lead),
        constant_ms: nearest_rank(&delays, quantile).map_or(f64::NAN, |delay| delay / TICKS_PER_MS),
        half_in_time: share(&|judged| judged.delay <= judged.half),
        half_ms: mean(&|judged| judged.half),
        deviations_in_time: share(&|judged| judged.delay <= judged.deviations),
        deviations_ms: mean(&|judged| judged.deviations),
        rises: rises.count() as f64 / minutes,
    }
}

impl LeadScore {
    pub fn mean(scores: &[Self]) -> Self {
        let mean =
            |value: &dyn Fn(&Self) -> f64| scores.iter().map(value).sum::<f64>() / scores.len().max(1) as f64;
        LeadScore {
            messages: scores.iter().map(|score| score.messages).sum(),
            in_time: mean(&|score| score.in_time),
            mean_ms: mean(&|score| score.mean_ms),
            constant_ms: mean(&|score| score.constant_ms),
            half_in_time: mean(&|score| score.half_in_time),
            half_ms: mean(&|score| score.half_ms),
            deviations_in_time: mean(&|score| score.deviations_in_time),
            deviations_ms: mean(&|score| score.deviations_ms),
            rises: mean(&|score| score.rises),
        }
    }
}
