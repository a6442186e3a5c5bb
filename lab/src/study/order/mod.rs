//! `lab study lead` and `lab study order`: check the prediction lead and verdicts on the order of events.

use anyhow::Result;
use netclock_sim::Case;

use crate::report::{Paths, Seeds, each_case, number};
use crate::study::output::Format;

pub mod arbitration;
pub mod lead;

/// Options for the runs and for the output.
#[derive(clap::Args, Debug)]
struct Runs {
    #[command(flatten)]
    paths: Paths,
    /// Length of each run in seconds (60 to 100000)
    #[arg(long, value_name = "N", default_value_t = 600.0, value_parser = number(60.0, 1e5))]
    seconds: f64,
    #[command(flatten)]
    seeds: Seeds,
    #[command(flatten)]
    format: Format,
}

impl Runs {
    fn on<R: Send>(
        &self,
        standard: &str,
        run: impl Fn(&Case, u64) -> Result<R> + Sync,
    ) -> Result<(Vec<Case>, Vec<Vec<R>>)> {
        let cases = self.paths.or_standard(standard)?;
        let runs = each_case(&cases, self.seeds.range(), run)?;
        Ok((cases, runs))
    }
}
