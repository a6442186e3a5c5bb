use anyhow::{Context, Result};
use netclock::{Config, Earlier};
use rayon::prelude::*;
use serde::Serialize;

use super::ours::{HINTED, Knowing, LINKED, Linked, WARM};
use crate::baseline;
use crate::report::each_case;
use netclock_sim::{Case, Estimator, Network, PRODUCT, Product, Read, Score, Session, Watch};

const FIRST_S: f64 = 30.0;
/// Earlier reads do not count, because clocks have completed at most one burst by then.
const FIRST_CUT_S: f64 = 1.0;

const LIMITS: [&str; 3] = [baseline::LEARNER, baseline::HINTED_LEARNER, baseline::ORACLE];

#[derive(Clone, Debug)]
pub struct BenchPlan {
    pub cases: Vec<Case>,
    pub seconds: f64,
    pub longest_s: f64,
    pub poll_s: f64,
    pub settle_cut_s: f64,
    pub seeds: Vec<u64>,
    pub own_schedule: bool,
    pub only: Vec<String>,
    pub settings: Config,
    pub knowing: Knowing,
}

impl Default for BenchPlan {
    fn default() -> Self {
        Self {
            cases: Vec::new(),
            seconds: 600.0,
            longest_s: f64::INFINITY,
            poll_s: 1.0,
            settle_cut_s: 30.0,
            seeds: vec![1, 2, 3],
            own_schedule: false,
            only: Vec::new(),
            settings: Config::default(),
            knowing: Knowing::default(),
        }
    }
}

impl BenchPlan {
    /// Counts errors from second 1 to second 30, when players join, die and rejoin.
    pub fn of_first_half_minute() -> Self {
        Self { seconds: FIRST_S, longest_s: FIRST_S, settle_cut_s: FIRST_CUT_S, ..Self::default() }
    }
}

/// The median results of one clock over the seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub clock: String,
    #[serde(flatten)]
    pub score: Score,
}

#[derive(Clone, Debug, Serialize)]
pub struct CaseResult {
    pub case: String,
    pub about: String,
    pub seconds: f64,
    /// True if the clocks' rates stay within the drift limits that the bounds assume.
    #[serde(skip)]
    pub is_promised: bool,
    /// One row per clock. Learners are missing if they cannot be computed for the case.
    pub rows: Vec<Row>,
}

impl CaseResult {
    pub fn score(&self, clock: &str) -> Option<&Score> {
        self.rows.iter().find(|row| row.clock == clock).map(|row| &row.score)
    }

    #[cfg(test)]
    pub(super) fn of<'a>(case: &str, about: &str, rows: impl IntoIterator<Item = (&'a str, Score)>) -> Self {
        let row = |(clock, score): (&str, Score)| Row { clock: clock.to_owned(), score };
        let rows = rows.into_iter().map(row).collect();
        CaseResult { case: case.into(), about: about.into(), seconds: 600.0, is_promised: true, rows }
    }
}

/// If a case's network depends on the seed, each seed has its own result.
pub fn run(plan: &BenchPlan) -> Result<Vec<CaseResult>> {
    let clocks = contenders(plan);
    let seeds = plan.seeds.iter().copied();
    let runs = each_case(&plan.cases, seeds, |case, seed| run_once(plan, case, seed, &clocks))?;
    let result = |case: &Case, runs: &[Vec<Option<Score>>]| {
        let row = |(index, clock): (usize, &&str)| {
            let scores: Vec<Score> = runs.iter().filter_map(|scores| scores[index].clone()).collect();
            (!scores.is_empty()).then(|| Row { clock: (*clock).to_owned(), score: Score::median(&scores) })
        };
        CaseResult {
            case: case.name.clone(),
            about: case.about.clone(),
            seconds: plan.length(case),
            is_promised: case.drifts_within(plan.settings.client_drift_ppm, plan.settings.server_drift_ppm),
            rows: clocks.iter().enumerate().filter_map(row).collect(),
        }
    };
    let results = plan.cases.iter().zip(runs).flat_map(|(case, runs)| {
        let draws = plan.seeds.iter().zip(&runs);
        let mut draws = draws.filter_map(|(seed, run)| Some((case.draw(*seed)?, run))).peekable();
        match draws.peek() {
            Some(_) => draws.map(|(draw, run)| result(&draw, std::slice::from_ref(run))).collect(),
            None => vec![result(case, &runs)],
        }
    });
    Ok(results.collect())
}

pub fn observe(
    plan: &BenchPlan,
    case: &Case,
    seed: u64,
    clock: &str,
    observe: impl FnMut(&Read),
) -> Result<Score> {
    let limits = plan.session_of_limits(case, seed, &[clock])?;
    let session = limits.unwrap_or_else(|| plan.session(case, seed));
    let mut estimator = make(clock, case, &session.network, plan, seed)?
        .with_context(|| format!("{clock} cannot be computed on {}", case.name))?;
    Ok(session.run(&mut *estimator, observe))
}

impl BenchPlan {
    fn length(&self, case: &Case) -> f64 {
        case.seconds.unwrap_or(self.seconds).min(self.longest_s)
    }

    fn session(&self, case: &Case, seed: u64) -> Session {
        let watch = Watch { seconds: self.length(case), settle_cut_s: self.settle_cut_s };
        let drawn = case.draw(seed).and_then(|draw| draw.network.every_s);
        let poll_s = drawn.unwrap_or(self.poll_s);
        Session::new(case, watch, (!self.own_schedule).then_some(poll_s), seed)
    }

