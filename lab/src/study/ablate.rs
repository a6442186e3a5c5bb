//! `lab study ablate`: measures how much each mechanism and constant of the estimator contributes.

use std::collections::HashMap;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use anyhow::{Context, Result};
use netclock_ablation::{
    CONSTANTS, Client, Config, Earlier, LocalTime, MECHANISMS, RateHint, Reply, RequestId, ServerTime, Span,
    State, Variation,
};

use crate::report::{each, options, ratio};
use crate::scenario;
use crate::study::bench::summary::geometric_mean;
use crate::study::output::{Format, Study};
use netclock_sim::{
    Case, Exchange, Network, Product, Read, Recorder, Score, Watch, known_waits, own_schedule, quantile,
};

/// We keep a mechanism if its removal raises the p99 by `ON_A_PATH` on a single path or by `ON_ALL` over all
/// paths. We also keep it if its removal lowers the share of errors below three times the expected error by
/// `POINTS` percentage points on some path.
const ON_A_PATH: f64 = 1.10;
const ON_ALL: f64 = 1.01;
const POINTS: f64 = 2.0;

const FACTORS: [f64; 2] = [0.5, 2.0];

/// The error of the rate hint in the second set of hinted sessions.
const WRONG_HINT_PPM: f64 = 50.0;

/// Measures how much each mechanism of the estimator contributes
///
/// Records sessions of the complete clock on all paths, and replays their exchanges to clocks that each lack
/// one mechanism. Figures are relative to the complete clock, so a value above 1 means that the mechanism
/// helps. They are geometric means over all paths, in the first half minute and later. We keep a mechanism
/// ("stays") if its removal increases the p99 by 10 % on a path or by 1 % over all paths. We also keep it if
/// the share of reads within three expected errors falls by 2 percentage points on a path.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    paths: options::Paths,
    /// Number of sessions on each path; families of random paths get four times as many
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// Multiply each constant by 0.5 and by 2 instead of switching mechanisms off
    #[arg(long)]
    constants: bool,
    /// Test only the mechanisms or constants whose name contains this
    #[arg(long, value_name = "NAME", default_value = "")]
    only: String,
    #[command(flatten)]
    format: Format,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let sessions = sessions(args)?;
    let measure = |variation: Variation| {
        variation.apply();
        let figures = each(sessions.iter().collect(), RecordedSession::replay);
        figures.into_iter().collect::<Option<Vec<_>>>().map(|figures| by_path(&sessions, &figures))
    };
    let complete = measure(Variation::Nothing).context("the complete clock panics")?;
    // Some constants, such as the number of grid nodes, have limits beyond which the clock panics.
    panic::set_hook(Box::new(|_| ()));
    let mut rows = Vec::new();
    for (name, variation) in variations(args) {
        let Some(changed) = measure(variation) else {
            rows.push(format!("{name} | panics"));
            continue;
        };
        rows.push(row(&name, &complete, &changed));
    }
    let mut study = Study::new(args.format);
    study.table("", HEADER, rows);
    if !args.format.csv {
        study.line(&format!("{} sessions on {} paths", sessions.len(), complete.len()));
    }
    Ok(study.end())
}

fn sessions(args: &Args) -> Result<Vec<RecordedSession>> {
    let cases = args.paths.or_standard(scenario::GROUPS)?;
    let mut jobs = Vec::new();
    for case in &cases {
        let seeds = if case.draw(1).is_some() { 4 * args.seeds } else { args.seeds };
        jobs.extend((1..=seeds).map(|seed| (case, seed, None)));
    }
    for off in [0.0, WRONG_HINT_PPM] {
        let all = scenario::group("all")?;
        let known = cases.iter().filter(|case| all.iter().any(|other| other.name == case.name));
        jobs.extend(known.map(|case| (case, 1, Some(off))));
    }
    each(jobs, |(case, seed, hint)| RecordedSession::record(case, seed, hint)).into_iter().collect()
}

fn variations(args: &Args) -> Vec<(String, Variation)> {
    let all: Vec<(String, Variation)> = if args.constants {
        let varying = CONSTANTS.iter().enumerate().filter(|(_, constant)| constant.varies);
        let both = varying.flat_map(|(number, constant)| {
            FACTORS.map(|factor| {
                let name = format!("{}::{} = {} | x {factor}", constant.file, constant.name, constant.value);
                (name, Variation::Scaled(number, factor))
            })
        });
        both.collect()
    } else {
        MECHANISMS.iter().map(|it| (format!("{} | {}", it.name, it.about), it.off)).collect()
    };
    all.into_iter().filter(|(name, _)| name.contains(&args.only)).collect()
}

const HEADER: &str = "changed | to | first p50 | p99 | later p50 | p99 | most p99 | path | least p99 | \
                      path | expected | within 3 | most | path | faults | stays";

