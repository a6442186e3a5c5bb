//! `lab study start`: measures how far apart many guests execute a scheduled start. Each guest has its own
//! path, crystal and frame loop.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::value_parser;
use netclock::Span;
use netclock::session::HostConfig;
use netclock::start::{HoldUp, Proposal, StartConfig, StartResult};

use crate::report::{each, ms, number, seed};
use crate::scenario;
use crate::study::output::{Format, Study};
use netclock_sim::{
    BurstLoss, ClockConfig, FrameConfig, Match, MatchConfig, NetworkConfig, Random, quantile, sorted,
};

/// In 99 of 100 rounds, the spread may exceed one frame by at most this much.
pub const TARGET_MS: f64 = 1.0;
/// Schedules starts for many simulated clients and measures their spread
///
/// Each round has a server and 64 clients, each with its own path, crystal and frame loop. With --outages,
/// also reports the number of rounds in which a client received the start too late. Exits with 1 if the
/// spread exceeds a frame plus 1 ms in more than one round of 100, or if a client started twice, never, or
/// after a cancellation, or reported a lateness outside its bound.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Scenario of `lab study bench` that serves as the path of every client
    #[arg(long, value_name = "NAME", default_value = "wifi")]
    scenario: String,
    /// Number of rounds, each with a different seed
    #[arg(long, value_name = "N", default_value_t = 200)]
    #[arg(value_parser = value_parser!(u64).range(1..=100_000))]
    rounds: u64,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Loss in both directions, instead of the scenario's loss (0 to 0.9)
    #[arg(long, value_name = "SHARE", value_parser = number(0.0, 0.9))]
    loss: Option<f64>,
    /// Mean interval and length of outages in both directions, in seconds, and the loss during them (0 to 1)
    #[arg(long, value_names = ["DISTANCE", "LENGTH", "SHARE"], num_args = 3)]
    outages: Option<Vec<f64>>,
    /// Number of clients
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = value_parser!(u32).range(1..=1024))]
    clients: u32,
    /// Seconds from the time the first client joins to the first proposal, while the organiser measures
    /// losses
    #[arg(long, value_name = "SECONDS", default_value_t = SETTLE_S, value_parser = number(4.0, 3600.0))]
    settle: f64,
    /// The organiser's patience in seconds; the time added for outages is at most a quarter of it
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = number(0.1, 600.0))]
    patience: f64,
    /// Make one client silent, cancel the first start, and let a client join after the start
    #[arg(long)]
    rough: bool,
    #[command(flatten)]
    format: Format,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let plan = plan(args)?;
    let seeds = (args.seed..args.seed.saturating_add(args.rounds)).collect();
    let rounds: Vec<Round> = each(seeds, |seed| play(&plan, seed));
    let mut study = Study::new(args.format);
    let title = format!(
        "{} clients, {}, {} rounds from seed {}, in ms\n\n",
        args.clients, args.scenario, args.rounds, args.seed
    );
    let figures = |of: fn(&Round) -> f64| quantiles(rounds.iter().map(|round| of(round) as f32));
    let spread = figures(|round| round.spread_ms);
    let rows = [
        ("true spread of the starts", spread),
        ("spread due to the clocks, without frames", figures(|round| round.clocks_ms)),
        ("spread computed by the server from the reports", figures(|round| round.reported_ms)),
        ("time from the announcement to the start", figures(|round| round.lead_ms)),
        ("time for which the start was delayed", figures(|round| round.held_up_ms)),
        (
            "time until a client uses changed UTC",
            quantiles(rounds.iter().flat_map(|round| round.utc_ms.clone())),
        ),
    ];
    let rows = rows.map(|(what, figures)| format!("{what} | {}", figures.map(ms).join(" | ")));
    study.table(&title, "of a round | p50 | p99 | max", rows);
    let counted: u32 = rounds.iter().map(|round| round.counted).sum();
    let late: u32 = rounds.iter().map(|round| round.heard_late).sum();
    let rounds_late = rounds.iter().filter(|round| round.heard_late > 0).count();
    study.line(&format!(
        "{counted} starts; {late} clients received the start too late, in {rounds_late} rounds ({:.1} %)",
        100.0 * rounds_late as f64 / rounds.len().max(1) as f64
    ));
    let allowed_ms = TARGET_MS + 1e3 / FPS;
    study.line(&format!("guaranteed: the p99 of the spread is at most {} ms", ms(allowed_ms)));
    if let Some((who, why)) = rounds.iter().find_map(|round| round.held_up_by) {
        study.line(&format!(
            "in the first delayed round, the last client to delay the start was {who}: {why:?}"
        ));
    }
    if let Some(late) = rounds.iter().find_map(|round| round.joined_ms) {
        study.line(&format!("the first round's late joiner received the start {} ms late", ms(late)));
    }
    for Round { seed, faults, .. } in &rounds {
        study.faults.extend(faults.iter().map(|fault| format!("FAULT seed {seed}: {fault}")));
    }
    study.check(spread[1] <= allowed_ms, || {
        format!("FAULT: the spread's p99 is {} ms, not {}", ms(spread[1]), ms(allowed_ms))
    });
    Ok(study.end())
}

