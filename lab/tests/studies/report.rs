//! Tests the verdicts of `lab report`. Each known cause must produce its verdict. Undisturbed hours must not
//! produce any verdicts.

use std::collections::HashSet;

use netclock_lab::report::command::judge;
use netclock_lab::report::session::verdict::{Kind, Verdict};
use netclock_lab::scenario;
use netclock_lab::study::verdicts::{Judged, session};
use netclock_sim::{Case, Saw, Split, Trace, seed};
use rayon::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn verdicts(name: &str, seconds: Option<f64>, seed: u64, incidents: &[&str]) -> anyhow::Result<Vec<Verdict>> {
    let incidents: Result<Vec<_>, _> = incidents.iter().map(|text| text.parse()).collect();
    judge(&scenario::find(name)?, seconds, seed, &incidents?)
}

fn kinds(verdicts: &[Verdict]) -> HashSet<Kind> {
    verdicts.iter().map(|verdict| verdict.kind).collect()
}

/// The path, its incidents, and the verdicts that must result.
const CAUSES: [(&str, &[&str], &[Kind]); 24] = [
    ("wifi", &[], &[Kind::Clean]),
    ("uplink_bloat", &[], &[Kind::QueueUp]),
    ("uplink_bloat_steady", &[], &[Kind::QueueUp]),
    ("downlink_bloat", &[], &[Kind::QueueDown]),
    ("route_up", &[], &[Kind::Route]),
    ("route_forward", &[], &[Kind::Route]),
    ("route_reverse", &[], &[Kind::Route]),
    ("holdover", &[], &[Kind::Outage]),
    ("fibre", &["pause@300:120"], &[Kind::Pause]),
    ("fibre", &["restart@300"], &[Kind::ServerRestart]),
    ("fibre", &["step@300:400"], &[Kind::Step]),
    ("fibre", &["several@300"], &[Kind::SeveralServers]),
    ("slewed_server_ntpd", &[], &[Kind::Slewed]),
    ("drift_200", &[], &[Kind::Rate]),
    ("duplicates", &[], &[Kind::Clean]),
    ("real_idle", &[], &[Kind::Clean]),
    ("real_up_before", &[], &[Kind::QueueUp]),
    ("real_up_after", &[], &[Kind::QueueUp]),
    ("real_on_off", &[], &[Kind::QueueUp]),
    ("real_down_before", &[], &[Kind::QueueDown]),
    ("real_down_with", &[], &[Kind::QueueDown]),
    ("real_down_after", &[], &[Kind::QueueDown]),
    ("real_route", &[], &[Kind::Route]),
    ("real_mark_dropped", &[], &[Kind::Outage]),
];

#[test]
fn each_cause_produces_only_its_own_verdicts() -> Outcome {
    let first = seed(1);
    for (name, incidents, expected) in CAUSES {
        let given = verdicts(name, None, first, incidents)?;
        let said = given.iter().map(|it| it.words.as_str()).collect::<Vec<_>>().join("\n");
        assert_eq!(
            kinds(&given),
            expected.iter().copied().collect(),
            "{name} {incidents:?}, seed {first}: {said}"
        );
    }
    Ok(())
}

fn drawn(sessions: u64) -> anyhow::Result<[usize; 3]> {
    let first = seed(1);
    let all = (0..sessions).into_par_iter().map(|number| session(first, number));
    let all: Vec<Judged> = all.collect::<anyhow::Result<_>>()?;
    let mut counts = [0; 3];
    for (number, judged) in all.iter().enumerate() {
        let wrong: Vec<&Verdict> = judged.verdicts.iter().filter(|it| !judged.is_true(it)).collect();
        let is_found = judged.verdicts.iter().any(|it| judged.expected().contains(&it.kind));
        if !(wrong.is_empty() && is_found) {
            println!("{number}: {:?}, found: {is_found}, {}, false: {wrong:?}", judged.cause, judged.about);
        }
        let one = [judged.verdicts.len(), wrong.len(), usize::from(!is_found)];
        counts.iter_mut().zip(one).for_each(|(sum, count)| *sum += count);
    }
    let [verdicts, wrong, missed] = counts;
    println!("{sessions} sessions: {verdicts} verdicts, {wrong} false, {missed} causes missed");
    Ok(counts)
}

#[test]
fn random_sessions_get_the_verdicts_of_their_causes() -> Outcome {
    let [_, wrong, missed] = drawn(42)?;
    // At most 1 % of the verdicts are false over hundreds of sessions, so allow for one here.
    assert!(wrong <= 1 && missed <= 2, "{wrong} false, {missed} missed");
    Ok(())
}

