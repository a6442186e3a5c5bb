use std::process::ExitCode;

use anyhow::{Result, ensure};
use indicatif::HumanCount;

use super::score::{Errors, WorldScore};
use super::suite::{self, CLOCKS, NETCLOCK, Outcome, links, plots};
use crate::report::{ms, options};
use crate::study::output::{Format, Study};
use netclock_sim::measure::figures::{sorted, upper_median};

/// Compares world time from NetClock and other clocks in simulated worlds, and checks every read
///
/// A server at 60 frames per second publishes its world's time to a client over a good link and a bad one.
/// The first world pauses, runs in slow motion, has frames of 0.7 s and 3 s, and changes the map. The second
/// world pauses 100 times. Exits with 1 if NetClock violated a guarantee: a read outside its bound, a
/// backward step, or an error above the limits of the good link.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    seeds: options::Seeds,
    /// Loss in both directions, instead of the links' own loss (0 to 0.9)
    #[arg(long, value_name = "SHARE")]
    loss: Option<f64>,
    #[command(flatten)]
    format: Format,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let seeds: Vec<u64> = args.seeds.range().collect();
    ensure!(args.loss.is_none_or(|loss| (0.0..=0.9).contains(&loss)), "--loss: the range is 0 to 0.9");
    let outcomes = suite::run(&seeds, &CLOCKS, args.loss)?;
    let groups = plots().into_iter().flat_map(|plot| links(None).map(|link| (plot.name, link.name)));
    let rows = groups.flat_map(|(world, link)| {
        let cells = |clock| cells(clock, &group(&outcomes, world, link, clock));
        CLOCKS.map(|clock| format!("{world}, {link} | {}", cells(clock)))
    });
    let mut study = Study::new(args.format);
    study.table("", HEADER, rows);
    if !args.format.csv {
        study.line(&notes(&seeds));
        args.loss
            .iter()
            .for_each(|loss| study.line(&format!("{:.0} % of all datagrams are lost.", 100.0 * loss)));
    }
    for Outcome { world, link, seed, faults, .. } in &outcomes {
        let named = |fault: &String| format!("FAULT {world}, {link} link, seed {seed}: {fault}");
        study.faults.extend(faults.iter().map(named));
    }
    Ok(study.end())
}

const HEADER: &str = "world, link | clock | constant p50 | p99 | slow motion p99 | paused p99 | after a \
                      change p99 | long frame p99 | crept | outside | back | segments/s | bytes/s";

fn group<'a>(outcomes: &'a [Outcome], world: &str, link: &str, clock: &str) -> Vec<&'a WorldScore> {
    let is_one =
        |outcome: &&Outcome| outcome.world == world && outcome.link == link && outcome.clock == clock;
    outcomes.iter().filter(is_one).map(|outcome| &outcome.score).collect()
}

fn cells(clock: &str, scores: &[&WorldScore]) -> String {
    let of = |pick: fn(&WorldScore) -> Option<Errors>, figure: fn(&Errors) -> f64| {
        ms(median(scores.iter().filter_map(|score| pick(score)).map(|errors| figure(&errors))))
    };
    let p99 = |pick| of(pick, |errors| errors.p99_ms);
    let sum = |pick: fn(&WorldScore) -> u64| scores.iter().map(|score| pick(score)).sum::<u64>();
    let (p50, constant) = (of(|score| score.constant, |errors| errors.p50_ms), p99(|score| score.constant));
    let (slow, paused) = (p99(|score| score.animated), p99(|score| score.paused));
    let (changed, long) = (p99(|score| score.changed), p99(|score| score.hitched));
    let crept = ms(median(scores.iter().map(|score| score.crept_ms.abs())));
    let outside = match sum(|score| score.certain.reads) {
        0 => "-".to_owned(),
        bounded => {
            let outside = sum(|score| score.certain.outside + score.unchanged.outside);
            format!("{} of {}", HumanCount(outside), HumanCount(bounded))
        }
    };
    let back = sum(|score| score.certain.backwards);
    let segments = median(scores.iter().map(|score| score.segments_per_s));
    let segments = if clock == NETCLOCK { format!("{segments:.1}") } else { "-".to_owned() };
    let bytes = median(scores.iter().map(|score| score.bytes_per_s));
    format!(
        "{clock} | {p50} | {constant} | {slow} | {paused} | {changed} | {long} | {crept} | {outside} | \
         {back} | {segments} | {bytes:.0}"
    )
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    upper_median(&sorted(values)).unwrap_or(f64::NAN)
}

fn notes(seeds: &[u64]) -> String {
    let about = links(None).map(|link| format!("The {} link: {}.\n", link.name, link.about)).concat();
    format!(
        "{about}Errors in ms (shown minus true), medians over seeds {} to {}. \"After a change\" is the \
         second after a pause began or ended,\nand after travel. \"Long frame\" is a long frame and the nine \
         seconds after it. \"Outside\" counts reads outside either bound, \"back\" counts\nreads backwards \
         within an epoch, both over all runs. Bytes are payload in both directions.",
        seeds.first().unwrap_or(&0),
        seeds.last().unwrap_or(&0),
    )
}