fn plan(args: &Args) -> Result<RoundPlan> {
    let mut network = scenario::find(&args.scenario)?.network;
    if let Some(loss) = args.loss {
        (network.forward.loss, network.reverse.loss) = (loss, loss);
    }
    if let Some(&[good_s, bad_s, loss]) = args.outages.as_deref() {
        let is_good = good_s > 0.0 && bad_s > 0.0 && (0.0..=1.0).contains(&loss);
        ensure!(is_good, "--outages is {good_s} {bad_s} {loss}; give two times above 0, and 0 to 1");
        let outages = Some(BurstLoss { good_s, bad_s, loss });
        (network.forward.burst_loss, network.reverse.burst_loss) = (outages.clone(), outages);
    }
    let organiser = StartConfig { patience: Span::from_secs_f64(args.patience), ..StartConfig::default() };
    let clients = args.clients as usize;
    Ok(RoundPlan { network, clients, organiser, settle_s: args.settle, rough: args.rough })
}

fn quantiles(values: impl Iterator<Item = f32>) -> [f64; 3] {
    let mut values: Vec<f32> = values.collect();
    [0.5, 0.99, 1.0].map(|share| quantile(&mut values, share))
}

#[derive(Clone, Debug)]
pub struct RoundPlan {
    /// The path of every client. The clock settings of this path apply too, except for the drift, which is
    /// drawn for each client.
    pub network: NetworkConfig,
    pub clients: usize,
    /// The organiser's capacity is ignored.
    pub organiser: StartConfig,
    pub settle_s: f64,
    /// If set, the first client is silent, the first start is cancelled, and a client joins after the start.
    pub rough: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Round {
    pub seed: u64,
    pub counted: u32,
    pub lead_ms: f64,
    pub held_up_ms: f64,
    pub held_up_by: Option<(u64, HoldUp)>,
    /// The time from the first participant's true start to the last participant's.
    pub spread_ms: f64,
    pub clocks_ms: f64,
    pub reported_ms: f64,
    pub heard_late: u32,
    pub joined_ms: Option<f64>,
    /// For each client and each change of UTC, the time until a frame used the new UTC.
    pub utc_ms: Vec<f32>,
    pub faults: Vec<String>,
}

pub const FPS: f64 = 60.0;
pub const SETTLE_S: f64 = 10.0;
const CONFIDENCE: f64 = 0.999;
const JOIN_S: f64 = 3.0;
const CANCEL_AFTER_S: f64 = 0.1;
const LATE_S: f64 = 1.0;
const AFTER_S: f64 = 5.0;
/// If there is no start, a round ends this long after the first proposal.
const LONGEST_S: f64 = 80.0;
/// The interval at which the host's UTC gains or loses its bound and is published again.
const UTC_CHANGES_S: f64 = 2.0;
const SILENT: u64 = 1;

pub fn play(plan: &RoundPlan, seed: u64) -> Round {
    let mut round = Start::new(plan, seed);
    let mut at_s = 0.0;
    while at_s < round.end_s {
        at_s += 1.0 / FPS;
        round.frame(at_s);
    }
    round.judge()
}

struct Start<'a> {
    plan: &'a RoundPlan,
    game: Match,
    first_proposal_s: Option<f64>,
    cancel_s: Option<f64>,
    propose_s: f64,
    is_cancelled: bool,
    /// The true time (s) of the scheduled start, and its version.
    start: Option<(f64, u32)>,
    end_s: f64,
    /// The version of the host's UTC, the time it was observed (s), and the clients that still lack it.
    utc: (u32, f64, Vec<usize>),
    round: Round,
}

