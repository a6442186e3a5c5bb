use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::value_parser;

use crate::report::program;
use crate::scenario;
use netclock_sim::{Case, Split, trace};

const CLIENT_PPM: f64 = 20.0;

pub(crate) fn seed(typed: &str) -> Result<u64> {
    typed.parse().with_context(|| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

pub(crate) fn seed_or_random(seed: Option<u64>) -> Result<u64> {
    seed.map_or_else(|| Ok(getrandom::u32()?.into()), Ok)
}

pub(crate) fn number(least: f64, most: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |typed| {
        let number = typed.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("the range is {least} to {most}"))
    }
}

/// Selects the paths of a study.
#[derive(clap::Args, Debug)]
pub(crate) struct Paths {
    /// Scenario to run, or a group: "all"; "loops", "joins", "hints", "intervals", "losses" or
    /// "crystals_drawn" for random frame loops, first seconds, rate hints, request intervals, losses or
    /// crystals; "slewed" for slewed clocks; "crystals" for measured crystals; "real" and "held_out" for the
    /// two halves of the recorded kernel queues; repeat for several
    #[arg(long, value_name = "NAME")]
    scenario: Vec<String>,
    /// File with recorded delays, or a directory of such files; repeat for several. The columns are
    /// `t_send_s,forward_ms,reverse_ms` or `t_send_s,rtt_ms`
    #[arg(long, value_name = "FILE|DIR")]
    trace: Vec<PathBuf>,
}

impl Paths {
    pub(crate) fn or_standard(&self, standard: &str) -> Result<Vec<Case>> {
        if self.trace.is_empty() { self.and_standard(standard) } else { self.cases(&self.scenario) }
    }

    pub(crate) fn and_standard(&self, standard: &str) -> Result<Vec<Case>> {
        let standard: Vec<String> = standard.split(' ').map(str::to_owned).collect();
        self.cases(if self.scenario.is_empty() { &standard } else { &self.scenario })
    }

    fn cases(&self, names: &[String]) -> Result<Vec<Case>> {
        let mut cases = Vec::new();
        let mut known = Vec::new();
        for group in scenario::GROUPS.split(' ') {
            let all = scenario::group(group)?;
            let everything = names.iter().any(|name| name == group);
            known.push(group.to_owned());
            known.extend(all.iter().map(|case| case.name.clone()));
            cases.extend(all.into_iter().filter(|case| everything || names.contains(&case.name)));
        }
        if let Some(name) = names.iter().find(|name| !known.contains(name)) {
            bail!("there is no scenario {name}; {} study bench --list shows all", program());
        }
        for file in trace::find(&self.trace)? {
            cases.push(Case::from_file(&file, Split::Varying, CLIENT_PPM)?);
        }
        Ok(cases)
    }
}

/// Options for the seeds of a study's runs.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Seeds {
    /// Number of runs on each path, each with a different seed
    #[arg(long = "seeds", value_name = "N", default_value_t = 5)]
    #[arg(value_parser = value_parser!(u64).range(1..=1000))]
    pub(crate) count: u64,
    /// The first seed
    #[arg(long = "seed", value_name = "N", default_value_t = 1)]
    pub(crate) first: u64,
}

impl Seeds {
    pub(crate) fn range(&self) -> Range<u64> {
        self.first..self.first.saturating_add(self.count)
    }
}