fn row(name: &str, complete: &[(String, Figures)], changed: &[(String, Figures)]) -> String {
    let all = |window: usize, figure: fn(&Window) -> f64| {
        let ratios = complete.iter().zip(changed).map(|((_, complete), (_, changed))| {
            figure(&changed.windows[window]) / figure(&complete.windows[window])
        });
        geometric_mean(&ratios.filter(|ratio| ratio.is_finite()).collect::<Vec<_>>())
    };
    let (mut most, mut least, mut lost) = ((1.0, String::new()), (1.0, String::new()), (0.0, String::new()));
    let mut points = Vec::new();
    for ((path, complete), (_, changed)) in complete.iter().zip(changed) {
        for (window, in_window) in ["first", "later"].into_iter().enumerate() {
            let (complete, changed) = (complete.windows[window], changed.windows[window]);
            let p99 = changed.p99_ms / complete.p99_ms;
            let path = || format!("{path} {in_window}");
            if p99 > most.0 {
                most = (p99, path());
            }
            if p99 < least.0 {
                least = (p99, path());
            }
            let change = changed.within - complete.within;
            points.extend(Some(change).filter(|change| change.is_finite()));
            if change < lost.0 {
                lost = (change, path());
            }
        }
    }
    let p99 = [all(0, |window| window.p99_ms), all(1, |window| window.p99_ms)];
    let stays = most.0 >= ON_A_PATH || p99.iter().any(|p99| *p99 >= ON_ALL) || lost.0 <= -POINTS;
    let faults: u64 = changed.iter().map(|(_, figures)| figures.faults).sum();
    [
        name.to_owned(),
        ratio3(all(0, |window| window.p50_ms)),
        ratio3(p99[0]),
        ratio3(all(1, |window| window.p50_ms)),
        ratio3(p99[1]),
        ratio(most.0),
        most.1,
        ratio(least.0),
        least.1,
        ratio3(geometric_mean(&[0, 1].map(|window| all(window, |window| window.expected_ms)))),
        format!("{:+.2}", points.iter().sum::<f64>() / points.len() as f64),
        format!("{:+.1}", lost.0),
        lost.1,
        faults.to_string(),
        if stays { "yes".to_owned() } else { "no".to_owned() },
    ]
    .join(" | ")
}

fn ratio3(value: f64) -> String {
    format!("{value:.3}")
}

const LONGEST_S: f64 = 600.0;
const CUTS_S: [f64; 2] = [1.0, 30.0];
/// Runs with a rate hint are short, because a hint matters most at the start.
const HINTED_S: f64 = 60.0;
const READS_PER_S: [f64; 2] = [20.0, 5.0];
const HINT_DOUBT_PPM: f64 = 1.0;
/// Disables gap detection, because the replayed client is not called in every frame.
const NO_GAP: Span = Span::from_secs(86_400);
const SERVER_EPOCH: u64 = 1;
const FLOOR_MS: f64 = 0.001;

struct RecordedSession {
    path: String,
    network: Network,
    exchanges: Vec<Exchange>,
    hint_ppm: Option<f64>,
    seconds: f64,
    seed: u64,
}

struct Figures {
    windows: [Window; 2],
    /// The number of reads outside their bound plus the number of backward steps.
    faults: u64,
}

#[derive(Clone, Copy, Debug)]
struct Window {
    p50_ms: f64,
    p99_ms: f64,
    expected_ms: f64,
    within: f64,
}

impl RecordedSession {
    /// If `hint_off_ppm` is present, the client receives a rate hint with this error.
    fn record(case: &Case, seed: u64, hint_off_ppm: Option<f64>) -> Result<Self> {
        let usual = if hint_off_ppm.is_some() { HINTED_S } else { LONGEST_S };
        let seconds = case.seconds.unwrap_or(usual).min(usual);
        let network = case.network(seconds, seed);
        let mut product = Product::new(&network, true, seed)?;
        let watch = Watch { seconds, settle_cut_s: 0.0 };
        let (_, exchanges) = own_schedule(network.clone(), &mut product, watch, |_| ());
        let path = match hint_off_ppm {
            None => case.name.clone(),
            Some(0.0) => "hinted".to_owned(),
            Some(off) => format!("hinted_{off:.0}_ppm_off"),
        };
        let hint_ppm = hint_off_ppm.map(|off| network.clocks.drift_ppm + off).or(network.hint_ppm);
        Ok(Self { path, network, exchanges, hint_ppm, seconds, seed })
    }

    fn client(&self) -> Result<Client> {
        let (client_frame, server_frame) = self.network.told_periods();
        let usual = Config::default();
        let hint = self.hint_ppm.map(|ppm| RateHint { ppm, doubt_ppm: HINT_DOUBT_PPM });
        let config = Config {
            client_resolution: Span::from_ticks(self.network.clocks.client_resolution),
            server_resolution: Span::from_ticks(self.network.clocks.server_resolution),
            client_frame: Span::from_secs_f64(client_frame),
            server_frame: Span::from_secs_f64(server_frame),
            client_drift_ppm: usual.client_drift_ppm.max(self.hint_ppm.unwrap_or(0.0).abs()),
            client_rate: hint.unwrap_or(usual.client_rate),
            local_gap: NO_GAP,
            ..usual
        };
        Client::with_saved(config, u128::from(self.seed).max(1), &Earlier::NONE).context("no client")
    }