impl<'a> Start<'a> {
    fn new(plan: &'a RoundPlan, seed: u64) -> Self {
        let count = plan.clients + usize::from(plan.rough);
        let start = StartConfig { capacity: count as u32, ..plan.organiser };
        let config = MatchConfig {
            forward: plan.network.forward.clone(),
            reverse: plan.network.reverse.clone(),
            server: FrameConfig::even(FPS, 0.0),
            host: HostConfig { capacity: count as u32, start, ..HostConfig::default() },
            confidence: CONFIDENCE,
            seconds: plan.settle_s + LONGEST_S,
            ..MatchConfig::default()
        };
        let mut start = Start {
            plan,
            game: Match::new(config, 0, seed).expect("the command checks the settings"),
            first_proposal_s: None,
            cancel_s: None,
            propose_s: plan.settle_s,
            is_cancelled: false,
            start: None,
            end_s: plan.settle_s + LONGEST_S,
            utc: (0, 0.0, Vec::new()),
            round: Round { seed, ..Round::default() },
        };
        let mut random = Random::new(seed, "joins");
        (0..plan.clients).for_each(|_| start.join(random.between(0.0, JOIN_S)));
        if plan.rough {
            start.game.players[0].guest.take_part(false);
        }
        start.game.host.prepare_start();
        start
    }

    fn join(&mut self, at_s: f64) {
        let id = self.game.players.len() as u64;
        let mut random = Random::new(self.round.seed.wrapping_mul(1_000_003).wrapping_add(id), "player");
        // The rates of the crystals and of the frame loops all differ by tens of ppm.
        let drift_ppm = random.normal(20.0).clamp(-80.0, 80.0);
        self.game.config.clock = ClockConfig { drift_ppm, ..self.plan.network.clock.clone() };
        self.game.config.client = FrameConfig::even(FPS, random.between(-50.0, 50.0));
        self.game.join(at_s).expect("the default is valid");
    }

    fn frame(&mut self, at_s: f64) {
        self.game.wants_start = self.start.is_none() && at_s >= self.propose_s;
        self.game.play(at_s);
        self.play_utc(at_s);
        if let Some((at_s, proposal)) = self.game.proposal.take() {
            self.note(at_s, proposal);
        }
        if self.cancel_s.is_some_and(|cancel_s| at_s >= cancel_s) {
            self.cancel_s = None;
            self.game.host.cancel_start(self.game.server_time(at_s)).expect("the start has not happened");
            (self.start, self.is_cancelled, self.first_proposal_s) = (None, true, None);
            self.propose_s = at_s + CANCEL_AFTER_S;
        }
        let is_missing = self.plan.rough && self.game.players.len() == self.plan.clients;
        if self.start.is_some_and(|(start_s, _)| is_missing && at_s >= start_s + LATE_S) {
            self.join(at_s);
        }
    }

    fn play_utc(&mut self, at_s: f64) {
        let (version, changed_s, waiting) = &mut self.utc;
        let players = &self.game.players;
        waiting.retain(|&place| {
            // Every other version of the host's UTC has no bound.
            let utc = players[place].view.and_then(|view| view.utc);
            let known = utc.is_some_and(|utc| (utc.error_bound == Span::MAX) == (*version % 2 == 1));
            if known {
                self.round.utc_ms.push(((at_s - *changed_s) * 1e3) as f32);
            }
            !known
        });
        let is_first = *version == 0 && at_s >= JOIN_S + UTC_CHANGES_S;
        if is_first || (*version > 0 && waiting.is_empty() && at_s >= *changed_s + UTC_CHANGES_S) {
            (*version, *changed_s, *waiting) = (*version + 1, at_s, (0..players.len()).collect());
            self.game.observe_utc(at_s, (self.utc.0 % 2 == 0).then_some(Span::from_millis(1)));
        }
    }

