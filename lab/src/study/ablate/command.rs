use std::panic;
use std::process::ExitCode;

use anyhow::{Context, Result};
use netclock_ablation::{CONSTANTS, MECHANISMS, Variation};

use super::runs::{Figures, RecordedSession, Window, by_path};
use crate::report::{each, options, ratio};
use crate::scenario;
use crate::study::bench::summary::geometric_mean;
use crate::study::output::{Format, Study};

/// We keep a mechanism if its removal raises the p99 by `ON_A_PATH` on a single path or by `ON_ALL` over all
/// paths. We also keep it if the share of reads within three expected errors falls by `POINTS` percentage
/// points on some path.
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
        let name = |number: usize| format!("{} | {}", MECHANISMS[number].name, MECHANISMS[number].about);
        (0..MECHANISMS.len()).map(|number| (name(number), Variation::Without(number))).collect()
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