    /// If each clock has its own schedule, returns a session with NetClock's. The oracle and the learners use
    /// this session, because they send no requests.
    fn session_of_limits(&self, case: &Case, seed: u64, clocks: &[&str]) -> Result<Option<Session>> {
        if !self.own_schedule || !clocks.iter().any(|clock| LIMITS.contains(clock)) {
            return Ok(None);
        }
        let watch = Watch { seconds: self.length(case), settle_cut_s: self.settle_cut_s };
        let network = case.network(watch.seconds, seed);
        let mut asking = Product::with_saved(&self.settings, &network, true, seed, &Earlier::NONE)?;
        Ok(Some(Session::asked_by(&mut asking, case, watch, seed)))
    }
}

pub fn clocks() -> impl Iterator<Item = &'static str> {
    let published = baseline::PUBLISHED.iter().map(|(name, _)| *name);
    [PRODUCT, LINKED, WARM, HINTED].into_iter().chain(published).chain(LIMITS)
}

fn contenders(plan: &BenchPlan) -> Vec<&'static str> {
    clocks().filter(|name| plan.only.is_empty() || plan.only.iter().any(|only| only == name)).collect()
}

fn make(
    name: &str,
    case: &Case,
    network: &Network,
    plan: &BenchPlan,
    seed: u64,
) -> Result<Option<Box<dyn Estimator>>> {
    let (settings, own) = (&plan.settings, plan.own_schedule);
    Ok(match name {
        PRODUCT => Some(Box::new(Product::with_saved(settings, network, own, seed, &Earlier::NONE)?)),
        // The link sends its own requests, and its datagrams do not wait for frames. On a network with
        // frames, the link's exchanges would differ from those of the other clocks.
        LINKED if own && !network.has_frames() => Some(Box::new(Linked::new(settings, network, seed)?)),
        LINKED => None,
        WARM => Some(plan.knowing.warm(settings, own, case, network, seed)?),
        HINTED => Some(plan.knowing.hinted(settings, own, network, seed)?),
        baseline::ORACLE => Some(baseline::oracle(&network.clocks)),
        baseline::LEARNER => baseline::learner(network),
        baseline::HINTED_LEARNER => plan.knowing.limit(network, seed),
        _ => baseline::maker(name).map(|make| make()),
    })
}

fn run_once(plan: &BenchPlan, case: &Case, seed: u64, clocks: &[&'static str]) -> Result<Vec<Option<Score>>> {
    let session = plan.session(case, seed);
    let limits = plan.session_of_limits(case, seed, clocks)?;
    let one = |name: &&str| {
        let session = limits.as_ref().filter(|_| LIMITS.contains(name)).unwrap_or(&session);
        let estimator = make(name, case, &session.network, plan, seed)?;
        Ok(estimator.map(|mut estimator| session.run(&mut *estimator, |_| ())))
    };
    clocks.par_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario;

    fn plan(own_schedule: bool) -> BenchPlan {
        let cases = ["demo_link", "frames_60_30"].map(|name| scenario::find(name).unwrap()).to_vec();
        BenchPlan { cases, seconds: 60.0, own_schedule, ..BenchPlan::default() }
    }

    /// If a reboot changes the rate, the saved state is wrong. A wrong state may increase the error by at
    /// most 5 % compared with a cold start.
    #[test]
    fn state_from_another_boot_costs_little_if_wrong_and_helps_if_right() {
        let by_a_cold_start = |boot_ppm, seeds| {
            let plan = BenchPlan {
                cases: scenario::group("all").unwrap(),
                seeds: (1..=seeds).collect(),
                only: [PRODUCT, WARM].map(String::from).to_vec(),
                knowing: Knowing { boot_ppm: Some(boot_ppm), ..Knowing::default() },
                ..BenchPlan::of_first_half_minute()
            };
            let results = run(&plan).unwrap();
            let mean = |figure: fn(&Score) -> f64| {
                let logarithms = results.iter().map(|result| {
                    let [cold, warm] = &result.rows[..] else { panic!("two clocks") };
                    (figure(&warm.score) / figure(&cold.score)).ln()
                });
                (logarithms.sum::<f64>() / results.len() as f64).exp()
            };
            [mean(|score| score.p50_ms), mean(|score| score.p99_ms)]
        };
        let (right, wrong) = (by_a_cold_start(0.0, 8), by_a_cold_start(50.0, 24));
        println!("p50 and p99 by a cold start: {right:.3?} where it is right, {wrong:.3?} after 50 ppm");
        assert!(right.iter().all(|ratio| *ratio < 0.95));
        assert!(wrong.iter().all(|ratio| *ratio <= 1.05));
    }

    #[test]
    fn repeats_byte_for_byte() {
        for own_schedule in [false, true] {
            let report = || serde_json::to_string(&run(&plan(own_schedule)).unwrap()).unwrap();
            assert_eq!(report(), report());
        }
    }

    #[test]
    fn every_clock_synchronises() {
        for own_schedule in [false, true] {
            for result in run(&plan(own_schedule)).unwrap() {
                for row in result.rows {
                    let Score { first_sync_s, p99_ms, bytes, .. } = row.score;
                    assert!(first_sync_s.is_some(), "{} in {}", row.clock, result.case);
                    assert!(p99_ms < 200.0, "{} in {}: {p99_ms}", row.clock, result.case);
                    assert!(bytes > 0, "{} in {}: {p99_ms}", row.clock, result.case);
                }
            }
        }
    }
}
