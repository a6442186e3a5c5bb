//! `lab study timeline`: world time in simulated worlds that pause, slow down, lose time and end.

use std::process::ExitCode;

use anyhow::Result;
use indicatif::HumanCount;
use serde_json::json;

use super::course::{CLOCKS, NETCLOCK};
use super::score::{Errors, WorldScore};
use super::suite::{self, Outcome, links, plots};
use crate::report::exit::verdict;
use crate::report::words::{ms, print_faults};
use crate::report::{options, table};
use netclock_sim::measure::figures::{sorted, upper_median};

/// Shows the time of simulated game worlds, by NetClock and by other clocks, and judges every read
///
/// A server at 60 frames per second publishes its world's time to a client, over a good link and a bad one.
/// The first world pauses, runs in slow motion, has frames of 0.7 s and 3 s, and travels to another map. The
/// second world pauses 100 times. Exits with 1 if NetClock broke a promise: a read outside its bound, a step
/// backwards, or an error above the limits of the good link.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    seeds: options::Seeds,
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the table of docs/figures.md, in Markdown
    #[arg(long)]
    markdown: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let seeds: Vec<u64> = args.seeds.range().collect();
    let outcomes = suite::run(&seeds, &CLOCKS)?;
    if args.json {
        println!("{:#}", json!({"seeds": seeds, "runs": outcomes}));
    } else if args.markdown {
        print!("{}", markdown(&outcomes));
    } else {
        print(&outcomes, &seeds);
    }
    Ok(verdict(outcomes.iter().all(|outcome| outcome.faults.is_empty())))
}

/// Column headings of [`cells`].
const HEADER: &str = "clock | constant p50 | p99 | slow motion p99 | paused p99 | after a change p99 | long \
                      frame p99 | crept | outside | back | segments/s | bytes/s";

/// The runs of one clock in one world over one link.
fn group<'a>(outcomes: &'a [Outcome], world: &str, link: &str, clock: &str) -> Vec<&'a WorldScore> {
    let is_one =
        |outcome: &&Outcome| outcome.world == world && outcome.link == link && outcome.clock == clock;
    outcomes.iter().filter(is_one).map(|outcome| &outcome.score).collect()
}

/// Medians of errors over the runs; sums of reads.
fn cells(clock: &str, scores: &[&WorldScore]) -> String {
    let of = |pick: fn(&WorldScore) -> Option<Errors>, figure: fn(&Errors) -> f64| {
        ms(median(scores.iter().filter_map(|score| pick(score)).map(|errors| figure(&errors))))
    };
    let p99 = |pick| of(pick, |errors| errors.p99_ms);
    let sum = |pick: fn(&WorldScore) -> usize| scores.iter().map(|score| pick(score)).sum::<usize>();
    let (p50, constant) = (of(|score| score.constant, |errors| errors.p50_ms), p99(|score| score.constant));
    let (slow, paused) = (p99(|score| score.animated), p99(|score| score.paused));
    let (changed, long) = (p99(|score| score.changed), p99(|score| score.hitched));
    let crept = ms(median(scores.iter().map(|score| score.crept_ms.abs())));
    let outside = match sum(|score| score.bounded) {
        0 => "-".to_owned(),
        bounded => {
            let outside = sum(|score| score.outside + score.outside_if_unchanged);
            format!("{} of {}", HumanCount(outside as u64), HumanCount(bounded as u64))
        }
    };
    let back = sum(|score| score.backwards);
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

fn print(outcomes: &[Outcome], seeds: &[u64]) {
    for plot in plots() {
        for link in links() {
            println!("\n{}, {} link: {} ({} s)", plot.name, link.name, link.about, plot.seconds);
            let rows = CLOCKS.iter().map(|clock| cells(clock, &group(outcomes, plot.name, link.name, clock)));
            println!("{}", table::plain(HEADER, rows, false));
            let own = group(outcomes, plot.name, link.name, NETCLOCK);
            let of = |pick: fn(&WorldScore) -> f64| ms(median(own.iter().map(|score| pick(score))));
            println!(
                "netclock: bound {} ms, {} ms if nothing changes; {} segments, at most {} in a second; {} \
                 copies sent; {} bytes/s of news",
                of(|score| score.bound_ms.unwrap_or(f64::NAN)),
                of(|score| score.if_unchanged_ms.unwrap_or(f64::NAN)),
                of(|score| score.segments as f64),
                own.iter().map(|score| score.most_in_a_second).max().unwrap_or(0),
                of(|score| score.segments_sent as f64),
                of(|score| score.news_bytes_per_s),
            );
        }
    }
    println!(
        "\nErrors in ms (shown minus true), medians over seeds {} to {}. \"After a change\" is the second \
         after a pause began or ended,\nand after travel. \"Long frame\" is a long frame and the nine \
         seconds after it. \"Outside\" counts reads outside either bound, \"back\" counts\nreads backwards \
         within an epoch, both over all runs. Bytes are payload in both directions.",
        seeds.first().unwrap_or(&0),
        seeds.last().unwrap_or(&0),
    );
    for Outcome { world, link, seed, faults, .. } in outcomes {
        let named = |fault: &String| format!("FAULT {world}, {link} link, seed {seed}: {fault}");
        print_faults(&faults.iter().map(named).collect::<Vec<_>>());
    }
}

/// The columns of [`HEADER`] in documents. Errors right after a change are left out: every clock is late
/// then.
const QUOTED: [usize; 8] = [0, 1, 2, 3, 8, 9, 10, 11];

fn markdown(outcomes: &[Outcome]) -> String {
    let quote = |row: &str| {
        let cells: Vec<&str> = table::cells(row).collect();
        QUOTED.map(|column| cells[column]).join(" | ")
    };
    let rule = "|---:".repeat(QUOTED.len() - 1);
    let mut text = format!("| world, link | {} |\n|---|---{rule}|\n", quote(HEADER));
    for plot in plots() {
        for link in links() {
            for clock in CLOCKS {
                let cells = cells(clock, &group(outcomes, plot.name, link.name, clock));
                text += &format!("| {}, {} | {} |\n", plot.name, link.name, quote(&cells));
            }
        }
    }
    text
}