    /// Returns `None` if the client panics.
    fn replay(&self) -> Option<Figures> {
        catch_unwind(AssertUnwindSafe(|| self.replay_to(self.client()?))).ok()?.ok()
    }

    fn replay_to(&self, mut client: Client) -> Result<Figures> {
        let mut recorders = CUTS_S.map(Recorder::new);
        let mut expected = [Vec::new(), Vec::new()];
        // The exchanges are sorted by reply, but their requests must be replayed in the order in which they
        // were sent.
        let mut sent: Vec<&Exchange> = self.exchanges.iter().filter(|exchange| !exchange.copy).collect();
        sent.sort_by_key(|exchange| exchange.t0);
        let (mut sent, mut exchanges) = (sent.into_iter().peekable(), self.exchanges.iter().peekable());
        let (mut requests, mut at_s) = (HashMap::new(), 0.0);
        while at_s < self.seconds {
            let is_late = at_s >= CUTS_S[1];
            at_s += 1.0 / READS_PER_S[usize::from(is_late)];
            let local = self.network.clocks.client(at_s);
            while let Some(exchange) = exchanges.next_if(|exchange| exchange.arrived_s <= at_s) {
                while let Some(request) = sent.next_if(|request| request.t0 <= exchange.t3) {
                    let made = client.make_request(LocalTime::from_ticks(request.t0));
                    requests.extend(made.ok().map(|made| (request.id, made.id)));
                }
                self.deliver(&mut client, exchange, &requests);
            }
            let reading = client.read(LocalTime::from_ticks(local));
            if reading.state == State::Unsynced {
                continue;
            }
            let shown = reading.server_time.ticks();
            let read = Read {
                at_s,
                local,
                shown: Some(shown),
                error: self.network.clocks.error(shown, at_s),
                bound: Some(reading.error_bound.ticks()),
                expected: Some(reading.expected_error.ticks()),
                declared_step: false,
                declared_slew: false,
            };
            recorders[usize::from(is_late)].read(&read);
            expected[usize::from(is_late)].push(reading.expected_error.as_secs_f64() as f32 * 1e3);
        }
        let scores = recorders.map(Recorder::finish);
        let faults = scores.iter().filter(|score| score.bound_coverage.is_some_and(|share| share < 100.0));
        let faults = faults.count() as u64;
        let mut windows = scores.map(|score| Window::of(&score));
        for (window, expected) in windows.iter_mut().zip(&mut expected) {
            window.expected_ms = quantile(expected, 0.5).max(FLOOR_MS);
        }
        Ok(Figures { faults, windows })
    }

    fn deliver(&self, client: &mut Client, exchange: &Exchange, requests: &HashMap<u64, RequestId>) {
        let Some(&id) = requests.get(&exchange.id) else { return };
        let arrived = LocalTime::from_ticks(exchange.t3);
        let [wait, client_wait] = known_waits(exchange, self.network.loops)
            .map(|wait| wait.map(|wait| Span::from_ticks(wait.ticks())));
        if let Some(client_wait) = client_wait {
            let _ = client.polled(arrived - client_wait);
        }
        let (received, sent) = (ServerTime::from_ticks(exchange.t1), ServerTime::from_ticks(exchange.t2));
        let reply = Reply { id, epoch: SERVER_EPOCH, received, sent, wait };
        // The client rejects some replies, for example duplicates.
        let _ = client.handle_reply(&reply, arrived);
    }
}

impl Window {
    fn of(score: &Score) -> Self {
        let within = score.expected_coverage.map_or(f64::NAN, |coverage| coverage[2]);
        let (p50_ms, p99_ms) = (score.p50_ms.max(FLOOR_MS), score.p99_ms.max(FLOOR_MS));
        Window { p50_ms, p99_ms, expected_ms: f64::NAN, within }
    }
}

fn by_path(sessions: &[RecordedSession], figures: &[Figures]) -> Vec<(String, Figures)> {
    let mut paths: Vec<(String, Vec<&Figures>)> = Vec::new();
    for (session, figures) in sessions.iter().zip(figures) {
        match paths.last_mut().filter(|(path, _)| *path == session.path) {
            Some((_, runs)) => runs.push(figures),
            None => paths.push((session.path.clone(), vec![figures])),
        }
    }
    let one = |(path, runs): (String, Vec<&Figures>)| {
        let window = |number: usize| {
            let values = |figure: fn(&Window) -> f64| -> Vec<f64> {
                let all = runs.iter().map(|run| figure(&run.windows[number]));
                all.filter(|value| value.is_finite()).collect()
            };
            let within = values(|window| window.within);
            Window {
                p50_ms: geometric_mean(&values(|window| window.p50_ms)),
                p99_ms: geometric_mean(&values(|window| window.p99_ms)),
                expected_ms: geometric_mean(&values(|window| window.expected_ms)),
                within: within.iter().sum::<f64>() / within.len() as f64,
            }
        };
        let faults = runs.iter().map(|run| run.faults).sum();
        (path, Figures { windows: [window(0), window(1)], faults })
    };
    paths.into_iter().map(one).collect()
}
