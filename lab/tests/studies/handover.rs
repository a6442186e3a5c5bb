//! A simulated host that dies. The new host's clock keeps its bound even if players lie, and no clock steps
//! back.
//!
//! `lab study handover` shows the same with more rounds.

use netclock_lab::study::handover::simulation::{Round, RoundConfig, play};
use rayon::prelude::*;

use crate::support::{case, seeds};

const ROUNDS: u64 = 12;

fn rounds(plan: &RoundConfig) -> Vec<Round> {
    seeds(ROUNDS).into_par_iter().map(|seed| play(plan, seed)).collect()
}

fn plan(scenario: &str) -> RoundConfig {
    let network = case(scenario).network;
    RoundConfig { network, clients: 8, liars: 0, lie_ms: 40.0, is_player: true, is_one_silent: false }
}

/// Plays rounds and asserts that nothing forbidden happened.
fn all_is_well(plan: &RoundConfig) -> Vec<Round> {
    let rounds = rounds(plan);
    for round in &rounds {
        assert_eq!(round.faults(plan), Vec::<String>::new(), "{round:?}");
    }
    rounds
}

/// Largest p99 after the handover on each path (ms): twice what 100 rounds show.
const P99_MS: [(&str, f64); 3] = [("lan", 0.5), ("wifi", 4.0), ("bad", 10.0)];

#[test]
fn a_player_or_a_machine_that_was_no_client_takes_over() {
    for (name, p99_ms) in P99_MS {
        for is_player in [true, false] {
            for round in all_is_well(&RoundConfig { is_player, ..plan(name) }) {
                assert!(round.p99_ms <= p99_ms, "{name}: {round:?}");
                assert!(is_player || round.answers >= 6, "{name}: {round:?}");
            }
        }
    }
}

#[test]
fn three_of_seven_lie_and_one_is_silent() {
    for (is_player, lie_ms) in [(false, 40.0), (false, -40.0), (false, 5_000.0), (true, 40.0)] {
        let plan = RoundConfig { liars: 3, lie_ms, is_player, is_one_silent: true, ..plan("wifi") };
        for round in all_is_well(&plan) {
            assert_eq!(round.answers, 7, "{round:?}");
            // Liars whose lie exceeds any honest bound do not agree.
            assert!(round.agreeing == 4 || lie_ms.abs() < 100.0, "{round:?}");
        }
    }
}

#[test]
fn more_liars_than_are_tolerated_are_refused() {
    // The plan tells the host the true number of liars. Four liars of eight clients cannot be outvoted.
    let plan = RoundConfig { liars: 4, lie_ms: 5_000.0, is_player: false, ..plan("wifi") };
    for round in rounds(&plan) {
        let refused = round.refused.as_deref().unwrap_or_default();
        assert!(refused.starts_with("only 8 of 9 required replies"), "{round:?}");
        assert_eq!((round.continued, round.restarts), (0, 0), "{round:?}");
        assert_eq!((round.account.outside, round.account.backwards), (0, 0), "{round:?}");
    }
}
