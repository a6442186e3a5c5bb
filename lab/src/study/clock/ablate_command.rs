//! `lab study ablate`: what each mechanism of the estimator is worth.

use std::process::ExitCode;

use anyhow::{Result, bail};
use netclock::ablation::{Mechanism, switch_off};

use super::ablation::Worth;
use super::knowing::{HINTED, WARM};
use super::suite::{Plan, scores};
use crate::report::options;
use crate::report::progress::progress;
use crate::report::table::plain;
use netclock_sim::measure::metrics::Score;
use netclock_sim::measure::product::PRODUCT;

/// Clocks that the estimator works in.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Start {
    /// Nothing is known
    #[default]
    Cold,
    /// With the state of an earlier session
    Warm,
    /// With hints of both rates
    Hinted,
}

/// Switches off each mechanism of the estimator in turn, and compares the errors
///
/// Each figure is the error without the mechanism over the error with it, on the same exchanges: above 1, the
/// mechanism helps. A single path counts where more than three quarters of the seeds agree. A mechanism stays
/// if it improves the mean of all paths by 2 %, or one path by 10 %.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    paths: options::Paths,
    /// Only errors from second 1 to 30, which is all that runs
    #[arg(long = "first", id = "window")]
    first: bool,
    /// What the clock knows at the start
    #[arg(long, value_enum, default_value_t)]
    start: Start,
    /// Let the clock send its own probes
    #[arg(long)]
    own_schedule: bool,
    /// Switch off only this mechanism; repeat for several
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    #[command(flatten)]
    seeds: options::Seeds,
    /// Print the table in Markdown
    #[arg(long)]
    markdown: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let standard = if args.first { Plan::of_first_half_minute() } else { Plan::default() };
    let plan = Plan {
        cases: args.paths.or_standard("all")?,
        seeds: args.seeds.range().collect(),
        own_schedule: args.own_schedule,
        ..standard
    };
    let clock = match args.start {
        Start::Cold => PRODUCT,
        Start::Warm => WARM,
        Start::Hinted => HINTED,
    };
    let names: Vec<String> = plan.cases.iter().map(|case| case.name.clone()).collect();
    let chosen = chosen(&args.only)?;
    let bar = progress(1 + chosen.len());
    let with = scores(&plan, clock)?;
    bar.inc(1);
    let mut rows = Vec::new();
    for mechanism in chosen {
        switch_off(Some(mechanism));
        let without = scores(&plan, clock);
        switch_off(None);
        rows.push(row(mechanism, &names, &with, &without?));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let header = "off | p50 | p99 | most on one path | least | verdict";
    print!("{}", plain(header, rows, args.markdown));
    println!("\n{} paths, seeds {} to {}", names.len(), args.seeds.first, args.seeds.range().end - 1);
    Ok(ExitCode::SUCCESS)
}

/// The mechanisms of these names; all of them without any name.
fn chosen(names: &[String]) -> Result<Vec<Mechanism>> {
    let all = || Mechanism::ALL.into_iter();
    if let Some(name) = names.iter().find(|name| !all().any(|mechanism| self::name(mechanism) == **name)) {
        bail!(
            "there is no mechanism {name}; there are {}",
            all().map(self::name).collect::<Vec<_>>().join(", ")
        );
    }
    Ok(all().filter(|&mechanism| names.is_empty() || names.contains(&name(mechanism))).collect())
}

/// A name as it is typed: `CutOff` is `cut_off`.
fn name(mechanism: Mechanism) -> String {
    let mut name = String::new();
    for letter in format!("{mechanism:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

fn row(mechanism: Mechanism, names: &[String], with: &[Vec<Score>], without: &[Vec<Score>]) -> String {
    let p50 = Worth::of(names, with, without, |score| score.p50_ms);
    let p99 = Worth::of(names, with, without, |score| score.p99_ms);
    let extreme = |p50: &Option<(f64, String)>, p99: &Option<(f64, String)>, is_more: bool| {
        let of = |figure: &str, found: &Option<(f64, String)>| {
            found.as_ref().map(|(ratio, case)| (*ratio, format!("{figure} {ratio:.2}, {case}")))
        };
        let both = [of("p50", p50), of("p99", p99)].into_iter().flatten();
        let found = match is_more {
            true => both.max_by(|a, b| a.0.total_cmp(&b.0)),
            false => both.min_by(|a, b| a.0.total_cmp(&b.0)),
        };
        found.map_or_else(|| "-".to_owned(), |(_, text)| text)
    };
    let (most, least) = (extreme(&p50.most, &p99.most, true), extreme(&p50.least, &p99.least, false));
    let verdict = if p50.stays() || p99.stays() { "stays" } else { "goes" };
    format!("{} | {:.3} | {:.3} | {most} | {least} | {verdict}", name(mechanism), p50.mean, p99.mean)
}
