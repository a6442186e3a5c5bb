//! Tests that a server's watch of its players' clock rates detects cheats and never suspects honest players.

use netclock::watch::{RateFinding, RateLevel};
use netclock_lab::study::watch::{Cheat, Outcome, WatchConfig, hard_path, lossy_path, watch};
use netclock_sim::{Network, NetworkConfig};
use rayon::prelude::*;

use crate::support::seeds;

fn run(config: &NetworkConfig, seed: u64, cheat: Cheat, session: WatchConfig) -> Outcome {
    watch(&mut Network::new(config, session.seconds, seed), cheat, session, seed)
}

const BOTH: [bool; 2] = [false, true];

#[test]
fn honest_players_are_not_suspected_in_ten_hours() {
    let runs: Vec<_> = seeds(2)
        .flat_map(|seed| [-100.0, 0.0, 100.0].map(|ppm| (seed, ppm)))
        .flat_map(|(seed, ppm)| BOTH.map(|hears| (seed, ppm, hears)))
        .collect();
    runs.into_par_iter().for_each(|(seed, ppm, hears)| {
        let session = WatchConfig { seconds: 36_000.0, every_s: 1.0, hears };
        let path = hard_path(ppm, session.seconds, seed);
        let verdict = run(&path, seed, Cheat::None, session).verdict;
        assert_eq!((verdict.worst, verdict.findings), (RateLevel::Plausible, 0), "seed {seed}, {ppm} ppm");
        let off = (verdict.mean_ppm - ppm).abs();
        assert!(off <= verdict.mean_error_ppm, "seed {seed}: {off} ppm");
        assert!(verdict.mean_error_ppm < 2.0, "seed {seed}: {off} ppm");
    });
}

/// Runs the cheat on the lossy path with slow, exact and fast crystals. Returns the findings and when they
/// were made (s).
fn found(cheat: Cheat, within_s: f64, hears: bool) -> Vec<(RateFinding, f64)> {
    let session = WatchConfig { seconds: cheat.begins_s() + within_s, every_s: 0.1, hears };
    let runs: Vec<_> = seeds(20).flat_map(|seed| [-100.0, 0.0, 100.0].map(|ppm| (seed, ppm))).collect();
    let judged = runs.into_par_iter().map(|(seed, ppm)| {
        let outcome = run(&lossy_path(ppm), seed, cheat, session);
        let (at_s, finding) = outcome.likely.unwrap_or((f64::INFINITY, RateFinding::Fast));
        assert!(at_s >= cheat.begins_s(), "seed {seed}: found before it began");
        (finding, at_s - cheat.begins_s())
    });
    judged.collect()
}

/// With echoed timestamps, every cheat must be detected in time. Without echoed timestamps, nine in ten
/// cheats must be detected in time, and all within 1.5 times that time.
fn all_found(cheat: Cheat, within_s: f64) {
    for hears in BOTH {
        let found = found(cheat, 1.5 * within_s, hears);
        let latest = found.iter().map(|(_, after_s)| *after_s).fold(0.0, f64::max);
        let in_time = found.iter().filter(|(_, after_s)| *after_s <= within_s).count();
        let enough = if hears { found.len() } else { found.len() * 9 / 10 };
        assert!(in_time >= enough, "{cheat:?}, hears {hears}: {in_time} in time");
        assert!(latest <= 1.5 * within_s + 1.0, "{cheat:?}, hears {hears}: the last after {latest:.1} s");
        assert!(found.iter().all(|(finding, _)| matches!(finding, RateFinding::Fast | RateFinding::Added)));
    }
}

const FROM: f64 = 200.0;

#[test]
fn two_percent_is_found_within_ten_seconds() {
    all_found(Cheat::Rate { fraction: 0.02, from_s: FROM }, 10.0);
}

#[test]
fn two_per_mille_is_found_within_a_minute() {
    all_found(Cheat::Rate { fraction: 0.002, from_s: FROM }, 60.0);
}

#[test]
fn intermittent_cheating_is_found_within_five_minutes() {
    all_found(Cheat::Sometimes { fraction: 0.10, from_s: FROM }, 300.0);
}
