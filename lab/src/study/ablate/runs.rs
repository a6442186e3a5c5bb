use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Context, Result};
use netclock_ablation::{
    Client, Config, Earlier, LocalTime, RateHint, Reply, RequestId, ServerTime, Span, State,
};

use crate::study::bench::summary::geometric_mean;
use netclock_sim::{
    Case, Exchange, Network, Product, Read, Recorder, Score, Watch, known_waits, own_schedule, quantile,
};

const LONGEST_S: f64 = 600.0;
const CUTS_S: [f64; 2] = [1.0, 30.0];
/// A rate hint matters most at the start, so the runs with a hint are short.
const HINTED_S: f64 = 60.0;
const READS_PER_S: [f64; 2] = [20.0, 5.0];
const HINT_DOUBT_PPM: f64 = 1.0;
/// Gaps are not detected, because the replayed client is not called in every frame.
const NO_GAP: Span = Span::from_secs(86_400);
const SERVER_EPOCH: u64 = 1;
const FLOOR_MS: f64 = 0.001;

pub(super) struct RecordedSession {
    pub(super) path: String,
    network: Network,
    exchanges: Vec<Exchange>,
    hint_ppm: Option<f64>,
    seconds: f64,
    seed: u64,
}

pub(super) struct Figures {
    pub(super) windows: [Window; 2],
    /// Counts reads outside their bound and backward steps.
    pub(super) faults: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
    pub(super) expected_ms: f64,
    pub(super) within: f64,
}

impl RecordedSession {
    /// If `hint_off_ppm` is present, the client receives a rate hint with this error.
    pub(super) fn record(case: &Case, seed: u64, hint_off_ppm: Option<f64>) -> Result<Self> {
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
    pub(super) fn replay(&self) -> Option<Figures> {
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

pub(super) fn by_path(sessions: &[RecordedSession], figures: &[Figures]) -> Vec<(String, Figures)> {
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