    fn note(&mut self, at_s: f64, proposal: Proposal) {
        let first_s = *self.first_proposal_s.get_or_insert(at_s);
        match proposal {
            Proposal::HeldUp { participant, reason, .. } => {
                self.round.held_up_by = Some((participant, reason));
            }
            Proposal::Scheduled { at, version, .. } => {
                let lead_s = (at - self.game.server_time(at_s)).as_secs_f64();
                self.start = Some((at_s + lead_s, version));
                self.end_s = at_s + lead_s + AFTER_S;
                self.round.lead_ms = lead_s * 1e3;
                self.round.held_up_ms = self.round.held_up_ms.max((at_s - first_s) * 1e3);
                if self.plan.rough && !self.is_cancelled {
                    self.cancel_s = Some(at_s + CANCEL_AFTER_S);
                    self.end_s = self.plan.settle_s + LONGEST_S;
                }
            }
        }
    }

    fn judge(mut self) -> Round {
        let mut round = std::mem::take(&mut self.round);
        round.faults.extend(self.game.faults().into_iter().cloned());
        if !self.utc.2.is_empty() && self.end_s > self.utc.1 + UTC_CHANGES_S {
            round.faults.push(format!("clients {:?} lack the current UTC", self.utc.2));
        }
        let Some((start_s, version)) = self.start else {
            round.faults.push("no start was scheduled".into());
            return round;
        };
        let result = self.game.host.start_result().expect("a start was scheduled");
        round.counted = result.counted;
        round.reported_ms = (result.latest - result.earliest).as_millis_f64();
        let mut moments = Vec::new();
        for id in self.game.players.iter().map(|player| player.id) {
            let known = self.game.host.participation(id, self.game.server_time(self.end_s));
            let counted = known.is_ok_and(|known| known.counted);
            let fired: Vec<_> = self.game.started.iter().filter(|fired| fired.player == id).collect();
            let of_this = fired.iter().filter(|fired| fired.progress.version == version).count();
            if fired.len() != of_this {
                round.faults.push(format!("client {id} started after the cancellation"));
            }
            if of_this != usize::from(!self.plan.rough || id != SILENT) {
                round.faults.push(format!("client {id} started {of_this} times"));
            }
            let is_joiner = id > self.plan.clients as u64;
            for fired in fired {
                let (lateness, bound) = (fired.progress.lateness, fired.progress.error_bound);
                let true_ms = (fired.at_s - start_s) * 1e3;
                let error_ms = lateness.as_millis_f64() - true_ms;
                if error_ms.abs() > bound.as_millis_f64() + 1e-3 {
                    round.faults.push(format!(
                        "client {id}: lateness {lateness} is off by {error_ms} ms, beyond {bound}"
                    ));
                }
                round.heard_late += u32::from(fired.progress.joins_late && !is_joiner);
                if counted {
                    moments.push((true_ms, error_ms));
                } else if is_joiner {
                    round.joined_ms = Some(lateness.as_millis_f64());
                }
            }
        }
        self.compare(&mut round, &result, &moments);
        round
    }

    fn compare(&self, round: &mut Round, result: &StartResult, moments: &[(f64, f64)]) {
        let spread = |of: fn(&(f64, f64)) -> f64| {
            let all = sorted(moments.iter().map(of));
            all.last().zip(all.first()).map_or(0.0, |(most, least)| most - least)
        };
        (round.spread_ms, round.clocks_ms) = (spread(|it| it.0), spread(|it| it.1));
        if (result.acknowledged, result.fired) != (result.counted, result.counted) {
            round.faults.push(format!("the server received {} of {} starts", result.fired, result.counted));
        }
        if self.plan.rough {
            if round.held_up_by != Some((SILENT, HoldUp::Silent)) {
                round.faults.push(format!("held up by {:?} instead of the silent client", round.held_up_by));
            }
            let joined = self.game.started.iter().any(|fired| fired.player > self.plan.clients as u64);
            if joined && round.joined_ms.is_none_or(|late| late < LATE_S * 1e3) {
                round.faults.push(format!("the late joiner reports {:?} ms", round.joined_ms));
            }
        }
    }
}
