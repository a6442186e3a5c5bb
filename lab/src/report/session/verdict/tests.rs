use netclock_sim::TICKS_PER_S;

use super::*;
use crate::recording::{Recorded, Recording};

pub(super) fn evaluate(recording: Recording) -> Evaluation {
    Evaluation::of("test", recording).unwrap()
}

pub(super) fn verdicts_of(session: &Evaluation) -> Vec<(Kind, String)> {
    verdicts(session).into_iter().map(|it| (it.kind, it.words)).collect()
}

fn kinds(session: &Evaluation) -> Vec<Kind> {
    verdicts_of(session).into_iter().map(|it| it.0).collect()
}

#[derive(Clone, Copy)]
pub(super) struct Trip {
    pub(super) sent: f64,
    pub(super) up: f64,
    pub(super) down: f64,
    pub(super) ahead: f64,
}

impl Trip {
    pub(super) fn at(sent: f64) -> Self {
        Trip { sent, up: 0.01, down: 0.01, ahead: 0.0 }
    }

    fn recorded(self) -> Recorded {
        let Trip { sent, up, down, ahead } = self;
        let ticks = |seconds: f64| (seconds * TICKS_PER_S).round() as i64;
        let server = ticks(sent + up + ahead);
        let stamps = [ticks(sent), server, server, ticks(sent + up + down)];
        Recorded { has_status: true, ..Recorded::foreign(0, stamps) }
    }
}

pub(super) fn recording(trips: impl Iterator<Item = Trip>) -> Recording {
    let lines = trips.zip(3..).map(|(trip, line)| Recorded { line, ..trip.recorded() });
    Recording { exchanges: lines.collect(), ..Recording::default() }
}

pub(super) fn every(apart: f64, count: u32) -> impl Iterator<Item = Trip> {
    (0..count).map(move |at| Trip::at(f64::from(at) * apart))
}

/// All round trips take 10 ms, so no message can have waited in a queue.
#[test]
fn a_wandering_rate_is_neither_a_queue_nor_a_route_change() {
    let triangle = |at: f64| 40e-6 * (512.0 - (at.rem_euclid(1024.0) - 512.0).abs());
    let wave = |at: f64| 52e-6 * 300.0 * (at / 300.0).sin();
    let trip = |at: f64, ahead: f64| Trip { up: 0.005, down: 0.005, ahead, ..Trip::at(at) };
    for apart in [4.0, 16.0, 64.0] {
        let times = || every(apart, (2_000.0 / apart) as u32).map(|it| it.sent);
        for (name, session, truth) in [
            (
                "triangle",
                evaluate(recording(times().map(|at| trip(at, triangle(at))))),
                &triangle as &dyn Fn(f64) -> f64,
            ),
            ("wave", evaluate(recording(times().map(|at| trip(at, wave(at))))), &wave),
        ] {
            let said = verdicts_of(&session);
            let is_quiet = |kind: &Kind| matches!(kind, Kind::Clean | Kind::NotSeen);
            assert!(said.iter().all(|it| is_quiet(&it.0)), "{name}, {apart} s: {said:?}");
            // The estimate is within the bounds of each exchange, so its error is below half the round trip.
            let errors = session.reads.iter().zip(&session.rerun.moments).filter_map(|(shown, moment)| {
                let offset = (moment.reading.server_time.ticks() - moment.local.ticks()) as f64;
                let true_ms = (offset - truth(moment.local.as_secs_f64()) * TICKS_PER_S) / 1e4;
                Some((shown.error? - true_ms).abs())
            });
            let worst = errors.fold(0.0, f64::max);
            println!("{name}, {apart} s: hindsight is off by at most {worst:.2} ms");
            assert!(worst <= 5.0 + 100e-6 * apart / 2.0 * 1e3, "{name}, {apart} s: {worst} ms");
        }
    }
}

#[test]
fn halved_round_trips_are_detected() {
    let half = |it: Trip| 0.01 + 0.001 * (it.sent * 0.7).sin();
    let halved = || every(1.0, 60).map(|it| Trip { up: half(it), down: half(it), ..it });
    let is_alone = |session: Evaluation| {
        verdicts_of(&session).iter().any(|it| it.1.contains("only contains round trips"))
    };
    assert!(is_alone(evaluate(recording(halved()))));
    let ahead = |it: Trip| Trip { ahead: 1e-6 * it.sent, ..it };
    assert!(!is_alone(evaluate(recording(halved().map(ahead)))), "another clock");
    assert!(!is_alone(evaluate(recording(every(1.0, 60)))), "steady delays");
}

#[test]
fn an_outage_is_longer_than_the_usual_interval() {
    let said = verdicts_of(&evaluate(recording(every(60.0, 30))));
    let [(Kind::Clean, clean), (Kind::NotSeen, unseen)] = &said[..] else { panic!("{said:?}") };
    assert!(clean.contains("no outage of 4 min"), "{clean}");
    assert!(unseen.contains("replies is 60 s"), "{unseen}");
    // Growing intervals and bursts are not outages.
    let slower = (0..60).map(|at| {
        Trip::at(if at < 30 { 64.0 * f64::from(at) } else { 1_920.0 + 1_024.0 * f64::from(at - 30) })
    });
    assert_eq!(kinds(&evaluate(recording(slower))), [Kind::Clean, Kind::NotSeen]);
    let bursts = (0..80).map(|at| Trip::at(f64::from(at / 8) * 500.0 + f64::from(at % 8) * 2.0));
    assert_eq!(kinds(&evaluate(recording(bursts))), [Kind::Clean]);
    let broken = every(60.0, 60).filter(|it| !(1_200.0..1_700.0).contains(&it.sent));
    let said = verdicts_of(&evaluate(recording(broken)));
    assert!(
        said.iter().any(|it| it.0 == Kind::Outage && it.1.starts_with("No replies arrived for 10 min")),
        "{said:?}"
    );
}