#[test]
#[ignore = "takes minutes; for the figures in docs/workbench.md"]
fn at_most_one_percent_of_hundreds_of_verdicts_are_false() -> Outcome {
    let [verdicts, wrong, _] = drawn(500)?;
    assert!(wrong * 100 <= verdicts, "{wrong} of {verdicts}");
    Ok(())
}

#[test]
fn strong_jitter_is_not_a_queue() -> Outcome {
    let given = kinds(&verdicts("bad", None, seed(1), &[])?);
    assert!(given.contains(&Kind::Jitter), "{given:?}");
    assert!(!given.contains(&Kind::QueueUp), "{given:?}");
    assert!(!given.contains(&Kind::QueueDown), "{given:?}");
    assert!(!given.contains(&Kind::Route), "{given:?}");
    Ok(())
}

/// The queue grows for eight minutes and hardly varies within any minute except the last, so each half minute
/// looks like a different route.
#[test]
fn a_long_queue_is_reported_once() -> Outcome {
    let first = seed(1);
    for seed in first..first + 6 {
        let mut case = scenario::find("wifi")?;
        case.network.forward.saw = Some(Saw { peak_ms: 400.0, period_s: 500.0, idle_s: 700.0, from_s: 0.0 });
        let given = judge(&case, Some(1_200.0), seed, &[])?;
        // The report may list the start of the queue separately.
        let (queues, others): (Vec<_>, Vec<_>) = given.iter().partition(|it| it.kind == Kind::QueueUp);
        // Wi-Fi may delay one more message after the queue has ended.
        let lasts_until_the_end = |(from, to): (f64, f64)| from < 250.0 && (470.0..520.0).contains(&to);
        let is_one = queues.len() == 1 && queues[0].stretch.is_some_and(lasts_until_the_end);
        assert!(is_one, "seed {seed}: {given:?}");
        assert!(others.len() <= 1, "seed {seed}: {given:?}");
    }
    Ok(())
}

#[test]
fn a_path_too_long_for_the_target_bound_is_reported() -> Outcome {
    let mut case = scenario::find("fibre")?;
    (case.network.forward.base_ms, case.network.reverse.base_ms) = (300.0, 300.0);
    assert_eq!(kinds(&judge(&case, Some(120.0), seed(1), &[])?), HashSet::from([Kind::WideBound]));
    Ok(())
}

#[test]
fn an_uneventful_hour_has_no_verdict() -> Outcome {
    let first = seed(1);
    for (name, seeds) in [("one_hour", 3), ("wifi", 3), ("lan", 1), ("fibre", 1)] {
        for seed in first..first + seeds {
            let given = verdicts(name, Some(3600.0), seed, &[])?;
            assert_eq!(kinds(&given), HashSet::from([Kind::Clean]), "{name}, seed {seed}: {given:?}");
        }
    }
    Ok(())
}

/// Two queues of 175 to 241 ms, as caused by uploads. They start at 60 s and 154 s, and last 52 s each.
fn two_queues() -> Case {
    let delays = (0..50 * 240).map(|probe| {
        let at = f64::from(probe) / 50.0;
        let is_queued = (60.0..112.0).contains(&at) || (154.0..206.0).contains(&at);
        let wait = if is_queued { 0.175 + 0.066 * (at / 7.0).fract() } else { 0.0 };
        let jitter = |factor: f64| 0.001 * (f64::from(probe) * factor).sin().abs();
        Some((0.025 + wait + jitter(0.7), 0.025 + jitter(0.9)))
    });
    let trace = Trace::of_probes("two_queues", 0.02, delays, 0.0);
    let mut case = Case::recorded(trace, Split::Varying, 20.0);
    case.seconds = Some(235.0);
    case
}

#[test]
fn two_queues_have_separate_median_and_maximum_waits() -> Outcome {
    let first = seed(1);
    for seed in first..first + 4 {
        let given = judge(&two_queues(), None, seed, &[])?;
        assert_eq!(kinds(&given), HashSet::from([Kind::QueueUp]), "seed {seed}: {given:?}");
        let found: Vec<_> = given.iter().filter_map(|it| it.stretch).collect();
        let is_near = |(from, to): (f64, f64), begin: f64| {
            (begin..begin + 13.0).contains(&from) && (begin + 38.0..begin + 53.0).contains(&to)
        };
        let are_two = found.len() == 2 && is_near(found[0], 60.0) && is_near(found[1], 154.0);
        assert!(are_two, "seed {seed}: {given:?}");
        for it in &given {
            let number = |before: &str| -> Option<f64> {
                it.words.split_once(before)?.1.split(' ').next()?.parse().ok()
            };
            let median = number(" a median of ").ok_or("a median")?;
            let most = number(" a maximum of ").ok_or("a maximum")?;
            assert!((180.0..236.0).contains(&median), "{}", it.words);
            assert!((median..243.0).contains(&most), "{}", it.words);
        }
    }
    Ok(())
}
