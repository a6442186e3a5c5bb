//! Tests how far apart many simulated clients start, and how a start handles silent and slow clients.
//!
//! `lab study start` runs more rounds of the same simulation.

use netclock::start::{HoldUp, StartConfig};
use netclock_lab::study::start::{FPS, Round, RoundPlan, SETTLE_S, TARGET_MS, play};
use netclock_sim::seed;
use rayon::prelude::*;

use crate::support::{case, seeds};

const ROUNDS: u64 = 20;

fn plan(clients: usize) -> RoundPlan {
    RoundPlan {
        network: case("wifi").network,
        clients,
        organiser: StartConfig::default(),
        settle_s: SETTLE_S,
        rough: false,
    }
}

fn rounds(plan: &RoundPlan) -> Vec<Round> {
    let rounds: Vec<Round> = seeds(ROUNDS).into_par_iter().map(|seed| play(plan, seed)).collect();
    for round in &rounds {
        assert!(round.faults.is_empty(), "{round:?}");
    }
    rounds
}

#[test]
fn sixty_four_clients_on_wifi_start_within_a_frame_and_a_millisecond() {
    let rounds = rounds(&plan(64));
    for round in &rounds {
        assert_eq!((round.counted, round.held_up_ms), (64, 0.0), "{round:?}");
        // The target applies to 99 rounds in 100, so twenty rounds must all meet it.
        assert!(round.spread_ms <= TARGET_MS + 1e3 / FPS, "{round:?}");
        assert!(round.lead_ms < 1000.0, "{round:?}");
    }
    let late: u32 = rounds.iter().map(|round| round.heard_late).sum();
    assert!(late <= 1, "{late} of 1280 received the start late, at a confidence of 0.999 for 64 together");
}

#[test]
fn other_clients_start_despite_loss_cancellation_silence_and_late_joins() {
    let mut plan = plan(64);
    plan.rough = true;
    (plan.network.forward.loss, plan.network.reverse.loss) = (0.1, 0.1);
    let rounds = rounds(&plan);
    // The silent client is never counted, and one other client may not know the time accurately enough yet.
    assert!(rounds.iter().filter(|round| round.counted < 63).count() <= 1, "{rounds:?}");
    for round in rounds {
        assert!(round.counted >= 62, "{round:?}");
        assert!(round.spread_ms <= TARGET_MS + 1e3 / FPS, "{round:?}");
        assert_eq!(round.held_up_by, Some((1, HoldUp::Silent)), "{round:?}");
        // The organiser waits for the silent client for half of its patience, and proposes once per frame.
        assert!((5000.0..5020.0).contains(&round.held_up_ms), "{round:?}");
        assert!(round.joined_ms.is_some_and(|late| late > 1000.0), "{round:?}");
    }
}

#[test]
fn rounds_repeat() {
    let plan = plan(8);
    let seed = seed(1);
    assert_eq!(format!("{:?}", play(&plan, seed)), format!("{:?}", play(&plan, seed)));
}

#[test]
fn an_inaccurate_client_is_not_rushed_into_a_start() {
    let mut plan = plan(4);
    plan.organiser.max_expected_error = netclock::Span::from_ticks(1);
    let round = play(&plan, seed(1));
    assert_eq!(round.faults, ["no start was scheduled"]);
    assert_eq!(round.held_up_by.map(|(_, why)| why), Some(HoldUp::Inaccurate));
}
